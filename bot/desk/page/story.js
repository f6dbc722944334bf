// The story in the README's ten steps, one at a time, over the messages.

import { h, redraw, toast } from "./dom.js";
import { AFTER, STEPS, current, facts } from "./steps.js";
import { ask, bot, me, now, send, store } from "./store.js";

const FOLDED = "story-folded";
const REACHED = "story-reached";
const WEEK = "First moves the desk's clock to Sunday 20:00, when Alice posts the week's 14 files in #lab; then to Monday 07:00.";
const NEXT_FILES = "First moves the desk's clock to Sunday 20:00, when that week lies behind; then Alice posts its 14 files in #lab.";

let panel = null, seen = [];

export function story(desk) {
  panel ||= h("section", { class: "story", "aria-label": "The story" });
  showStory(desk);
  return panel;
}

// Draws the step at which the story is; `messages` are those of #lab, where they are at hand.
export async function showStory(desk, messages) {
  seen = messages || (await ask("/messages", { channel: desk.lab(), person: store.person })).messages;
  const is = facts(seen, bot().id);
  const before = reached(is);
  const step = current(is, { now: now().getTime() / 1000, person: store.person, reached: before, isReady: desk.composer.files.length > 0 });
  const at = onward(step, is, before);
  const offered = step.does.map((name) => DOES[name](desk, is, step)).filter(([, , , isDone]) => !isDone);
  const mark = JSON.stringify([at, step.title, step.words, offered.map(([label]) => label), step.about?.ts, isFolded()]);
  if (!panel || panel.dataset.mark === mark) return;
  panel.dataset.mark = mark;
  const fold = () => { sessionStorage.setItem(FOLDED, isFolded() ? "no" : "yes"); showStory(desk, seen); };
  const head = h("button", { class: "plain story-head", "data-place": "story", "aria-expanded": String(!isFolded()), title: isFolded() ? "Show this step" : "Hide this step", onclick: fold },
    h("small", {}, at < AFTER ? `The story, step ${at} of ${STEPS}` : "After the story"), h("b", {}, step.title), h("span", { class: "turn", "aria-hidden": "true" }, isFolded() ? "▸" : "▾"));
  redraw(panel, head, ...(isFolded() ? [] : [h("div", {}, step.words), h("div", { class: "row" }, offered.map(button))]));
}

// How far this request's story came, in this tab.
function reached(is) {
  const before = JSON.parse(sessionStorage.getItem(REACHED) || "{}");
  return before.request === is.request?.ts ? before.at : 0;
}

// The story only goes on: what takes a moment (a card replaced by the next) must not look like an earlier step. It is over
// once the weeks go on after its end.
function onward(step, is, before) {
  const at = before >= STEPS && step.at < STEPS ? AFTER : Math.max(step.at, before);
  sessionStorage.setItem(REACHED, JSON.stringify({ request: is.request?.ts, at }));
  return at;
}

// A phone has no room for it until it is asked for.
const isFolded = () => (sessionStorage.getItem(FOLDED) || (matchMedia("(max-width: 760px)").matches ? "yes" : "no")) === "yes";

// What can be done at a step, by name: the label, the deed, a title, and whether it is done already.
const DOES = {
  attach: (desk) => ["Attach this week's 14 instrument logs", () => prepare(desk, "request")],
  books: (desk) => ["Attach 30 subsidiaries' books", () => prepare(desk, "books")],
  thread: (desk, is, step) => {
    const isOpen = desk.place === desk.lab() && desk.thread === is.request.ts;
    const what = step.about === is.card ? "the card" : "it";
    return [isOpen ? `Show ${what} in the thread` : "Open the thread", () => desk.go(desk.lab(), is.request.ts, step.about?.ts), "", isOpen && !step.about];
  },
  alice: (desk) => become(desk, "Alice"),
  bob: (desk) => become(desk, "Bob"),
  week: (desk) => ["Let the week pass", () => postSet(desk, "quiet").then(moveClock), WEEK],
  monday: () => ["Move to next Monday 07:00", moveClock],
  mail: (desk) => ["Open the mail", () => desk.go("mail")],
  next: (desk) => ["Post next week's files", () => postSet(desk, "changed"), NEXT_FILES],
  quiet: (desk) => ["…or files with nothing new", () => postSet(desk, "quiet"), NEXT_FILES],
};

const become = (desk, name) => [`Become ${name}`, () => desk.become(name), "", me().real_name === name];

function button([label, run, title]) {
  return h("button", { class: "step", "data-place": `step ${label}`, title: title || undefined, onclick: (event) => once(event.currentTarget, run) }, label);
}

async function once(control, run) {
  if (control.ariaDisabled === "true") return;
  control.ariaDisabled = "true";
  try { await run(); } catch (error) { toast(error.message, "bad"); } finally { control.ariaDisabled = null; }
}

async function prepare(desk, name) {
  desk.become("Alice");
  await desk.goToLab();
  const set = await ask("/story", { set: name });
  const files = await Promise.all(set.files.map(async (file) => new File([await (await fetch(`/desk/api/story/${name}/${encodeURIComponent(file)}`)).blob()], file)));
  desk.composer.prepare(set.text, files);
}

async function postSet(desk, name) {
  await send("/story", { person: "Alice", channel: "#lab", set: name, on_sunday: true });
  desk.go(desk.lab(), desk.thread);
  toast("It is Sunday evening, and Alice posted the week's files in #lab.");
}

export async function moveClock() {
  const clock = await send("/clock", { weekday: "monday", at: "07:00", zone: "Europe/Oslo" });
  toast(`It is now ${new Date(clock.now).toLocaleString("en-GB", { timeZone: "Europe/Oslo", dateStyle: "full", timeStyle: "short" })} in Oslo.`);
}
