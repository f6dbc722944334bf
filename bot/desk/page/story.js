// The story in the README's ten steps. Where it stands is read off #lab, so it follows whatever people do.

import { h, toast } from "./dom.js";
import { ask, bot, me, now, send, store } from "./store.js";

const FOLDED = "story-folded";
const STEPS = 10;
const AFTER = STEPS + 1;
const REACHED = "story-reached";
const MONDAY = "Move to next Monday 07:00";
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
  const is = facts(seen);
  const step = onward(current(desk, is), is.request?.ts || "");
  const mark = JSON.stringify([step.at, step.title, step.words, step.actions.map(([label]) => label), isFolded()]);
  if (!panel || panel.dataset.mark === mark) return;
  panel.dataset.mark = mark;
  const fold = () => { sessionStorage.setItem(FOLDED, isFolded() ? "no" : "yes"); showStory(desk, seen); };
  const head = h("button", { class: "plain story-head", "aria-expanded": String(!isFolded()), title: isFolded() ? "Show this step" : "Hide this step", onclick: fold },
    h("small", {}, step.at ? `The story, step ${step.at} of ${STEPS}` : "After the story"), h("b", {}, step.title), h("span", { class: "turn", "aria-hidden": "true" }, isFolded() ? "▸" : "▾"));
  panel.replaceChildren(head, ...(isFolded() ? [] : [h("div", {}, step.words), h("div", { class: "row" }, step.actions.map(button))]));
}

// The story only goes on: what takes a moment (a card replaced by the next) must not look like an earlier step.
function onward(step, request) {
  const at = step.at || AFTER;
  const before = JSON.parse(sessionStorage.getItem(REACHED) || "{}");
  const reached = before.request === request && before.at > at ? before.at : at;
  sessionStorage.setItem(REACHED, JSON.stringify({ request, at: reached }));
  return { ...step, at: reached === AFTER ? 0 : reached };
}

// A phone has no room for it until it is asked for.
const isFolded = () => (sessionStorage.getItem(FOLDED) || (matchMedia("(max-width: 760px)").matches ? "yes" : "no")) === "yes";

// What happened ------------------------------------------------------------------------------------------------

const hasButton = (message, label) => (message.blocks || []).some((block) => (block.elements || []).some((one) => one.type === "button" && one.text?.text === label));
const isBot = (message) => message.user === bot().id;
const keyOf = (message) => message.metadata?.event_payload?.key || "";
const last = (list, fits) => list.filter(fits).at(-1);
const tsOf = (message) => Number(message?.edited?.ts || message?.ts || 0);

function facts(messages) {
  const roots = messages.filter((one) => !isBot(one) && (!one.thread_ts || one.thread_ts === one.ts) && one.files?.length);
  const request = last(roots, (one) => one.text.includes(`<@${bot().id}>`) && /\bevery\b/i.test(one.text));
  if (!request) return {};
  const thread = messages.filter((one) => one.thread_ts === request.ts && isBot(one));
  const cards = thread.filter((one) => keyOf(one).startsWith("card:"));
  return {
    request, question: last(thread, (one) => hasButton(one, "Answer")), card: last(cards, (one) => hasButton(one, "Reject")),
    isDecided: cards.length > 0, approved: last(cards, (one) => /: Approved/.test(one.text)),
    report: last(thread, (one) => keyOf(one).startsWith("delivery:") && one.subtype === "thread_broadcast"),
    halted: last(thread, (one) => /^Halted/.test(one.text)),
    posted: last(roots, (one) => one.ts > request.ts && !one.text.includes(`<@${bot().id}>`)),
  };
}

// Monday 05:00 UTC is 07:00 in summer and 06:00 in winter: between them nothing else is due.
const weekOf = (seconds) => Math.floor((seconds - (4 * 24 + 5) * 3600) / (7 * 86400));
const mondayPassed = (since) => weekOf(now().getTime() / 1000) > weekOf(since);

// The steps ------------------------------------------------------------------------------------------------------

function current(desk, is) {
  const step = (at, title, words, ...actions) => ({ at, title, words, actions });
  const thread = ["Open the thread", () => desk.go(desk.lab(), is.request.ts), desk.thread === is.request?.ts && desk.place === desk.lab()];
  const become = (name) => [`Become ${name}`, () => desk.become(name), me().real_name === name];
  const attach = ["Attach this week's 14 instrument logs", () => prepare(desk, "request")];
  const monday = [MONDAY, moveClock];
  const mail = ["Open the mail", () => desk.go("mail")];
  const next = ["Post next week's files", () => postSet(desk, "changed"), false, NEXT_FILES];
  const quiet = ["…or files with nothing new", () => postSet(desk, "quiet"), false, NEXT_FILES];
  const isLate = is.halted && tsOf(is.halted) > tsOf(is.report);
  if (!is.request && desk.composer.files.length) return step(1, "Press Send", "The message box holds the request and its files. Press Send below, as Alice.");
  if (!is.request) return step(1, "Ask for a weekly report", "You are Alice. The button fills the message box with the request and its files; then press Send.", attach);
  if (is.question) return step(2, "Press Answer in the thread", "Standby asks who is on the lab list. Press Answer in its message, as Alice: any addresses do, mails stay on this computer.", thread, become("Alice"));
  if (is.card && is.halted) return step(8, "Read the fix, then approve it as Bob", "A new version is proposed: the same script with another reader for that file, as a diff, rehearsed on the files that halted. Become Bob and press Approve on the card, or where the card has none, Show all: Approve stands on the last page.", thread, become("Bob"));
  if (is.card) return step(4, "Read the card, then approve it as Bob", "The card in the thread says what was asked, whom it reaches and what it checks. Alice cannot approve it: she asked. Become Bob and press Show all; Approve stands on the last page (on the card itself where all of the plan fits there).", thread, become("Bob"));
  if (!is.approved && is.isDecided) return step(1, "Not approved", "This plan was turned down. Say in the thread what should change, or ask again.", thread, attach);
  if (!is.approved) return step(2, "Standby is at work", "Its steps show in the thread. It asks if something is unclear; then a card comes.", thread);
  if (isLate && tsOf(is.approved) > tsOf(is.halted)) return step(9, "The halted Monday runs again", "Bob approved. The report comes in a moment.", thread);
  if (isLate) return step(7, "Halted before the report", "Nothing was delivered. The thread says which check failed; Standby looks for a fix and proposes it there.", thread);
  const isPosted = is.posted && is.posted.ts > (is.report?.ts || is.approved.ts);
  const waitsSince = isPosted ? Number(is.posted.ts) : is.report ? Infinity : tsOf(is.approved);
  if (is.report && is.halted && !isPosted) return step(0, "The report is delivered", "In the channel and in Mail. The weeks go on like this. A question may also be asked only once: thirty files, one number each.", mail, next, quiet, ["Attach 30 subsidiaries' books", () => prepare(desk, "books")]);
  if (mondayPassed(waitsSince)) return step(isPosted ? 7 : 5, "It is Monday: the run is under way", "What comes of it appears in the channel in a moment.", thread);
  if (isPosted) return step(7, "Let that week pass too", "One of the new files may be written otherwise than before. See what Standby makes of it.", monday);
  if (is.report) return step(6, "Post next week's files", "The report is in the channel and in Mail; no model was asked. Now a firmware update makes spectro-07 write JSON, and Alice posts the week's files as always.", mail, next, quiet);
  return step(5, "Let the week pass", "Approved. The report comes to the channel and to Mail, and no model is asked.", monday);
}

function button([label, run, isDone, title]) {
  return isDone ? null : h("button", { class: "step", title, onclick: (event) => once(event.currentTarget, run) }, label);
}

async function once(control, run) {
  control.disabled = true;
  try { await run(); } catch (error) { toast(error.message, "bad"); } finally { control.disabled = false; }
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
