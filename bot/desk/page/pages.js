// The pages beside the channels: mail, and the ledger of what really happened.

import { spent } from "./behind.js";
import { fileSize, h, redraw, sideways } from "./dom.js";
import { ask, clockText, dayText, store } from "./store.js";

let chosen = null;

// Which mails were opened, in this browser. A desk that began anew counts its mails anew.
const key = () => `read-mails ${store.state.channels[0].created}`;
const read = () => JSON.parse(localStorage.getItem(key()) || "[]");

export const unread = () => Math.max(0, store.state.mails - read().length);

export async function drawMail(main, onRead) {
  const { mails } = await ask("/mails");
  if (!mails.length) {
    main.replaceChildren(h("section", { class: "page" }, h("p", { class: "empty" }, "No mail yet. What Standby e-mails arrives here, and goes nowhere else.")));
    return;
  }
  const open = mails.find((mail) => mail.number === chosen) || mails.at(-1);
  const isRead = new Set([...read(), open.number]);
  localStorage.setItem(key(), JSON.stringify([...isRead]));
  onRead();
  const entries = [...mails].reverse().map((mail) => h("button", { "data-place": `mail ${mail.number}`, class: `mail-entry${isRead.has(mail.number) ? "" : " unread"}`, "aria-current": mail === open ? "true" : undefined, onclick: () => { chosen = mail.number; drawMail(main, onRead); } },
    h("b", {}, mail.subject || "(no subject)"), h("small", {}, `to ${mail.to.join(", ")}`), h("small", {}, when(mail.received_at))));
  redraw(main, h("section", { class: "mail" }, h("div", { class: "mail-list" }, entries), opened(open)));
}

const when = (iso) => `${dayText(new Date(iso))}, ${clockText(new Date(iso))}`;

function opened(mail) {
  const frame = mail.html && h("iframe", { src: `/desk/api/mails/${mail.number}/html`, sandbox: "", title: "The mail as its reader sees it" });
  const words = h("pre", { class: "mail-text" }, mail.text || "(no plain text)");
  const tab = (label, content) => h("button", { onclick: () => body.replaceChildren(content) }, label);
  const hint = frame && h("small", { class: "narrow" }, "Wide tables in the mail scroll sideways.");
  const body = h("div", { class: "mail-body" }, frame || words);
  const files = mail.attachments.map((one, index) => h("a", { class: "file", href: `/desk/api/mails/${mail.number}/attachments/${index}`, download: one.name },
    h("span", { class: "sheet" }, one.mimetype.split("/")[1].slice(0, 5)), h("span", {}, h("b", {}, one.name), h("small", {}, fileSize(one.size)))));
  return h("div", { class: "mail-open" }, h("h2", {}, mail.subject), h("small", {}, `from ${mail.from} to ${mail.to.join(", ")}, ${when(mail.received_at)}`),
    h("div", { class: "row" }, frame && tab("As shown", frame), tab("Plain text", words), h("a", { href: `/desk/api/mails/${mail.number}/raw`, target: "_blank" }, "Source")),
    hint, body, h("div", { class: "files" }, files));
}

const SHOWN = 300;

const ROWS = {
  call: (one) => [one.method, one.ok ? "ok" : `refused: ${one.error}`, one.args.channel || one.args.user || ""],
  event: (one) => [one.type, one.acked_at ? "acknowledged" : "not acknowledged", one.attempt ? `try ${one.attempt + 1}` : ""],
  transfer: (one) => [`file ${one.direction}`, one.answer, `${one.name} ${fileSize(one.size_bytes)}`],
  mail: (one) => ["mail", one.answer, `${one.subject} → ${one.recipients.join(", ")}`],
};

export async function drawLedger(main) {
  const [{ entries }, costs] = await Promise.all([ask("/ledger"), spent()]);
  const rows = entries.slice(-SHOWN).reverse().map((one) => {
    const bad = one.ok === false || (one.kind === "event" && !one.acked_at);
    return h("tr", { class: bad ? "bad" : "" }, [clockText(new Date(one.at)), one.kind, ...ROWS[one.kind](one)].map((cell) => h("td", {}, cell)));
  });
  redraw(main, h("section", { class: "page" }, h("h2", {}, "What it cost"), costs, h("h2", {}, "What passed"),
    h("p", {}, "Between the app and this workspace, newest first. Secrets are never kept."),
    sideways(h("table", { class: "ledger" }, h("thead", {}, h("tr", {}, ["at", "kind", "what", "how it went", "more"].map((one) => h("th", { scope: "col" }, one)))), h("tbody", {}, rows)))));
}
