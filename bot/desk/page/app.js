// The page: where one is, who one is, and what to redraw when the desk says that something changed.

import { drawAbout, drawBoxes } from "./behind.js";
import { Composer } from "./composer.js";
import { h, placeOf } from "./dom.js";
import { bring } from "./following.js";
import { watchKeys } from "./keys.js";
import { draw } from "./messages.js";
import { watchMenus } from "./overlays.js";
import { drawLedger, drawMail, unread } from "./pages.js";
import { drawSide, drawTop } from "./sides.js";
import { ask, bot, channel, forgetClock, inTurn, load, me, send, setClock, store } from "./store.js";
import { showStory, story } from "./story.js";
import { isFirstVisit, tour } from "./tour.js";
import { drawHome, refreshModals } from "./views.js";

const $ = (id) => document.getElementById(id);
const PAGES = { boxes: ["Boxes", drawBoxes], home: ["Standby: Home", drawHome], mail: ["Mail", (main) => drawMail(main, () => drawSide(desk, unread()))], ledger: ["Ledger", drawLedger] };

const desk = {
  place: "", thread: "",
  aim: "", // the message of the thread that somebody came for, until it was shown
  home: "", // whose Home tab is open
  writes: false, // somebody asked to reply in the thread that opens
  // To a place, a thread in it, and in that the message with this ts; also where one is there already.
  go(place, thread = "", ts = "") {
    const there = [place, thread, ts].filter(Boolean).join("/");
    if (location.hash.slice(1) === there) moved();
    else location.hash = there;
  },
  lab: () => store.state.channels.find((one) => one.name === "lab").id,
  async goToLab() { desk.go(desk.lab()); await moved(); },
  become(name) {
    store.person = store.state.people.find((one) => one.real_name === name || one.id === name).id;
    sessionStorage.setItem("person", store.person);
    listen();
    everything();
  },
};

// Drawing ---------------------------------------------------------------------------------------------------

function title() {
  const here = channel(desk.place);
  return PAGES[desk.place]?.[0] || (here?.is_im ? `Direct message with ${bot().real_name}` : `# ${here?.name || ""}`);
}

const turns = { main: inTurn(), thread: inTurn() };

// Begins to ask for a part of the page: what it returns says whether the answer is still wanted.
function turn(part) {
  const seenBy = () => [desk.place, desk.thread, store.person].join();
  const isNews = turns[part](), mark = seenBy();
  return () => isNews() && mark === seenBy();
}

let messageList = null, threadList = null, statusLine = null;

async function drawMain() {
  const main = $("main");
  const page = PAGES[desk.place];
  // Each page has a stage of its own: what comes late for a page that was left is drawn where nobody sees it.
  if (page && main.dataset.place !== desk.place) {
    main.replaceChildren(h("div", { class: "stage" }));
    main.dataset.place = desk.place;
  }
  if (page) return page[1](main.firstElementChild);
  if (main.dataset.place !== desk.place || !messageList?.isConnected) {
    messageList = h("div", { class: "list", role: "log", "aria-label": "Messages", tabindex: 0 });
    main.replaceChildren(story(desk), messageList, desk.composer.element);
    main.dataset.place = desk.place;
    desk.composer.text.id = "write";
  }
  const here = channel(desk.place);
  desk.composer.aim(here.is_im ? `Write to ${bot().real_name}` : `Write to #${here.name}`, desk.place);
  const [list, isWanted] = [messageList, turn("main")];
  const { messages } = await ask("/messages", { channel: desk.place, person: store.person });
  if (!isWanted() || !list.isConnected) return; // somebody went elsewhere, or a newer answer came
  const top = messages.filter((one) => !one.thread_ts || one.thread_ts === one.ts || one.subtype === "thread_broadcast");
  await showStory(desk, desk.place === desk.lab() ? messages : undefined);
  draw(list, top, { reply: (ts) => { desk.writes = true; desk.go(desk.place, ts); } });
}

// A thread opens at its newest, or at the message that somebody came for.
async function drawThread() {
  const side = $("thread");
  side.hidden = !desk.thread || Boolean(PAGES[desk.place]);
  document.body.classList.toggle("with-thread", !side.hidden);
  if (side.hidden) { side.replaceChildren(); return; }
  if (side.dataset.thread !== desk.thread || !threadList?.isConnected) {
    threadList = h("div", { class: "list", role: "log", "aria-label": "Thread", tabindex: 0 });
    statusLine = h("div", { class: "status", role: "status" });
    side.replaceChildren(h("header", {}, h("h2", {}, "Thread"), h("button", { class: "plain", "aria-label": "Close thread", title: "Close (Esc)", onclick: closeThread }, "×")), threadList, statusLine, desk.replies.element);
    side.dataset.thread = desk.thread;
  }
  desk.replies.aim("Reply in the thread", desk.place, desk.thread);
  const [list, isWanted] = [threadList, turn("thread")];
  const { messages } = await ask("/messages", { channel: desk.place, person: store.person, thread_ts: desk.thread });
  if (!isWanted() || !list.isConnected) return;
  draw(list, messages, {});
  const aim = desk.aim && [...list.children].find((one) => one.dataset.ts === desk.aim);
  if (aim) bring(list, aim);
  desk.aim = "";
  // Whoever asked to reply writes at once; on a phone that would call the keyboard up over what they came to read.
  if (desk.writes && matchMedia("(pointer: fine)").matches) desk.replies.text.focus();
  desk.writes = false;
  const status = store.state.statuses.find((one) => one.channel === desk.place && one.thread_ts === desk.thread);
  statusLine.textContent = status ? `${bot().real_name} ${status.status}` : "";
}

// The focus goes back to the message whose thread it was.
function closeThread() {
  const root = desk.thread;
  if (!root || PAGES[desk.place]) return;
  desk.go(desk.place);
  const message = messageList?.querySelector(`[data-ts="${CSS.escape(root)}"]`);
  (message?.querySelector(".replies") || message || $("write") || $("main")).focus({ preventScroll: true });
}

// Who comes by a permalink finds its message in its thread.
function fromPermalink() {
  if (placeOf(location.href)) history.replaceState(null, "", `/#${placeOf(location.href)}`);
}

// Moving about ------------------------------------------------------------------------------------------------

async function moved() {
  const [place, thread = "", ts = ""] = decodeURIComponent(location.hash.slice(1)).split("/");
  if (place === "@standby") return openDirect();
  const known = PAGES[place] || channel(place)?.members.includes(store.person);
  [desk.place, desk.thread] = known ? [place, thread] : [desk.lab(), ""];
  document.body.classList.remove("menu-open");
  $("menu").setAttribute("aria-expanded", "false");
  const home = desk.place === "home" ? store.person : "";
  if (home && home !== desk.home) await send("/home", {});
  desk.home = home;
  drawSide(desk, unread());
  drawTop(desk, title());
  desk.aim = ts;
  await Promise.all([drawMain(), drawThread()]);
}

// The first visit opens the direct message between this person and the bot.
async function openDirect() {
  await ask("/messages", { channel: "@standby", person: store.person });
  await load();
  desk.go(store.state.channels.find((one) => one.is_im && one.members.includes(store.person)).id);
}

async function everything() {
  await load();
  await moved();
  await refreshModals();
}

// A burst of changes makes one redraw.
const due = new Set();
let timer = 0;

function soon(...parts) {
  parts.forEach((part) => due.add(part));
  timer ||= setTimeout(redraw, 40);
}

// What passed is counted in hundreds while somebody works: a page of it is drawn once a second at most.
let waits = 0;

function later() {
  if (["ledger", "boxes"].includes(desk.place)) waits ||= setTimeout(() => { waits = 0; soon("main"); }, 1000);
}

async function redraw() {
  const parts = new Set(due);
  due.clear();
  timer = 0;
  if (parts.has("state")) { await load(); drawSide(desk, unread()); drawTop(desk, title()); }
  if (parts.has("main")) await drawMain();
  if (parts.has("thread")) await drawThread();
  if (parts.has("thread") && !PAGES[desk.place]) await showStory(desk);
  if (parts.has("modals")) await refreshModals();
}

const HEARD = {
  message: (change) => { if (change.channel === desk.place) soon("main", "thread"); if (!channel(change.channel)) soon("state"); },
  status: () => soon("state", "thread"),
  views: () => soon("modals"),
  home: () => { if (desk.place === "home") soon("main"); },
  mail: () => soon("state", ...(desk.place === "mail" ? ["main"] : [])),
  ledger: () => later(),
  clock: (change) => { setClock(change); drawTop(desk, title()); soon("main"); },
  connections: () => { soon("state"); drawAbout($("behind")); },
  reload: () => soon("state", "main", "thread", "modals"),
};

let stream = null;

function listen() {
  stream?.close();
  stream = new EventSource(`/desk/changes?person=${store.person}`);
  stream.onmessage = (event) => { const change = JSON.parse(event.data); HEARD[change.kind]?.(change); };
  stream.onopen = () => { forgetClock(); soon("state", "main", "thread", "modals"); };
}

await load();
if (!me()) store.person = store.state.people[0].id;
document.title = `${store.state.team.name}: desk`;
desk.composer = new Composer((message) => {
  // Standby answers in the thread, so that is where to look.
  if (message.text.includes(`<@${bot().id}>`) || channel(desk.place)?.is_im) desk.go(desk.place, message.ts);
});
desk.composer.changed = () => { if (!PAGES[desk.place]) showStory(desk); };
desk.replies = new Composer();
desk.composer.takeDropsOn($("main"));
desk.replies.takeDropsOn($("thread"));
$("menu").onclick = () => $("menu").setAttribute("aria-expanded", String(document.body.classList.toggle("menu-open")));
window.addEventListener("hashchange", moved);
watchMenus(closeThread);
watchKeys();
document.querySelector(".skip").onclick = (event) => { event.preventDefault(); (document.getElementById("write") || $("main")).focus(); };
setInterval(() => drawTop(desk, title()), 15000);
fromPermalink();
await moved();
await refreshModals();
listen();
drawAbout($("behind"));
if (isFirstVisit() && !document.querySelector("dialog[open]")) tour();
