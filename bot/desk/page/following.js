// Where a list of messages stands: at its newest, at what was shown last, or where somebody reads further up.

import { h } from "./dom.js";

// Where a list was put by this page. Whoever did not scroll away from there follows what comes.
const putAt = new WeakMap();
const newer = new WeakMap();

const isAtEnd = (list) => list.scrollHeight - list.scrollTop - list.clientHeight < 80;
export const isFollowed = (list) => isAtEnd(list) || Math.abs(list.scrollTop - (putAt.get(list) ?? -9)) < 3;

// A message from its top, as far as the list can be scrolled.
export function bring(list, message) {
  list.scrollTop = message.offsetTop - list.offsetTop;
  putAt.set(list, list.scrollTop);
}

// The newest message, from its top where it is longer than the list.
export function toNewest(list) {
  const newest = list.lastElementChild;
  if (newest && newest.offsetHeight > list.clientHeight) bring(list, newest);
  else list.scrollTop = list.scrollHeight;
  putAt.set(list, list.scrollTop);
  withdraw(list);
}

// For somebody who reads further up: nothing moves under their eyes, and a button leads down.
export function offerNewest(list) {
  if (newer.has(list)) return;
  const button = h("button", { class: "newer", onclick: () => { toNewest(list); list.focus({ preventScroll: true }); } }, "New messages ↓");
  const watch = () => { if (isFollowed(list)) withdraw(list); };
  list.addEventListener("scroll", watch);
  newer.set(list, () => { button.remove(); list.removeEventListener("scroll", watch); });
  list.after(button);
}

function withdraw(list) {
  newer.get(list)?.();
  newer.delete(list);
}
