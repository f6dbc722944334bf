// Interactive elements: buttons, menus, pickers and inputs, as native controls.

import { ask, follow, h } from "./dom.js";
import { remember } from "./overlays.js";
import { store } from "./store.js";
import { plain, textObject } from "./text.js";

// What people entered and did not send yet, by "block_id.action_id"; a redrawn form finds it again.
export const place = (block, element) => `${block.block_id}.${element.action_id}`;

// `context.act(name, choice)` tells the app; `context.values` collects inputs; `context.form` is true in modals.
export function element(one, block, context) {
  const draw = DRAWN[one.type];
  return draw ? draw(one, block, context) : h("span", { class: "unknown" }, `The desk does not show “${one.type}” elements yet.`);
}

async function act(event, one, block, context, choice) {
  const control = event.currentTarget;
  remember(control.closest("details.overflow")?.querySelector("summary") || control);
  const sure = !one.confirm || await ask(one.confirm, {
    title: one.confirm.title.text, body: textObject(one.confirm.text), agree: one.confirm.confirm.text, deny: one.confirm.deny.text,
  });
  if (!sure) return;
  // Not `disabled`, which would take the focus away from whoever uses the keyboard.
  if (control.ariaDisabled === "true") return;
  control.ariaDisabled = "true";
  try { await context.act(place(block, one), choice); } finally { control.ariaDisabled = null; }
}

function button(one, block, context) {
  const pressed = (event) => {
    if (!/^https?:/.test(one.url || "")) { act(event, one, block, context); return; }
    act(event, one, block, context);
    follow(one.url);
  };
  return h("button", { class: one.style || "", "data-place": place(block, one), "data-action": one.action_id, "aria-label": one.accessibility_label, onclick: pressed }, plain(one.text.text));
}

function overflow(one, block, context) {
  const entries = one.options.map((option) => h("button", { class: "entry", onclick: (event) => { menu.open = false; act(event, one, block, context, option.value); if (/^https?:/.test(option.url || "")) follow(option.url); } }, plain(option.text.text)));
  const menu = h("details", { class: "overflow" }, h("summary", { "aria-label": "More actions", "data-place": place(block, one), "data-action": one.action_id }, "⋯"), h("div", { class: "entries" }, entries));
  return menu;
}

// An input tells its value at once in messages and Home tabs; in a modal's input block it waits for the submission.
function valued(one, block, context, control, read) {
  const name = control.dataset.place = place(block, one);
  control.dataset.action = one.action_id;
  control.addEventListener("change", (event) => {
    context.values[name] = read();
    if (block.type !== "input" || block.dispatch_action) act(event, one, block, context, read());
  });
  control.addEventListener("input", () => { context.values[name] = read(); });
  return control;
}

// In an input block the label above names the control; elsewhere its placeholder does.
const named = (one, block) => (block.type === "input" ? { "aria-labelledby": `label-${place(block, one)}` } : { "aria-label": one.placeholder?.text || "Choose" });

const kept = (one, block, context, initial) => context.values[place(block, one)] ?? initial ?? "";
const allOptions = (one) => [...(one.options || []), ...(one.option_groups || []).flatMap((group) => group.options)];

function typed(type) {
  return (one, block, context) => {
    const initial = one.initial_value ?? one.initial_date ?? one.initial_time;
    const props = { id: `in-${place(block, one)}`, placeholder: one.placeholder?.text, maxlength: one.max_length, value: kept(one, block, context, initial) };
    const control = one.multiline ? h("textarea", { ...props, rows: 4 }) : h("input", { ...props, type });
    return valued(one, block, context, control, () => control.value);
  };
}

function select(options, initial, many = false) {
  return (one, block, context) => {
    const chosen = [kept(one, block, context, initial(one))].flat();
    const list = options(one).map(([value, label]) => h("option", { value, selected: chosen.includes(value) }, label));
    const first = many ? [] : h("option", { value: "" }, one.placeholder?.text || "Choose…");
    const control = h("select", { id: `in-${place(block, one)}`, multiple: many, ...named(one, block) }, first, list);
    const read = () => (many ? [...control.selectedOptions].map((option) => option.value) : control.value);
    return valued(one, block, context, control, read);
  };
}

function choices(type) {
  return (one, block, context) => {
    const name = place(block, one);
    const initial = (one.initial_options || [one.initial_option]).filter(Boolean).map((option) => option.value);
    const chosen = [kept(one, block, context, initial)].flat();
    const box = h("div", { class: "choices", role: "group", ...named(one, block) }, one.options.map((option) => h("label", {},
      h("input", { type, name, value: option.value, checked: chosen.includes(option.value) }),
      h("span", {}, textObject(option.text), option.description && h("small", {}, textObject(option.description))))));
    const ticked = () => [...box.querySelectorAll("input:checked")].map((input) => input.value);
    return valued(one, block, context, box, () => (type === "radio" ? ticked()[0] || "" : ticked()));
  };
}

const fixed = (one) => allOptions(one).map((option) => [option.value, option.text.text]);
const users = () => store.state.people.map((one) => [one.id, one.real_name]);
const channels = () => store.state.channels.filter((one) => !one.is_im).map((one) => [one.id, `#${one.name}`]);

const DRAWN = {
  button, overflow, workflow_button: button, icon_button: button,
  image: (one) => image(one),
  plain_text_input: typed("text"), email_text_input: typed("email"), url_text_input: typed("url"), number_input: typed("number"),
  datepicker: typed("date"), timepicker: typed("time"),
  static_select: select(fixed, (one) => one.initial_option?.value),
  multi_static_select: select(fixed, (one) => (one.initial_options || []).map((option) => option.value), true),
  users_select: select(users, (one) => one.initial_user), multi_users_select: select(users, (one) => one.initial_users || [], true),
  channels_select: select(channels, (one) => one.initial_channel), conversations_select: select(channels, (one) => one.initial_conversation),
  checkboxes: choices("checkbox"), radio_buttons: choices("radio"),
};

// Only images of this desk are loaded; of others the words are shown.
export function image(one, title) {
  const url = one.image_url || "";
  if (url.startsWith(location.origin) || url.startsWith("data:image/")) return h("img", { src: url, alt: one.alt_text });
  return h("span", { class: "picture" }, `🖼 ${title || one.alt_text}`, h("small", {}, url));
}
