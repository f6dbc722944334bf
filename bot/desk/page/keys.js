// The keyboard: arrow keys walk through lists, and Enter on a message opens its thread.

// `walk` is what the arrows go through inside `list`; `enter` is where they begin when the list itself has the focus.
const LISTS = [
  { list: ".list", walk: ":scope > article", enter: "last" },
  { list: "#places", walk: "a.place" },
  { list: "#people", walk: "button", chooses: true },
  { list: ".mail-list", walk: ".mail-entry" },
  { list: ".entries", walk: "button" },
  { list: "details.overflow", walk: ".entries button" },
  { list: ".story .row", walk: "button" },
];
const STEP = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
const TYPED = "input, textarea, select";

export function watchKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.target.closest(TYPED)) return;
    if (event.key === "Enter" && event.target.matches("article.message")) openThread(event);
    else if (event.key in STEP || event.key === "Home" || event.key === "End") walk(event);
  });
}

function openThread(event) {
  const opener = event.target.querySelector(".replies") || event.target.querySelector(".tools [data-does=reply]");
  if (!opener) return;
  event.preventDefault();
  opener.click();
}

function walk(event) {
  const found = LISTS.find(({ list }) => event.target.closest(list));
  const list = found && event.target.closest(found.list);
  const items = list ? [...list.querySelectorAll(found.walk)].filter((one) => one.checkVisibility()) : [];
  if (!items.length) return;
  const at = items.findIndex((one) => one.contains(event.target));
  const next = items[goal(event.key, at, items.length, found.enter)];
  event.preventDefault();
  if (!next || next === items[at]) return;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: next.offsetHeight > list.clientHeight ? "start" : "nearest" });
  if (found.chooses) next.click();
}

function goal(key, at, count, enter) {
  if (key === "Home") return 0;
  if (key === "End" || (at < 0 && enter === "last")) return count - 1;
  return at < 0 ? 0 : Math.min(count - 1, Math.max(0, at + STEP[key]));
}
