// A list of messages, redrawn only where something changed.

import { blocks } from "./blocks.js";
import { fileSize, h, sameIn, toast } from "./dom.js";
import { bring, isFollowed, offerNewest, toNewest } from "./following.js";
import { wasPressedIn } from "./overlays.js";
import { bot, clockText, dateOf, dayText, nameOf, person, send, store } from "./store.js";
import { emoji, markdown, mrkdwn } from "./text.js";

const MANY_FILES = 3;

// Draws `messages` into `list`; `options.reply` opens a thread. Keeps elements (and what was typed in them) that did not change.
export function draw(list, messages, options) {
  const isFirst = !list.childElementCount;
  const follows = isFollowed(list);
  const last = list.lastElementChild?.dataset || {};
  const used = [...list.children].find(wasPressedIn)?.dataset;
  const focused = focusIn(list);
  place(list, wanted(messages, options));
  focused?.();
  const isNews = (message) => Number(message.ts) > Number(last.ts || 0);
  const changed = used?.ts && [...list.children].find((child) => child.dataset.ts === used.ts && child.dataset.key !== used.key);
  // What somebody wrote themselves, and what only they are told, answers what they just did: it comes into view.
  if (isFirst || messages.some((one) => isNews(one) && [one.user, one.ephemeral_to].includes(store.person))) toNewest(list);
  // A card that somebody used and that changed under their hands shows from its top what became of it.
  else if (changed) bring(list, changed);
  else if (follows && list.lastElementChild?.dataset.key !== last.key) toNewest(list);
  else if (!follows && messages.some(isNews)) offerNewest(list);
}

// Each element that there should be: its key, the message's ts, and how it is made.
function wanted(messages, options) {
  let day = "";
  return messages.flatMap((message) => {
    const today = dayText(dateOf(message.ts));
    const isNewDay = today !== day;
    day = today;
    const said = [`${store.person} ${JSON.stringify(message)}`, message.ts, () => one(message, options)];
    return isNewDay ? [[`day ${today}`, "", () => h("div", { class: "day" }, h("span", {}, today))], said] : [said];
  });
}

// Only what is new or gone is touched: an element that is moved would lose the focus and what is open in it.
function place(list, elements) {
  const keys = new Set(elements.map(([key]) => key));
  for (const child of [...list.children]) if (!keys.has(child.dataset.key)) child.remove();
  elements.forEach(([key, ts, make], index) => {
    const there = list.children[index];
    if (there?.dataset.key === key) return;
    const element = [...list.children].slice(index).find((child) => child.dataset.key === key) || make();
    [element.dataset.key, element.dataset.ts] = [key, ts];
    list.insertBefore(element, there || null);
  });
}

// How to give the focus to the same control, or message, once its message was drawn anew.
function focusIn(list) {
  const { activeElement } = document;
  const message = activeElement?.closest("[data-ts]");
  if (!message || !list.contains(message)) return null;
  return () => {
    if (document.activeElement === activeElement) return;
    const again = [...list.children].find((child) => child.dataset.ts === message.dataset.ts);
    ((again && sameIn(again, activeElement)) || again || list).focus({ preventScroll: true });
  };
}

function one(message, options) {
  const author = person(message.user);
  const context = acting(message);
  const isStranger = author?.is_stranger;
  return h("article", { tabindex: -1, class: `message${message.ephemeral_to ? " ephemeral" : ""}`, "aria-label": `${nameOf(message.user)}, ${clockText(dateOf(message.ts))}` },
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
  return h("button", { class: "replies", "data-place": "replies", onclick: () => options.reply(message.ts) }, words, h("small", {}, `last at ${clockText(dateOf(message.latest_reply))}`));
}

function tools(message, options) {
  if (message.ephemeral_to) return null;
  const offered = message.user === bot().id ? [] : store.state.app.shortcuts;
  const shortcuts = offered.filter((one) => one.kind === "message").map((one) => h("button", {
    onclick: () => told(send("/shortcuts", { channel: message.channel, ts: message.ts, callback_id: one.callback_id })),
  }, one.name));
  const reply = options.reply && h("button", { "data-does": "reply", onclick: () => options.reply(message.thread_ts || message.ts) }, "Reply in thread");
  return h("div", { class: "tools" }, reply, shortcuts);
}
