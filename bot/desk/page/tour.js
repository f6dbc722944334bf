// The first visit's tour: what happens in the story, each beside the part of the page where it happens. Closed once, it does
// not come again by itself.

import { h } from "./dom.js";

const SEEN = "tour-seen";
const STOPS = [
  { at: "#main .composer", title: "Somebody asks", words: "You are Alice. “Every Monday compile last week's instrument logs into an error summary” goes into #lab, with the files. One button fills it all in; Standby looks at a small sample and finds, or writes, a script." },
  { at: "#people", title: "A teammate approves", words: "Standby posts a card with the whole plan: what it reads, whom it reaches, what it checks, every byte that will run. Alice asked, so she cannot approve it. Here you become Bob, who can." },
  { at: "#clock", title: "Mondays run by themselves", words: "Here you move the clock to next Monday 07:00. The script runs in a sealed box, the report comes to #lab and to Mail, and no model is asked anything." },
  { at: ".story", title: "One Monday the data is odd", words: "The story's box always says what comes next. It posts next week's files, in which one instrument writes JSON: the run halts before the report, says why, and proposes a fix, which again Bob approves." },
  { at: "#behind", title: "Look behind the scenes", words: "Mail holds what was e-mailed. Boxes shows what ran where, and the Ledger what it cost: quiet Mondays cost nothing. The foot of the sidebar says what is in use, and what leaves this computer." },
];

export const isFirstVisit = () => !localStorage.getItem(SEEN);

// Shows the tour from its beginning; resolves when it is closed.
export function tour() {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "tour", "aria-labelledby": "tour-title", onclose: () => ended(dialog, resolve), onkeydown: (event) => turned(event, dialog) });
    document.body.append(dialog);
    show(dialog, 0);
    dialog.showModal();
    dialog.querySelector(".primary").focus();
  });
}

function ended(dialog, resolve) {
  localStorage.setItem(SEEN, "yes");
  mark(null);
  dialog.remove();
  resolve();
}

function turned(event, dialog) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const to = Number(dialog.dataset.stop) + by;
  if (!by || !STOPS[to]) return;
  event.preventDefault();
  show(dialog, to);
  dialog.querySelector(".primary").focus();
}

function show(dialog, number) {
  const stop = STOPS[number], isLast = number === STOPS.length - 1;
  const turn = (to) => () => { show(dialog, to); dialog.querySelector(".primary").focus(); };
  dialog.dataset.stop = number;
  dialog.replaceChildren(
    h("small", {}, `A look around, ${number + 1} of ${STOPS.length}`),
    h("h2", { id: "tour-title" }, stop.title), h("p", {}, stop.words),
    h("div", { class: "row" }, h("button", { class: "plain", onclick: () => dialog.close() }, "Close the tour"), h("span", { class: "grow" }),
      number > 0 && h("button", { onclick: turn(number - 1) }, "Back"),
      h("button", { class: "primary", onclick: isLast ? () => dialog.close() : turn(number + 1) }, isLast ? "Begin" : "Next")));
  mark(document.querySelector(stop.at));
}

function mark(part) {
  for (const one of document.querySelectorAll(".toured")) one.classList.remove("toured");
  part?.classList.add("toured");
}
