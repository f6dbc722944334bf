// The story in five steps, one at a time, each with the button that does it.

import { h, toast } from "./dom.js";
import { ask, send } from "./store.js";

const AT = "story-step";

// The words of each step, and its buttons: label, what it does, and whether it leads to the next step.
const STEPS = [
  ["As Alice, ask for a weekly report. This fills the message box; then press Send.", [["Attach this week's 14 instrument logs", (desk) => attach(desk, "request"), true]]],
  ["Press Send and read the card in the thread. Alice asked, so somebody else approves: become Bob and press Approve. Of a long script, it is on the last page of Show all.", [["Become Bob", (desk) => desk.become("Bob"), false]]],
  ["Let the week pass. The report comes to the channel and by mail, and no model is asked.", [["Move to next Monday 07:00", moveClock, false], ["Open the mail", (desk) => desk.go("mail"), false]]],
  ["A firmware update makes spectro-07 write JSON. Alice posts next week's files, as every week.", [["Post next week's files", () => postSet("changed"), true], ["…or files with nothing new", () => postSet("quiet"), true]]],
  ["Let that week pass too. The run halts before the report, its thread says why and proposes a fix, and Bob approves it.", [["Move to next Monday 07:00", moveClock, false], ["Become Bob", (desk) => desk.become("Bob"), false]]],
  ["And a question that is asked only once: thirty files, one number each.", [["Attach 30 subsidiaries' books", (desk) => attach(desk, "books"), false]]],
];

export function story(desk) {
  const panel = h("section", { class: "story", "aria-label": "The story" });
  const show = (at) => {
    sessionStorage.setItem(AT, at);
    panel.replaceChildren(...(at < 0 ? folded(show) : opened(desk, at, show)));
  };
  show(Number(sessionStorage.getItem(AT) || 0));
  return panel;
}

const folded = (show) => [h("button", { class: "plain", onclick: () => show(0) }, "Show the story's steps")];

function opened(desk, at, show) {
  const [words, actions] = STEPS[at];
  const buttons = actions.map(([label, run, leadsOn]) => h("button", { class: "step", onclick: (event) => once(event.currentTarget, async () => { await run(desk); if (leadsOn) show(at + 1); }) }, label));
  const turn = (label, to, name) => h("button", { class: "plain", "aria-label": name, disabled: to < 0 || to >= STEPS.length, onclick: () => show(to) }, label);
  return [h("div", { class: "grow" }, h("small", {}, at < 5 ? `The story, step ${at + 1} of 5` : "After the story"), h("div", {}, words), h("div", { class: "row" }, buttons)),
    h("div", { class: "row turn" }, turn("‹", at - 1, "Step before"), turn("›", at + 1, "Next step"), h("button", { class: "plain", "aria-label": "Hide the story", onclick: () => show(-1) }, "×"))];
}

async function once(control, run) {
  control.disabled = true;
  try { await run(); } catch (error) { toast(error.message, "bad"); } finally { control.disabled = false; }
}

async function attach(desk, name) {
  desk.become("Alice");
  await desk.goToLab();
  const set = await ask("/story", { set: name });
  const files = await Promise.all(set.files.map(async (file) => new File([await (await fetch(`/desk/api/story/${name}/${encodeURIComponent(file)}`)).blob()], file)));
  desk.composer.prepare(set.text, files);
}

async function postSet(name) {
  await send("/story", { person: "Alice", channel: "#lab", set: name });
  toast("Alice posted the files in #lab.");
}

export async function moveClock() {
  const clock = await send("/clock", { weekday: "monday", at: "07:00", zone: "Europe/Oslo" });
  toast(`It is now ${new Date(clock.now).toLocaleString("en-GB", { timeZone: "Europe/Oslo", dateStyle: "full", timeStyle: "short" })} in Oslo.`);
}
