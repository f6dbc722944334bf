// The sidebar and the bar on top: where one can go, which person one is, and what time it is.

import { h, redraw, toast } from "./dom.js";
import { closeMenus } from "./overlays.js";
import { clockText, dayText, now, send, shortDay, store, wallText, zone } from "./store.js";
import { moveClock } from "./story.js";

const $ = (id) => document.getElementById(id);

export function drawSide(desk, mails) {
  $("team").replaceChildren(h("b", {}, store.state.team.name), h("small", { class: store.state.connections ? "on" : "off" }, store.state.connections ? "Standby is connected" : "Standby is not connected"));
  const entry = (place, label, count) => h("a", { href: `#${place}`, class: "place", "data-place": `place ${place}`, "aria-current": desk.place === place ? "page" : undefined }, label, count ? h("span", { class: "count" }, count) : null);
  const rooms = store.state.channels.filter((one) => !one.is_im && one.members.includes(store.person));
  const direct = store.state.channels.find((one) => one.is_im && one.members.includes(store.person));
  redraw($("places"), h("h2", {}, "Channels"), ...rooms.map((one) => entry(one.id, `# ${one.name}${one.is_archived ? " (archived)" : ""}`)),
    h("h2", {}, "Standby"), entry(direct?.id || "@standby", "Direct message"), entry("home", "Home"),
    h("h2", {}, "Behind the scenes"), entry("mail", "Mail", mails), entry("boxes", "Boxes"), entry("ledger", "Ledger"));
}

// `title` says where one is.
export function drawTop(desk, title) {
  $("where").textContent = title;
  redraw($("people"), store.state.people.filter((one) => !one.is_bot).map((one) => h("button", {
    role: "radio", "aria-checked": String(one.id === store.person), tabindex: one.id === store.person ? 0 : -1, "data-place": `person ${one.id}`, class: `who a-${one.name}`, onclick: () => desk.become(one.id),
    title: one.is_stranger ? "A stranger: from another workspace" : one.name === "alice" ? "Asks for reports" : "A teammate",
  }, one.real_name)));
  const date = now();
  // Whoever is choosing another time keeps the field.
  if ($("clock").querySelector("details[open]")) return;
  redraw($("clock"), h("time", {}, h("span", { class: "long" }, dayText(date)), h("span", { class: "short" }, shortDay(date)), `, ${clockText(date)}`), h("button", { "data-place": "monday", onclick: () => moveClock().catch((error) => toast(error.message, "bad")) }, "Move to next Monday 07:00"), otherTime());
}

function otherTime() {
  const input = h("input", { type: "datetime-local", "aria-label": `Another time, in ${zone()}`, value: wallText(now()), min: wallText(now()) });
  const move = () => { closeMenus(); return input.value && send("/clock", { to: input.value, zone: zone() }).catch((error) => toast(error.message, "bad")); };
  return h("details", { class: "overflow" }, h("summary", { "data-place": "another time", "aria-label": "Move to another time" }, "⋯"), h("div", { class: "entries" }, input, h("button", { onclick: move }, "Move there")));
}
