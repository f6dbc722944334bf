// rich_text blocks: sections, lists, quotes and preformatted parts.

import { h, safeLink } from "./dom.js";
import { channel } from "./store.js";
import { emoji, formatDate, mention } from "./text.js";

const WRAPS = { bold: "b", italic: "i", strike: "s", underline: "u", code: "code" };

const RUNS = {
  text: (run) => run.text,
  link: (run) => safeLink(run.url, run.text || run.url),
  user: (run) => mention(run.user_id),
  usergroup: (run) => h("span", { class: "mention" }, `@${run.usergroup_id}`),
  channel: (run) => h("span", { class: "mention" }, `#${channel(run.channel_id)?.name || run.channel_id}`),
  emoji: (run) => (run.unicode ? String.fromCodePoint(...run.unicode.split("-").map((one) => parseInt(one, 16))) : emoji(run.name)),
  broadcast: (run) => h("span", { class: "mention" }, `@${run.range}`),
  color: (run) => h("code", {}, run.value),
  date: (run) => h("time", {}, formatDate(run.timestamp, run.format)),
};

function run(one) {
  let node = RUNS[one.type] ? RUNS[one.type](one) : `[${one.type}]`;
  for (const [style, tag] of Object.entries(WRAPS)) if (one.style?.[style]) node = h(tag, {}, node);
  return node;
}

const runs = (element) => element.elements.map(run);

const PARTS = {
  rich_text_section: (part) => h("div", { class: "lines" }, runs(part)),
  rich_text_quote: (part) => h("blockquote", { class: "lines" }, runs(part)),
  rich_text_preformatted: (part) => h("pre", { tabindex: 0 }, runs(part)),
  rich_text_list: (part) => {
    const props = { class: `indent${part.indent || 0}`, start: part.offset ? part.offset + 1 : undefined };
    return h(part.style === "ordered" ? "ol" : "ul", props, part.elements.map((item) => h("li", { class: "lines" }, runs(item))));
  },
};

export function richText(block) {
  return h("div", { class: "rich" }, (block.elements || []).map((part) => (PARTS[part.type] ? PARTS[part.type](part) : null)));
}
