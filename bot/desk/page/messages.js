// A list of messages, redrawn only where something changed.

import { blocks } from "./blocks.js";
import { fileSize, h, toast } from "./dom.js";
import { wasPressedIn } from "./overlays.js";
import { bot, clockText, dateOf, dayText, nameOf, person, send, store } from "./store.js";
import { emoji, markdown, mrkdwn } from "./text.js";

const MANY_FILES = 3;

// Where a list was put by this page, so that a long newest message, shown from its top, counts as followed.
const putAt = new WeakMap();
const newer = new WeakMap();

// Draws `messages` into `list`; `options.reply` opens a thread. Keeps elements (and what was typed in them) that did not change.
export function draw(list, messages, options) {
  const old = new Map([...list.children].map((one) => [one.dataset.key, one]));
  const wasAtEnd = isFollowed(list);
  const isNew = !list.childElementCount;
  const { key: last, ts: lastTs } = list.lastElementChild?.dataset || {};
  const used = [...list.children].find(wasPressedIn)?.dataset;
  let day = "";
  const wanted = [];
  for (const message of messages) {
    const today = dayText(dateOf(message.ts));
    if (today !== day) wanted.push([`day ${today}`, () => h("div", { class: "day" }, h("span", {}, today))]);
    day = today;
    wanted.push([`${store.person} ${JSON.stringify(message)}`, () => one(message, options), message.ts]);
  }
  list.replaceChildren(...wanted.map(([key, make, ts = ""]) => {
    const element = old.get(key) || make();
    [element.dataset.key, element.dataset.ts] = [key, ts];
    return element;
  }));
  const changed = used?.ts && [...list.children].find((child) => child.dataset.ts === used.ts && child.dataset.key !== used.key);
  // A card that somebody used and that changed under their hands shows from its top what became of it.
  if (changed) list.scrollTop = changed.offsetTop - list.offsetTop;
  else if (isNew || (wasAtEnd && list.lastElementChild?.dataset.key !== last)) toNewest(list);
  else if (!wasAtEnd && Number(list.lastElementChild?.dataset.ts || 0) > Number(lastTs || 0)) offerNewest(list);
}

const isAtEnd = (list) => list.scrollHeight - list.scrollTop - list.clientHeight < 80;
const isFollowed = (list) => isAtEnd(list) || Math.abs(list.scrollTop - (putAt.get(list) ?? -9)) < 3;

// For somebody who reads further up: nothing moves under their eyes, and a button leads down.
function offerNewest(list) {
  if (newer.has(list)) return;
  const button = h("button", { class: "newer", onclick: () => toNewest(list) }, "New messages ↓");
  const watch = () => { if (isFollowed(list)) withdraw(list); };
  list.addEventListener("scroll", watch);
  newer.set(list, () => { button.remove(); list.removeEventListener("scroll", watch); });
  list.after(button);
}

function withdraw(list) {
  newer.get(list)?.();
  newer.delete(list);
}

// The newest message, from its top where it is longer than the list.
function toNewest(list) {
  const newest = list.lastElementChild;
  if (newest) list.scrollTop = newest.offsetHeight > list.clientHeight ? newest.offsetTop - list.offsetTop : list.scrollHeight;
  putAt.set(list, list.scrollTop);
  withdraw(list);
}

function one(message, options) {
  const author = person(message.user);
  const context = acting(message);
  const isStranger = author?.is_stranger;
  return h("article", { class: `message${message.ephemeral_to ? " ephemeral" : ""}`, "aria-label": `${nameOf(message.user)}, ${clockText(dateOf(message.ts))}` },
    h("div", { class: `avatar ${author?.is_bot ? "bot" : `a-${author?.name}`}`, "aria-hidden": "true" }, nameOf(message.user)[0]),
    h("div", { class: "body" },
      h("div", { class: "byline" }, h("b", {}, nameOf(message.user)), author?.is_bot && h("span", { class: "tag" }, "APP"),
        isStranger && h("span", { class: "tag" }, "other workspace"), h("time", {}, clockText(dateOf(message.ts))), message.edited && h("small", { class: "edited" }, `edited ${clockText(dateOf(message.edited.ts))}`)),
      message.ephemeral_to && h("small", { class: "only" }, "Only visible to you"),
      content(message, context), files(message.files || []), reactions(message), replies(message, options)),
    tools(message, options));
}

function content(message, context) {
  if (message.subtype === "tombstone") return h("i", {}, message.text);
  if (message.blocks?.length) return blocks(message.blocks, context);
  const attached = (message.attachments || []).map((one) => h("div", { class: "attached" }, one.blocks ? blocks(one.blocks, context) : mrkdwn(one.text || one.fallback || "")));
  const words = message.is_streaming ? markdown(message.text) : message.text && mrkdwn(message.text);
  return [words, ...attached];
}

function acting(message) {
  const values = {};
  return { values, act: (name, choice) => told(send("/press", { channel: message.channel, ts: message.ts, name, choice, values })) };
}

// Shows what went wrong with an interaction, if something did.
export async function told(answer) {
  try {
    const outcome = await answer;
    if (outcome.problem) toast(outcome.problem, "bad");
    return outcome;
  } catch (error) {
    toast(error.message, "bad");
    return { errors: {}, problem: error.message };
  }
}

function files(list) {
  if (!list.length) return null;
  const chips = list.map(chip);
  if (list.length <= MANY_FILES) return h("div", { class: "files" }, chips);
  const size = list.reduce((sum, file) => sum + (file.size || 0), 0);
  return h("details", { class: "many" }, h("summary", {}, `${list.length} files, ${fileSize(size)}`), h("div", { class: "files" }, chips));
}

function chip(file) {
  if (file.mode === "tombstone") return h("span", { class: "file gone" }, "This file was deleted.");
  const where = `/desk/api/files/${file.id}`;
  const picture = /^image\/(png|jpeg|gif)$/.test(file.mimetype) && h("img", { src: where, alt: file.title });
  return h("a", { class: "file", href: where, download: file.name }, picture || h("span", { class: "sheet" }, file.filetype || "file"),
    h("span", {}, h("b", {}, file.title), h("small", {}, fileSize(file.size))));
}

const reactions = (message) => message.reactions && h("div", { class: "row" }, message.reactions.map((one) => h("span", { class: "reaction", title: one.users.map(nameOf).join(", ") }, `${emoji(one.name)} ${one.count}`)));

function replies(message, options) {
  if (!options.reply || !message.reply_count) return null;
  const words = message.reply_count === 1 ? "1 reply" : `${message.reply_count} replies`;
  return h("button", { class: "replies", onclick: () => options.reply(message.ts) }, words, h("small", {}, `last at ${clockText(dateOf(message.latest_reply))}`));
}

function tools(message, options) {
  if (message.ephemeral_to) return null;
  const offered = message.user === bot().id ? [] : store.state.app.shortcuts;
  const shortcuts = offered.filter((one) => one.kind === "message").map((one) => h("button", {
    onclick: () => told(send("/shortcuts", { channel: message.channel, ts: message.ts, callback_id: one.callback_id })),
  }, one.name));
  const reply = options.reply && h("button", { onclick: () => options.reply(message.thread_ts || message.ts) }, "Reply in thread");
  return h("div", { class: "tools" }, reply, shortcuts);
}
