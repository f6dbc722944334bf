// Where the story stands, read off what was said in #lab, so that it follows whatever people do. Nothing here draws.

export const STEPS = 10;
export const AFTER = STEPS + 1;

// One of the story's files: whatever words people ask with, a request that has it is the story's.
const MARK = "spectro-07.log";
const RECURS = /\b(every|each|weekly|daily|(mon|tues|wednes|thurs|fri)days?)\b/i;

const hasButton = (message, label) => (message.blocks || []).some((block) => (block.elements || []).some((one) => one.type === "button" && one.text?.text === label));
const keyOf = (message) => message.metadata?.event_payload?.key || "";
const last = (list, fits = () => true) => list.filter(fits).at(-1);
const isRoot = (message) => !message.thread_ts || message.thread_ts === message.ts;
const hasLogs = (message) => (message.files || []).some((file) => file.name === MARK);

// When a message last changed, in seconds.
export const tsOf = (message) => Number(message?.edited?.ts || message?.ts || 0);

// What happened so far: the story's request and the messages that its steps turn on, each undefined where it did not come.
export function facts(messages, bot) {
  const isBot = (message) => message.user === bot;
  const asks = (message) => message.text?.includes(`<@${bot}>`);
  const roots = messages.filter((one) => !isBot(one) && isRoot(one) && hasLogs(one));
  const told = roots.filter((one) => asks(one) && RECURS.test(one.text)).map((request) => of(request, messages.filter((one) => one.thread_ts === request.ts && isBot(one))));
  // A plan that a teammate approved lives on, whatever is asked besides it.
  const is = last(told, (one) => one.approved) || last(told);
  return is ? { ...is, posted: last(roots, (one) => one.ts > is.request.ts && !asks(one)) } : {};
}

function of(request, thread) {
  const cards = thread.filter((one) => keyOf(one).startsWith("card:"));
  const decided = (word) => last(cards, (one) => one.text.includes(`: ${word}`));
  return {
    request, cards: cards.length, question: last(thread, (one) => hasButton(one, "Answer")),
    card: last(cards, (one) => hasButton(one, "Reject")), approved: decided("Approved"), rejected: decided("Rejected"),
    report: last(thread, (one) => keyOf(one).startsWith("delivery:") && one.subtype === "thread_broadcast"),
    halted: last(thread, (one) => /^Halted/.test(one.text)),
  };
}

// Monday 05:00 UTC is 07:00 in summer and 06:00 in winter: between them nothing else is due.
const weekOf = (seconds) => Math.floor((seconds - (4 * 24 + 5) * 3600) / (7 * 86400));

// The step at which the story is: its number (0 after the end), title, words, the message it is about, and what can be done, by
// name. `now` is in seconds; `person` an id; `reached` the highest number so far; `isReady` whether the request waits to be sent.
export function current(is, { now, person, reached, isReady }) {
  const step = (at, title, words, does = [], about = null) => ({ at, title, words, does, about });
  if (!is.request && isReady) return step(1, "Press Send", "The message box holds the request and its files. Press Send below, as Alice.");
  if (!is.request) return step(1, "Ask for a weekly report", "You are Alice. The button fills the message box with the request and its files; then press Send.", ["attach"]);
  if (is.question && !is.card) return step(2, "Press Answer in the thread", `Standby asks ${/lab list/.test(JSON.stringify(is.question)) ? "who is on the lab list" : "before it begins"}. Press Answer in its message, as Alice: any addresses do, mails stay on this computer.`, ["thread", "alice"], is.question);
  if (is.card) return toDecide(is, step, person === is.request.user && reached < 4);
  if (!is.approved) return undecided(is, step);
  return running(is, step, now);
}

function toDecide(is, step, isNew) {
  if (is.halted) return step(8, "Read the fix, then approve it as Bob", "A new version is proposed: the same script with another reader for that file, as a diff, rehearsed on the files that halted. Become Bob and press Approve on the card, or where the card has none, Show all: Approve stands on the last page.", ["thread", "bob"], is.card);
  if (isNew) return step(3, "Read the card", "It says what was asked, whom it reaches and what it checks; Show all turns the pages with every byte that will run. Whoever asked never approves: pressed as Alice, Approve is refused in words, or is not there. When you have read the card, become Bob, a teammate.", ["thread", "bob"], is.card);
  return step(4, "Approve it as Bob", "Bob is a teammate, and did not ask for it. As Bob, press Approve on the same card; where a card has none, press Show all: Approve stands on the last page.", ["thread", "bob"], is.card);
}

function undecided(is, step) {
  if (is.rejected) return step(4, "Not approved", "This plan was turned down. Say in the thread what should change, or ask again.", ["thread", "attach"], is.rejected);
  return step(2, "Standby is at work", "Its steps show in the thread. It asks if something is unclear; then a card comes.", ["thread"]);
}

function running(is, step, now) {
  const isLate = is.halted && tsOf(is.halted) > tsOf(is.report);
  const isPosted = is.posted && is.posted.ts > (is.report?.ts || is.approved.ts);
  if (isLate && tsOf(is.approved) > tsOf(is.halted)) return step(9, "The halted Monday runs again", "Bob approved. The report comes in a moment.", ["thread"], is.approved);
  if (isLate && tsOf(is.rejected) > tsOf(is.halted)) return step(8, "The fix was turned down", "Nothing was delivered for that Monday. Say in the thread what should change, post what is right and press Rerun on the message that says Halted, or Skip this slot. The weeks go on meanwhile.", ["thread", "next", "quiet", "monday"], is.halted);
  if (isLate) return step(7, "Halted before the report", "Nothing was delivered. The thread says which check failed; Standby looks for a fix and proposes it there. Where it finds none, the message says what helps.", ["thread", "next", "quiet"], is.halted);
  const since = isPosted ? Number(is.posted.ts) : is.report ? Infinity : tsOf(is.approved);
  if (weekOf(now) > weekOf(since)) return step(is.report ? 7 : 5, "It is Monday: the run is under way", "What comes of it appears in the channel in a moment.", ["thread"]);
  if (isPosted && is.report) return step(7, "Let that week pass too", "One of the new files may be written otherwise than before. See what Standby makes of it.", ["monday"]);
  if (is.report && is.halted) return step(10, "The report is delivered", "In the channel and in Mail. The weeks go on like this. A question may also be asked only once: thirty files, one number each.", ["mail", "next", "quiet", "books"], is.report);
  if (is.report) return step(6, "Post next week's files", "The report is in the channel and in Mail; no model was asked. Now a firmware update makes spectro-07 write JSON, and Alice posts the week's files as always.", ["mail", "next", "quiet"], is.report);
  return step(5, "Let the week pass", "Approved. Alice posts the week's files on Sunday evening, as every week; on Monday the report comes to the channel and to Mail, and no model is asked.", [isPosted ? "monday" : "week"]);
}
