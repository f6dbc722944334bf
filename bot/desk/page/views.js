// Modals and the Home tab.

import { blocks } from "./blocks.js";
import { h, redraw, sameIn } from "./dom.js";
import { told } from "./messages.js";
import { closeMenus, giveBackFocus } from "./overlays.js";
import { ask, me, send } from "./store.js";

let dialog = null;
let shown = "";
// What was entered, by view: an update of the view keeps it where block and action stayed the same.
const entered = new Map();

export async function refreshModals() {
  const { views } = await ask("/views", { person: me().id });
  const top = views.at(-1);
  const mark = top ? `${top.id} ${top.hash}` : "";
  if (mark !== shown) show(top, {});
}

function show(view, errors) {
  const wasOpen = Boolean(dialog);
  const had = dialog?.contains(document.activeElement) && document.activeElement;
  dialog?.close();
  dialog?.remove();
  dialog = null;
  shown = view ? `${view.id} ${view.hash}` : "";
  if (!view) { if (wasOpen) giveBackFocus(); return; }
  closeMenus();
  if (!entered.has(view.id)) entered.set(view.id, {});
  const values = entered.get(view.id);
  const context = { values, errors, act: (name, choice) => told(send("/press", { view_id: view.id, name, choice, values: known(view, values) })) };
  const submit = view.submit && h("button", { class: "primary", onclick: (event) => submitted(event, view, values) }, view.submit.text);
  const close = () => closed(view);
  // Enter sends a form from any field of one line.
  const key = (event) => { if (event.key === "Enter" && submit && !event.isComposing && event.target.matches("input:not([type=checkbox], [type=radio])")) { event.preventDefault(); event.target.dispatchEvent(new Event("change")); submit.click(); } };
  dialog = h("dialog", { class: "modal", "aria-label": view.title.text, onkeydown: key, oncancel: (event) => { event.preventDefault(); close(); } },
    h("header", {}, h("h2", {}, view.title.text), h("button", { class: "plain", "aria-label": "Close", onclick: close }, "×")),
    h("div", { class: "inside", tabindex: -1 }, blocks(view.blocks, context)),
    h("footer", { class: "row end" }, h("button", { onclick: close }, view.close?.text || "Close"), submit));
  document.body.append(dialog);
  dialog.showModal();
  const first = Object.keys(errors)[0] && dialog.querySelector(".error")?.closest(".input")?.querySelector("input, textarea, select");
  const same = had && sameIn(dialog, had);
  (first || same || dialog.querySelector(".inside :is(input, textarea, select)") || dialog.querySelector(".inside")).focus({ preventScroll: Boolean(same) });
}

// Only what this view still has fields for.
function known(view, values) {
  const ids = new Set(view.blocks.flatMap((block) => [block.element, block.accessory, ...(block.elements || [])].filter(Boolean).map((one) => `${block.block_id}.${one.action_id}`)));
  return Object.fromEntries(Object.entries(values).filter(([name]) => ids.has(name)));
}

async function submitted(event, view, values) {
  event.currentTarget.disabled = true;
  const outcome = await told(send("/views/submit", { view_id: view.id, values: known(view, values) }));
  if (Object.keys(outcome.errors || {}).length || outcome.problem) show(view, outcome.errors || {});
  else { entered.delete(view.id); await refreshModals(); }
}

async function closed(view) {
  entered.delete(view.id);
  await told(send("/views/close", { view_id: view.id }));
  await refreshModals();
}

// The Home tab of whoever looks.
export async function drawHome(main) {
  const { home } = await ask("/views", { person: me().id });
  const context = home && { values: {}, act: (name, choice) => told(send("/press", { view_id: home.id, name, choice, values: {} })) };
  const inside = home ? blocks(home.blocks, context) : h("p", { class: "empty" }, "Standby has not filled this tab yet. It does so when it is connected.");
  redraw(main, h("section", { class: "page" }, inside));
}
