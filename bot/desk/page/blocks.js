// Block Kit, readably. A block that the desk does not know shows as a box that says so: nothing is dropped silently.

import { chart } from "./charts.js";
import { h, sideways } from "./dom.js";
import { element, image, place } from "./elements.js";
import { richText } from "./rich.js";
import { markdown, plain, textObject } from "./text.js";

const STATUS = { pending: ["○", "waiting"], in_progress: ["◐", "under way"], complete: ["●", "done"], error: ["✕", "failed"] };
const ALERTS = { info: "ℹ", warning: "⚠", error: "✕", success: "✓", default: "" };

export function blocks(list, context) {
  return h("div", { class: "blocks" }, (list || []).map((block) => drawn(block, context)));
}

function drawn(block, context) {
  const draw = BLOCKS[block.type];
  if (!draw) return h("div", { class: "unknown" }, `The desk does not show “${block.type}” blocks yet.`);
  return draw(block, context);
}

const within = (list, block, context) => (list || []).map((one) => element(one, block, context));

const BLOCKS = {
  section: (block, context) => h("div", { class: "section" },
    h("div", { class: "grow" }, textObject(block.text), block.fields && h("div", { class: "fields" }, block.fields.map(textObject))),
    block.accessory && h("div", { class: "accessory" }, element(block.accessory, block, context))),
  header: (block) => h("h2", { class: "header" }, plain(block.text.text)),
  divider: () => h("hr"),
  context: (block) => h("div", { class: "context" }, block.elements.map((one) => (one.type === "image" ? image(one) : textObject(one)))),
  actions: (block, context) => h("div", { class: "row" }, within(block.elements, block, context)),
  context_actions: (block, context) => h("div", { class: "row" }, within(block.elements, block, context)),
  image: (block) => h("figure", {}, block.title && h("figcaption", {}, block.title.text), image(block, block.title?.text)),
  rich_text: richText,
  markdown: (block) => markdown(block.text),
  input: input,
  table: (block) => grid(block.rows, block.column_settings, ""),
  data_table: dataTable,
  data_visualization: chart,
  task_card: (block) => task(block),
  plan: (block) => h("div", { class: "plan" }, h("b", {}, block.title), (block.tasks || []).map(task)),
  alert: (block) => h("div", { class: `alert ${block.level || "default"}`, role: "note" }, `${ALERTS[block.level || "default"]} `, textObject(block.text)),
  card: (block, context) => h("div", { class: "card" }, block.hero_image && image(block.hero_image), block.title && h("b", {}, textObject(block.title)),
    block.subtitle && h("small", {}, textObject(block.subtitle)), textObject(block.body), textObject(block.subtext),
    block.actions && h("div", { class: "row" }, within(block.actions, block, context))),
  carousel: (block, context) => h("div", { class: "carousel" }, block.elements.map((one) => drawn(one, context))),
  container: container,
};

function input(block, context) {
  const error = context.errors?.[block.block_id];
  const id = `in-${place(block, block.element)}`;
  return h("div", { class: "input" },
    h("label", { for: id, id: `label-${place(block, block.element)}` }, plain(block.label.text), block.optional && h("small", {}, " (optional)")),
    element(block.element, block, context),
    block.hint && h("small", {}, plain(block.hint.text)),
    error && h("div", { class: "error", role: "alert" }, error));
}

function container(block, context) {
  const title = block.title ? h("b", {}, plain(block.title.text)) : richText(block.rich_text_title);
  const head = [title, block.subtitle && h("small", {}, textObject(block.subtitle))];
  const inside = block.child_blocks.map((one) => drawn(one, context));
  if (!block.is_collapsible) return h("div", { class: "card" }, head, inside);
  return h("details", { class: "card", open: !block.default_collapsed }, h("summary", {}, head), inside);
}

function task(block) {
  const [mark, words] = STATUS[block.status] || STATUS.pending;
  const line = [h("span", { class: `mark ${block.status}`, title: words, role: "img", "aria-label": words }, mark), " ", block.title];
  const more = [block.details, block.output].filter(Boolean).map(richText);
  const sources = (block.sources || []).map((one) => h("small", {}, `${one.text} ${one.url}`));
  if (!more.length && !sources.length) return h("div", { class: "task" }, line);
  return h("details", { class: "task" }, h("summary", {}, line), more, sources);
}

function cell(one, tag, settings) {
  const number = one.type === "raw_number";
  const align = settings?.align || (number ? "right" : "left");
  const words = String(one.text ?? one.value);
  // A file name does not break at its hyphens; longer texts may, and the table scrolls.
  const whole = settings?.is_wrapped === false || (tag === "td" && one.type !== "rich_text" && words.length <= 28);
  return h(tag, { class: `${align}${whole ? " nowrap" : ""}` }, one.type === "rich_text" ? richText(one) : words);
}

function grid(rows, settings, caption) {
  const row = (cells, tag) => h("tr", {}, cells.map((one, at) => cell(one, tag, settings?.[at])));
  return sideways(h("table", {}, caption && h("caption", {}, caption),
    h("thead", {}, row(rows[0], "th")), h("tbody", {}, rows.slice(1).map((cells) => row(cells, "td")))));
}

function dataTable(block) {
  const size = block.page_size || 5, body = block.rows.slice(1), pages = Math.ceil(body.length / size);
  const box = h("div", { class: "data-table" });
  const show = (page) => {
    const turn = (label, to) => h("button", { disabled: to < 0 || to >= pages, onclick: () => show(to) }, label);
    const pager = pages > 1 && h("div", { class: "row pager" }, turn("‹", page - 1), h("small", {}, `page ${page + 1} of ${pages}, ${body.length} rows`), turn("›", page + 1));
    box.replaceChildren(grid([block.rows[0], ...body.slice(page * size, (page + 1) * size)], null, block.caption), ...(pager ? [pager] : []));
  };
  show(0);
  return box;
}
