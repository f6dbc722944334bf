// What the page knows, and how it asks the desk. One person looks at it: the one chosen at the top.

export const store = { state: null, person: sessionStorage.getItem("person") || "U0ALICE0001", skew_ms: 0, offset_s: 0, errors: {} };

export async function ask(path, query = {}) {
  return answered(await fetch(`/desk/api${path}?${new URLSearchParams(query)}`));
}

export async function send(path, body) {
  const order = { person: store.person, ...body };
  return answered(await fetch(`/desk/api${path}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order),
  }));
}

export async function post(channel, text, files, threadTs) {
  const form = new FormData();
  const fields = { person: store.person, channel, text, thread_ts: threadTs || "" };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const file of files) form.append("files", file, file.name);
  return answered(await fetch("/desk/api/messages", { method: "POST", body: form }));
}

async function answered(response) {
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error || response.statusText);
  return answer;
}

// Answers may overtake each other. `inTurn()` begins a question; what it returns says whether its answer is still news.
export function inTurn() {
  let asked = 0, answered = 0;
  return () => {
    const mine = ++asked;
    return () => { answered = Math.max(answered, mine); return answered === mine; };
  };
}

const loads = inTurn();

export async function load() {
  const isNews = loads();
  const state = await ask("/state");
  if (!isNews()) return;
  store.state = state;
  setClock(state.clock);
}

// The desk's clock only moves forward: an answer from before its last move says nothing new.
export function setClock(clock) {
  if (clock.offset_s < store.offset_s) return;
  store.offset_s = clock.offset_s;
  store.skew_ms = Date.parse(clock.now) - Date.now();
}

// Another desk may have come in the place of the one that was lost.
export function forgetClock() { store.offset_s = 0; }

export const now = () => new Date(Date.now() + store.skew_ms);
export const me = () => person(store.person);
export const person = (id) => store.state.people.find((one) => one.id === id);
export const channel = (id) => store.state.channels.find((one) => one.id === id);
export const bot = () => person(store.state.app.bot_user);

export function nameOf(id) {
  const one = person(id);
  return one ? one.real_name : id === "USLACKBOT" ? "Slackbot" : id;
}

// The wall clock of the person who looks; the desk's people live in Oslo.
export const zone = () => me()?.tz || "Europe/Oslo";
export const clockText = (date) => date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone() });
export const dayText = (date) => date.toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: zone() });
export const shortDay = (date) => date.toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: zone() });
export const dateOf = (ts) => new Date(Number(ts) * 1000);

// That wall clock as a field for date and time has it: 2026-12-07T07:00.
export const wallText = (date) => date.toLocaleString("sv-SE", { timeZone: zone(), dateStyle: "short", timeStyle: "short" }).replace(" ", "T");
