// Elements from plain calls. Text is always text: nothing that people or apps write becomes markup.

const LOOPBACK = ["127.0.0.1", "localhost"];

export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((one) => one !== undefined && one !== null && one !== false));
  return element;
}

// Draws `parent` anew; the focus stays with the same control, else with the first that has a place.
export function redraw(parent, ...children) {
  const had = parent.contains(document.activeElement) && document.activeElement !== parent && document.activeElement;
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (had) (sameIn(parent, had) || parent.querySelector("[data-place]"))?.focus({ preventScroll: true });
}

// The control in `parent` that stands for `control`, which was drawn before: of the same place, or of the same action.
export function sameIn(parent, control) {
  const { place, action } = control.dataset;
  return (place && parent.querySelector(`[data-place="${CSS.escape(place)}"]`)) || (action && parent.querySelector(`[data-action="${CSS.escape(action)}"]`)) || null;
}

export function toast(words, kind = "note") {
  const one = h("div", { class: `toast ${kind}` }, words);
  const toasts = document.getElementById("toasts");
  toasts.append(one);
  // Shown anew it lies above a form that opened meanwhile.
  toasts.hidePopover?.();
  toasts.showPopover?.();
  setTimeout(() => one.remove(), 6000);
}

// A table in a box of its own that scrolls, and says so while something of it is hidden.
export function sideways(table) {
  const box = h("div", { class: "scroll" }, table);
  const whole = h("div", { class: "sideways" }, box, h("small", { class: "more" }, "Scroll this table sideways for more columns →"));
  // Only what scrolls is a stop for the keyboard.
  new ResizeObserver(() => { box.tabIndex = whole.classList.toggle("is-wide", box.scrollWidth > box.clientWidth + 1) ? 0 : -1; }).observe(box);
  return whole;
}

// Where on this page a permalink (/archives/CHANNEL/pTS?thread_ts=ROOT) leads: its message in its thread. Empty for others.
export function placeOf(url) {
  const at = URL.canParse(url || "") ? new URL(url) : null;
  const isHere = at?.origin === location.origin || (at?.port === location.port && [at.hostname, location.hostname].every((one) => LOOPBACK.includes(one)));
  const found = isHere && at.pathname.match(/^\/archives\/(\w+)\/p(\d+)(\d{6})$/);
  if (!found) return "";
  const ts = `${found[2]}.${found[3]}`;
  return [found[1], at.searchParams.get("thread_ts") || ts, ts].join("/");
}

// Goes there without leaving the page, also where one is there already; elsewhere in a window of its own.
export function follow(url) {
  const there = placeOf(url);
  if (!there) { window.open(url, "_blank", "noopener"); return; }
  if (location.hash.slice(1) === there) window.dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = there;
}

// An address that may be followed: never a script.
export function safeLink(url, ...children) {
  const known = /^(https?:|mailto:)/i.test(url || "");
  if (!known) return h("span", { title: url }, ...children);
  if (placeOf(url)) return h("a", { href: `#${placeOf(url)}` }, ...children);
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, ...children);
}

export function fileSize(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

// Asks a question in a dialog; resolves to whether the person agreed.
export function ask(confirm, words) {
  return new Promise((resolve) => {
    const answer = (agreed) => { dialog.close(); dialog.remove(); resolve(agreed); };
    const dialog = h("dialog", { class: "confirm", "aria-label": words.title, oncancel: () => answer(false) },
      h("h2", {}, words.title), h("div", {}, words.body),
      h("div", { class: "row end" },
        h("button", { onclick: () => answer(false) }, words.deny),
        h("button", { class: confirm.style === "danger" ? "danger" : "primary", onclick: () => answer(true) }, words.agree)));
    document.body.append(dialog);
    dialog.showModal();
  });
}
