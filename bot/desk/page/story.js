// The story in five steps, each with the button that does it.

import { h, toast } from "./dom.js";
import { ask, send } from "./store.js";

const OPEN = "story-open";

export function story(desk) {
  const step = (words, ...buttons) => h("li", {}, words, h("div", { class: "row" }, buttons));
  const button = (label, run) => h("button", { onclick: (event) => once(event.currentTarget, run) }, label);
  const panel = h("details", { class: "story", open: sessionStorage.getItem(OPEN) !== "no", ontoggle: () => sessionStorage.setItem(OPEN, panel.open ? "yes" : "no") },
    h("summary", {}, "The story, in five steps"),
    h("ol", {},
      step("As Alice, ask for a weekly report. The message box is filled; press Send.", button("Attach this week's 14 instrument logs", () => attach(desk, "request"))),
      step("Read the card in the thread. Alice asked, so somebody else approves: become Bob and press Approve.", button("Become Bob", () => desk.become("Bob"))),
      step("Let the week pass. The report comes to the channel and by mail, with no model asked.", button("Move to next Monday 07:00", moveClock), button("Open the mail", () => desk.go("mail"))),
      step("A firmware update makes spectro-07 write JSON. Alice posts next week's files, as every week.", button("Post next week's files", () => postSet("changed")), button("…or files with nothing new", () => postSet("quiet"))),
      step("Let that week pass too. The run halts before the report, the thread says why, and a fix is proposed. Bob approves it.", button("Move to next Monday 07:00", moveClock), button("Become Bob", () => desk.become("Bob")))),
    h("p", {}, "And a one-off question: ", button("Attach 30 subsidiaries' books", () => attach(desk, "books"))));
  return panel;
}

async function once(control, run) {
  control.disabled = true;
  try { await run(); } catch (error) { toast(error.message, "bad"); } finally { control.disabled = false; }
}

async function attach(desk, name) {
  desk.become("Alice");
  await desk.goToLab();
  const { sets } = await ask("/story");
  const files = await Promise.all(sets[name].files.map(async (file) => new File([await (await fetch(`/desk/api/story/${name}/${encodeURIComponent(file)}`)).blob()], file)));
  desk.composer.prepare(sets[name].text, files);
}

async function postSet(name) {
  await send("/story", { person: "Alice", channel: "#lab", set: name });
  toast("Alice posted the files in #lab.");
}

export async function moveClock() {
  const clock = await send("/clock", { weekday: "monday", at: "07:00", zone: "Europe/Oslo" });
  toast(`It is now ${new Date(clock.now).toLocaleString("en-GB", { timeZone: "Europe/Oslo", dateStyle: "full", timeStyle: "short" })} in Oslo.`);
}
