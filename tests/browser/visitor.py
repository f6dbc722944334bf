"""Somebody at the desk's page: what they do, in words of the page, and what they then see."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

WITHIN_MS = 150_000  # a rehearsal on a busy machine
expect.set_options(timeout=20_000)  # anything else on a busy machine
SERIOUS = ("serious", "critical")
DESKTOP, PHONE = (1280, 800), (390, 844)

# Whether an element lies within what is seen of the list around it, at least with its beginning.
_IN_VIEW = """one => {
  const list = one.closest(".list").getBoundingClientRect(), at = one.getBoundingClientRect();
  return at.top >= list.top - 2 && at.top < list.bottom - 10;
}"""


@dataclass
class Findings:
    """What is gathered over several visits: serious words of axe, and the pictures."""

    folder: Path
    serious: list[str] = field(default_factory=list)
    pictures: list[Path] = field(default_factory=list)


@dataclass(frozen=True)
class Visitor:
    """One window, whose person is chosen at its top."""

    page: Page
    findings: Findings

    @property
    def thread(self) -> Locator:
        return self.page.locator("#thread")

    @property
    def form(self) -> Locator:
        return self.page.locator("dialog.modal")

    def become(self, name: str) -> None:
        self.page.get_by_role("radio", name=name).click()
        expect(self.page.get_by_role("radio", name=name)).to_be_checked()

    def step(self, number: int, title: str = "") -> None:
        """The story stands there now."""
        head = self.page.locator(".story-head")
        expect(head).to_contain_text(f"step {number} of 10", timeout=WITHIN_MS)
        if title:
            expect(head).to_contain_text(title, timeout=WITHIN_MS)

    def does(self, label: str) -> None:
        """Press one of the story's buttons."""
        self.page.locator(".story .step", has_text=label).click()

    def goes(self, place: str) -> None:
        """Follow the sidebar's link to a place."""
        menu = self.page.locator("#menu")
        if menu.is_visible():
            menu.click()
        self.page.locator("#places a", has_text=re.compile(rf"^{re.escape(place)}\d*$")).click()

    def reads_to_the_last_page(self) -> None:
        """Show all on the newest open card, page after page, by the keyboard alone once it is open."""
        self.thread.get_by_role("button", name="Show all", exact=True).last.click()
        expect(self.form).to_be_visible()
        turn = self.form.get_by_role("button", name="Next", exact=True).first
        if turn.count():
            turn.focus()
        while turn.count():
            before = self.form.locator(".context").first.inner_text()
            self.page.keyboard.press("Enter")
            expect(self.form.locator(".context").first).not_to_have_text(before)
            assert self.page.evaluate("document.activeElement.closest('dialog') !== null"), "the focus left the form"
            if turn.count():
                expect(turn).to_be_focused()

    def approves(self) -> None:
        """Approve on the card, or on the last page where it has none; agree to what is asked, close what is said."""
        on_card = self.thread.get_by_role("button", name="Approve", exact=True)
        is_on_card = on_card.count() > 0
        if is_on_card:
            on_card.last.click()
        else:
            self.reads_to_the_last_page()
            self.form.get_by_role("button", name="Approve", exact=True).first.click()
        self.page.locator("dialog.confirm button.primary").click()
        self._agrees_until_decided()
        if not is_on_card:
            expect(self.form).to_contain_text("is current", timeout=WITHIN_MS)
        if self.form.count():
            self.page.keyboard.press("Escape")
        expect(self.form).to_have_count(0)

    def _agrees_until_decided(self) -> None:
        """The card loses its buttons; where checks may hear less than before, a form asks once more before."""
        undecided = self.thread.get_by_role("button", name="Reject", exact=True)
        again = self.form.get_by_role("button", name="Yes, approve it")
        until = time.monotonic() + WITHIN_MS / 1000
        while undecided.count():
            if again.count():
                again.click()
            assert time.monotonic() < until, f"nothing was decided: {self.thread.inner_text()[-500:]}"
            self.page.wait_for_timeout(100)

    def opens_thread_of(self, words: str) -> None:
        """The thread of the newest message that says these words, once it was answered."""
        self.page.locator("#main .list > article", has_text=words).last.locator(".replies").click()
        expect(self.thread).to_contain_text(words)

    def is_in_view(self, message: Locator) -> None:
        """The message's beginning is seen, without anybody scrolling."""
        expect(message).to_be_attached(timeout=WITHIN_MS)
        until = time.monotonic() + WITHIN_MS / 1000
        while not message.evaluate(_IN_VIEW):  # looked up anew each time: the page may have drawn another in its place
            assert time.monotonic() < until, f"out of view: {message.inner_text()[:200]}"
            self.page.wait_for_timeout(100)

    def fits(self) -> None:
        """Nothing of the page hangs out at the side."""
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"the page is {wide} px wider than the window"

    def has(self, words: str) -> Locator:
        """A message in the channel that says these words."""
        found = self.page.locator("#main .list > article", has_text=words).last
        expect(found).to_be_attached(timeout=WITHIN_MS)
        return found

    def is_accessible(self, where: str) -> None:
        """Gathers what axe calls serious or worse here."""
        found: Mapping[str, Any] = Axe().run(self.page, options={"iframes": False}).response
        for one in found["violations"]:
            if one["impact"] in SERIOUS:
                nodes = "; ".join(node["html"][:160] for node in one["nodes"][:3])
                self.findings.serious.append(f"{where}: {one['id']} ({one['impact']}): {one['help']}: {nodes}")

    def is_pictured(self, name: str) -> None:
        """Keeps what the window shows, once it stands still."""
        self.page.wait_for_timeout(150)
        path = self.findings.folder / f"{name}.png"
        self.page.screenshot(path=path, animations="disabled")
        self.findings.pictures.append(path)


@contextmanager
def visiting(
    browser: Browser,
    url: str,
    findings: Findings,
    *,
    size: tuple[int, int] = DESKTOP,
    scheme: Literal["light", "dark"] = "light",
    is_new: bool = False,
    **more: Any,
) -> Iterator[Visitor]:
    """A window on the desk, for the length of the block; an error on the page fails it. `is_new` shows the tour."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, **more)
    if not is_new:
        context.add_init_script("if (window === top) localStorage.setItem('tour-seen', 'yes')")  # not in a mail's frame
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(url)
    expect(page.locator(".story")).to_be_visible()
    yield Visitor(page, findings)
    context.close()
    assert wrong == [], f"the page's own errors: {wrong}"
