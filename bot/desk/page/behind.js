// What is behind the app, as whoever started the desk tells it: what is in use, which boxes ran what, what was spent.

import { fileSize, h, redraw, sideways } from "./dom.js";
import { ask, clockText, shortDay, store } from "./store.js";

const told = (page) => ask("/behind", { page }).catch((error) => ({ problem: error.message }));
const when = (iso) => `${shortDay(new Date(iso))}, ${clockText(new Date(iso))}`;
const exact = (iso) => new Date(iso).toLocaleTimeString("en-GB");
const NUMBERS = ["how many", "requests to a model", "requests", "tokens", "paid", "read", "took", "how long"];
const heads = (...names) => h("thead", {}, h("tr", {}, names.map((one) => h("th", { scope: "col", class: NUMBERS.includes(one) ? "right" : "" }, one))));
// Numbers, money and sizes stand under each other; a moment does not break.
const side = (cell) => (/^[\d.,$]+( ?(B|[kM]B|s))?$/.test(cell) ? "right" : /^\w+ \d+ \w+, \d\d:\d\d$/.test(cell) ? "nowrap" : "");
const row = (cells, kind = "") => h("tr", { class: kind }, cells.map((cell) => h("td", { class: side(cell) }, cell)));

// The foot of the sidebar: that this is local, what is in use, and what leaves this computer by it.
export async function drawAbout(foot) {
  const { facts = [], problem } = await told("about");
  const leaves = facts.map((one) => one.leaves).filter(Boolean);
  const local = leaves.length ? `What leaves this computer: ${leaves.join("; ")}.` : problem ? "" : "Nothing you do here leaves this computer.";
  redraw(foot, h("p", {}, `A local stand-in for trying ${store.state.people.find((one) => one.is_bot).real_name}. It is not Slack. ${local}`),
    facts.length ? h("dl", {}, facts.map((one) => [h("dt", {}, one.what), h("dd", {}, one.is)])) : h("p", {}, problem));
}

// Boxes ----------------------------------------------------------------------------------------------------------

export async function drawBoxes(main) {
  const { boxes = [], note, problem } = await told("boxes");
  const table = h("table", { class: "ledger" }, heads("began", "what for", "box", "where", "how long", "how it ended"), h("tbody", {}, boxes.map(box)));
  redraw(main, h("section", { class: "page" }, h("p", {}, "What ran in which box. A box has no network, sees only its own folder, and is gone when its work is."),
    problem ? h("p", { class: "empty" }, problem) : boxes.length ? sideways(table) : h("p", { class: "empty" }, "No box was opened yet."), note && h("small", {}, note)));
}

function box(one) {
  const isBad = one.commands.some((command) => command.exit);
  const what = one.slot_at ? `${one.what}, slot ${when(one.slot_at)}` : one.what;
  return row([exact(one.began_at), what, h("code", { title: one.id }, one.id.slice(0, 8)), one.where, one.ended_at ? lasted(one) : "open", ends(one.commands)], isBad ? "bad" : "");
}

const lasted = (one) => `${((Date.parse(one.ended_at) - Date.parse(one.began_at)) / 1000).toFixed(1)} s`;
const ended = (command) => (command.exit === null ? "still runs" : command.exit < 0 ? "killed" : `exit ${command.exit}`);

// Many commands of one box stand together by how they ended; each one opens on request.
function ends(commands) {
  const counted = new Map();
  for (const one of commands) counted.set(ended(one), (counted.get(ended(one)) || 0) + 1);
  const words = [...counted].map(([how, count]) => (count > 1 ? `${how}, ${count} times` : how)).join("; ");
  if (!commands.length) return "no command";
  return h("details", {}, h("summary", {}, words), commands.map((one) => h("div", {}, h("code", {}, one.what), ` ${ended(one)}, ${one.seconds.toFixed(1)} s`)));
}

// What was spent ---------------------------------------------------------------------------------------------------

export async function spent() {
  const { lines = [], sums = [], says = [], problem } = await told("spent");
  if (problem) return [h("p", { class: "empty" }, problem)];
  if (!lines.length) return [h("p", {}, "Nothing ran on a schedule yet. From then on each slot stands here with what it asked of a model, and what that cost.")];
  const totals = h("table", { class: "ledger sums" }, heads("in all", "how many", "requests to a model", "tokens", "paid"),
    h("tbody", {}, sums.map((one) => row([one.what, one.count, one.requests, one.tokens.toLocaleString("en"), one.paid]))));
  const each = h("table", { class: "ledger" }, heads("when", "what", "how it went", "read", "took", "requests", "tokens", "paid"),
    h("tbody", {}, lines.map((one) => row([when(one.at), `${one.what}${one.routine ? `, ${one.routine}` : ""}`, one.how, one.what === "slot" ? fileSize(one.read_bytes) : "", one.what === "slot" ? `${one.seconds.toFixed(1)} s` : "", one.requests, one.tokens.toLocaleString("en"), one.paid]))));
  return [sideways(totals), says.map((one) => h("p", {}, one)), sideways(each)];
}
