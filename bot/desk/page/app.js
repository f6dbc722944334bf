// The page: where one is, who one is, and what to redraw when the desk says that something changed.

import { Composer } from "./composer.js";
import { h, toast } from "./dom.js";
import { draw } from "./messages.js";
import { closeMenus, watchMenus } from "./overlays.js";
import { drawLedger, drawMail, unread } from "./pages.js";
import { ask, bot, channel, clockText, dayText, shortDay, load, me, now, send, setClock, store } from "./store.js";
import { moveClock, showStory, story } from "./story.js";
import { drawHome, refreshModals } from "./views.js";

const $ = (id) => document.getElementById(id);
const PAGES = { home: ["Standby: Home", drawHome], mail: ["Mail", (main) => drawMail(main, drawSide)], ledger: ["Ledger", drawLedger] };

const desk = {
  place: "", thread: "",
  go(place, thread = "") { location.hash = thread ? `${place}/${thread}` : place; },
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

function drawSide() {
  $("team").replaceChildren(h("b", {}, store.state.team.name), h("small", { class: store.state.connections ? "on" : "off" }, store.state.connections ? "Standby is connected" : "Standby is not connected"));
  const entry = (place, label, count) => h("a", { href: `#${place}`, class: "place", "aria-current": desk.place === place ? "page" : undefined }, label, count ? h("span", { class: "count" }, count) : null);
  const rooms = store.state.channels.filter((one) => !one.is_im && one.members.includes(store.person));
  const direct = store.state.channels.find((one) => one.is_im && one.members.includes(store.person));
  $("places").replaceChildren(h("h2", {}, "Channels"), ...rooms.map((one) => entry(one.id, `# ${one.name}${one.is_archived ? " (archived)" : ""}`)),
    h("h2", {}, "Standby"), entry(direct?.id || "@standby", "Direct message"), entry("home", "Home"),
    h("h2", {}, "Behind the scenes"), entry("mail", "Mail", unread()), entry("ledger", "Ledger"));
}

function drawTop() {
  const here = channel(desk.place);
  $("where").textContent = PAGES[desk.place]?.[0] || (here?.is_im ? "Direct message with Standby" : `# ${here?.name || ""}`);
  $("people").replaceChildren(...store.state.people.filter((one) => !one.is_bot).map((one) => h("button", {
    role: "radio", "aria-checked": String(one.id === store.person), class: `who a-${one.name}`, onclick: () => desk.become(one.id),
    title: one.is_stranger ? "A stranger: from another workspace" : one.name === "alice" ? "Asks for reports" : "A teammate",
  }, one.real_name)));
  const date = now();
  // Whoever is choosing another time keeps the field.
  if ($("clock").querySelector("details[open]")) return;
  $("clock").replaceChildren(h("time", {}, h("span", { class: "long" }, dayText(date)), h("span", { class: "short" }, shortDay(date)), `, ${clockText(date)}`), h("button", { onclick: () => moveClock().catch((error) => toast(error.message, "bad")) }, "Move to next Monday 07:00"), otherTime());
}

function otherTime() {
  const input = h("input", { type: "datetime-local", "aria-label": "Another time" });
  const move = () => { closeMenus(); return input.value && send("/clock", { to: new Date(input.value).toISOString() }).catch((error) => toast(error.message, "bad")); };
  return h("details", { class: "overflow" }, h("summary", { "aria-label": "Move to another time" }, "⋯"), h("div", { class: "entries" }, input, h("button", { onclick: move }, "Move there")));
}

let messageList = null, threadList = null, statusLine = null;

async function drawMain() {
  const page = PAGES[desk.place];
  if (page) return page[1]($("main"));
  const main = $("main");
  if (main.dataset.place !== desk.place || !messageList?.isConnected) {
    messageList = h("div", { class: "list", role: "log", "aria-label": "Messages", tabindex: 0 });
    main.replaceChildren(story(desk), messageList, desk.composer.element);
    main.dataset.place = desk.place;
    desk.composer.text.id = "write";
  }
  desk.composer.aim(desk.place);
  const { messages } = await ask("/messages", { channel: desk.place, person: store.person });
  const top = messages.filter((one) => !one.thread_ts || one.thread_ts === one.ts || one.subtype === "thread_broadcast");
  await showStory(desk, desk.place === desk.lab() ? messages : undefined);
  draw(messageList, top, { reply: (ts) => desk.go(desk.place, ts) });
}

async function drawThread() {
  const side = $("thread");
  side.hidden = !desk.thread || Boolean(PAGES[desk.place]);
  document.body.classList.toggle("with-thread", !side.hidden);
  if (side.hidden) return;
  if (side.dataset.thread !== desk.thread || !threadList?.isConnected) {
    threadList = h("div", { class: "list", role: "log", "aria-label": "Thread", tabindex: 0 });
    statusLine = h("div", { class: "status", role: "status" });
    side.replaceChildren(h("header", {}, h("h2", {}, "Thread"), h("button", { class: "plain", "aria-label": "Close thread", onclick: () => desk.go(desk.place) }, "×")), threadList, statusLine, desk.replies.element);
    side.dataset.thread = desk.thread;
  }
  desk.replies.aim(desk.place, desk.thread);
  const { messages } = await ask("/messages", { channel: desk.place, person: store.person, thread_ts: desk.thread });
  draw(threadList, messages, {});
  const status = store.state.statuses.find((one) => one.channel === desk.place && one.thread_ts === desk.thread);
  statusLine.textContent = status ? `${bot().real_name} ${status.status}` : "";
}

// A permalink (/archives/CHANNEL/pTS?thread_ts=ROOT) leads to its message's thread.
function fromPermalink() {
  const found = location.pathname.match(/^\/archives\/(\w+)\/p(\d+)(\d{6})$/);
  if (!found) return;
  const root = new URLSearchParams(location.search).get("thread_ts") || `${found[2]}.${found[3]}`;
  history.replaceState(null, "", `/#${found[1]}/${root}`);
}

// Moving about ------------------------------------------------------------------------------------------------

async function moved() {
  const [place, thread = ""] = decodeURIComponent(location.hash.slice(1)).split("/");
  if (place === "@standby") return openDirect();
  const known = PAGES[place] || channel(place)?.members.includes(store.person);
  const last = desk.place;
  [desk.place, desk.thread] = known ? [place, thread] : [desk.lab(), ""];
  document.body.classList.remove("menu-open");
  $("menu").setAttribute("aria-expanded", "false");
  if (desk.place === "home" && last !== "home") await send("/home", {});
  drawSide();
  drawTop();
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

async function redraw() {
  const parts = new Set(due);
  due.clear();
  timer = 0;
  if (parts.has("state")) { await load(); drawSide(); drawTop(); }
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
  ledger: () => { if (desk.place === "ledger") soon("main"); },
  clock: (change) => { setClock(change); drawTop(); soon("main"); },
  connections: () => soon("state"),
  reload: () => soon("state", "main", "thread", "modals"),
};

let stream = null;

function listen() {
  stream?.close();
  stream = new EventSource(`/desk/changes?person=${store.person}`);
  stream.onmessage = (event) => { const change = JSON.parse(event.data); HEARD[change.kind]?.(change); };
  stream.onopen = () => soon("state", "main", "thread", "modals");
}

await load();
if (!me()) store.person = store.state.people[0].id;
document.title = `${store.state.team.name}: desk`;
desk.composer = new Composer("Write to the channel", (message) => {
  // Standby answers in the thread, so that is where to look.
  if (message.text.includes(`<@${bot().id}>`)) desk.go(desk.place, message.ts);
});
desk.composer.changed = () => { if (!PAGES[desk.place]) showStory(desk); };
desk.replies = new Composer("Reply in the thread");
desk.composer.takeDropsOn($("main"));
desk.replies.takeDropsOn($("thread"));
$("menu").onclick = () => $("menu").setAttribute("aria-expanded", String(document.body.classList.toggle("menu-open")));
window.addEventListener("hashchange", moved);
watchMenus();
setInterval(drawTop, 15000);
fromPermalink();
await moved();
await refreshModals();
listen();
