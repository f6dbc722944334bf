// What lies over the page: which menus are open, and where the focus goes when something closes.

let pressed = null;

// Remembers what was used last on the page itself: a form that it opens gives the focus back to it.
export function remember(control) {
  if (!document.querySelector("dialog[open]")) pressed = control;
}

export const wasPressedIn = (element) => Boolean(pressed && element?.contains(pressed));

export function giveBackFocus() {
  const same = pressed?.dataset.place && document.querySelector(`[data-place="${CSS.escape(pressed.dataset.place)}"]`);
  const target = pressed?.isConnected ? pressed : same || document.querySelector("#thread:not([hidden]) .list") || document.getElementById("main");
  target?.focus({ preventScroll: true });
}

export function closeMenus(but = null) {
  for (const menu of document.querySelectorAll("details.overflow[open]")) if (menu !== but) menu.open = false;
}

function closeSide() {
  if (!document.body.classList.contains("menu-open")) return;
  document.body.classList.remove("menu-open");
  document.getElementById("menu").setAttribute("aria-expanded", "false");
}

// A menu closes on a choice, on a click elsewhere and on Escape, which gives the focus back to its opener. Where nothing
// lies over the page, Escape means `further`.
export function watchMenus(further) {
  document.addEventListener("click", (event) => {
    closeMenus(event.target.closest("details.overflow"));
    // A link to the place where one is already goes nowhere, and is a choice all the same.
    if (!event.target.closest("#side, #menu") || event.target.closest("#places a")) closeSide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const open = document.querySelector("details.overflow[open]");
    const isSide = document.body.classList.contains("menu-open");
    closeMenus();
    closeSide();
    if (open) open.querySelector("summary").focus();
    else if (isSide) document.getElementById("menu").focus();
    else further();
  });
}
