// Slack's mrkdwn, and Markdown, as elements. Input is split into marks; what is not a mark stays text.

import { h, safeLink, sideways } from "./dom.js";
import { channel, nameOf, store, zone } from "./store.js";

const EMOJI = {
  white_check_mark: "✅", x: "❌", warning: "⚠️", hourglass: "⌛", hourglass_flowing_sand: "⏳", robot_face: "🤖", eyes: "👀",
  rotating_light: "🚨", bar_chart: "📊", email: "✉️", calendar: "📅", clock7: "🕖", mag: "🔍", wave: "👋", tada: "🎉", memo: "📝",
  heavy_check_mark: "✔️", no_entry: "⛔", pause_button: "⏸️", arrow_forward: "▶️", information_source: "ℹ️", thumbsup: "👍", "+1": "👍",
};

const unescape = (text) => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
export const emoji = (name) => EMOJI[name] || `:${name}:`;

export const mention = (id) => h("span", { class: id === store.person ? "mention me" : "mention" }, `@${nameOf(id)}`);

function marked(mark) {
  const [target, ...rest] = mark.slice(1, -1).split("|");
  const label = unescape(rest.join("|"));
  if (target.startsWith("@")) return mention(target.slice(1));
  if (target.startsWith("#")) return h("span", { class: "mention" }, `#${channel(target.slice(1))?.name || label}`);
  if (target.startsWith("!date")) return h("time", {}, dated(target, label));
  if (target.startsWith("!")) return h("span", { class: "mention" }, `@${label || target.slice(1).split("^")[0]}`);
  return safeLink(unescape(target), label || unescape(target).replace(/^mailto:/, ""));
}

function dated(target, fallback) {
  const [, seconds, format] = target.split("^");
  if (!seconds) return fallback;
  return formatDate(Number(seconds), format || "{date} {time}");
}

export function formatDate(seconds, format) {
  const date = new Date(seconds * 1000);
  const day = date.toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: zone() });
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone() });
  return format.replace(/\{time(_secs)?\}/g, time).replace(/\{[a-z_]+\}/g, day);
}

const INLINE = /(<[^<>\n]+>)|`([^`\n]+)`|(?<![\w*])\*([^*\n]+)\*(?![\w*])|(?<![\w_])_([^_\n]+)_(?![\w_])|(?<![\w~])~([^~\n]+)~(?![\w~])|:([a-z0-9_+-]+):/g;

// One line (or more) of mrkdwn as a list of nodes.
export function inline(text) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    nodes.push(unescape(text.slice(at, found.index)));
    at = found.index + found[0].length;
    if (found[1]) nodes.push(marked(found[1]));
    else if (found[2]) nodes.push(h("code", {}, unescape(found[2])));
    else if (found[3]) nodes.push(h("b", {}, inline(found[3])));
    else if (found[4]) nodes.push(h("i", {}, inline(found[4])));
    else if (found[5]) nodes.push(h("s", {}, inline(found[5])));
    else nodes.push(emoji(found[6]));
  }
  nodes.push(unescape(text.slice(at)));
  return nodes;
}

export function mrkdwn(text) {
  const parts = (text || "").split(/```\n?/);
  const nodes = parts.map((part, index) => {
    if (index % 2) return h("pre", {}, unescape(part.replace(/\n$/, "")));
    return lines(part);
  });
  return h("div", { class: "text" }, nodes);
}

function lines(text) {
  const nodes = [];
  for (const run of text.split(/\n(?=(?:&gt;|>) ?)|(?<=^(?:&gt;|>)[^\n]*)\n/m)) {
    const quoted = /^(&gt;|>) ?/.test(run);
    const body = inline(run.replace(/^(&gt;|>) ?/, ""));
    nodes.push(quoted ? h("blockquote", {}, body) : h("span", { class: "lines" }, body));
  }
  return nodes;
}

export const plain = (text) => h("span", { class: "lines" }, (text || "").replace(/:([a-z0-9_+-]+):/g, (all, name) => EMOJI[name] || all));

export function textObject(object) {
  if (!object) return null;
  return object.type === "mrkdwn" ? mrkdwn(object.text) : plain(object.text);
}

// Markdown (of markdown blocks and streamed messages): headings, lists, quotes, code, tables and inline marks.
export function markdown(text) {
  const out = h("div", { class: "markdown" });
  const pieces = (text || "").split(/```[^\n]*\n?/);
  pieces.forEach((piece, index) => {
    if (index % 2) out.append(h("pre", {}, piece.replace(/\n$/, "")));
    else for (const paragraph of piece.split(/\n{2,}/)) if (paragraph.trim()) out.append(...block(paragraph.split("\n")));
  });
  return out;
}

function block(rows) {
  const heading = rows[0].match(/^(#{1,4}) (.*)/);
  if (heading) return [h(`h${heading[1].length + 2}`, {}, spans(heading[2])), ...(rows.length > 1 ? block(rows.slice(1)) : [])];
  if (rows.every((row) => /^\s*[-*] /.test(row))) return [h("ul", {}, rows.map((row) => h("li", {}, spans(row.replace(/^\s*[-*] /, "")))))];
  if (rows.every((row) => /^\s*\d+[.)] /.test(row))) return [h("ol", {}, rows.map((row) => h("li", {}, spans(row.replace(/^\s*\d+[.)] /, "")))))];
  if (rows.every((row) => row.startsWith(">"))) return [h("blockquote", {}, spans(rows.map((row) => row.replace(/^> ?/, "")).join("\n")))];
  if (rows.length > 1 && /^\s*\|?[\s:|-]+\|?\s*$/.test(rows[1]) && rows[0].includes("|")) return [table(rows)];
  return [h("p", { class: "lines" }, spans(rows.join("\n")))];
}

function table(rows) {
  const cells = (row) => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  const head = h("tr", {}, cells(rows[0]).map((cell) => h("th", {}, spans(cell))));
  const body = rows.slice(2).map((row) => h("tr", {}, cells(row).map((cell) => h("td", {}, spans(cell)))));
  return sideways(h("table", {}, h("thead", {}, head), h("tbody", {}, body)));
}

const SPAN = /`([^`\n]+)`|\*\*([^*]+)\*\*|(?<![\w*])\*([^*\n]+)\*|(?<![\w_])_([^_\n]+)_(?!\w)|~~([^~]+)~~|\[([^\]]+)\]\(([^)\s]+)\)/g;

function spans(text) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(SPAN)) {
    nodes.push(text.slice(at, found.index));
    at = found.index + found[0].length;
    if (found[1]) nodes.push(h("code", {}, found[1]));
    else if (found[2]) nodes.push(h("b", {}, spans(found[2])));
    else if (found[3] || found[4]) nodes.push(h("i", {}, spans(found[3] || found[4])));
    else if (found[5]) nodes.push(h("s", {}, spans(found[5])));
    else nodes.push(safeLink(found[7], found[6]));
  }
  nodes.push(text.slice(at));
  return nodes;
}
