"""The stories that are told in a browser, each over a whole Standby: tests and the bench tell the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, expect

from bot.processes.behind import Behind
from bot.settings import Settings
from tests.bench.worlds import whole_world
from tests.browser.visitor import PHONE, WITHIN_MS, Findings, Visitor, visiting
from tests.flows.world import World

TITLES = (
    "Somebody asks",
    "A teammate approves",
    "Mondays run by themselves",
    "One Monday the data is odd",
    "Look behind the scenes",
)
QUESTION = "@standby Compute each subsidiary's net margin and rank them"


@contextmanager
def lab(folder: Path, code: Path | None = None) -> Iterator[World]:
    """A whole Standby whose desk is told what is behind the app, as `standby up` does; the lab list is empty."""
    known: list[Settings] = []
    behind = Behind(lambda: known[0], {})
    try:
        with whole_world(folder, code, desk_arguments=("--behind", behind.url), destinations={}) as world:
            known.append(world.settings)
            yield world
    finally:
        behind.close()


def tour(browser: Browser, url: str, findings: Findings) -> None:
    """A first visit: five stops by the keyboard, closed at the end, and not there at the next visit."""
    with visiting(browser, url, findings, is_new=True) as alice:
        dialog = alice.page.locator("dialog.tour")
        for number, title in enumerate(TITLES, 1):
            expect(dialog.locator("h2")).to_have_text(title)
            expect(dialog).to_contain_text(f"{number} of 5")
            expect(dialog.locator(".primary")).to_be_focused()
            if number == 2:
                alice.is_accessible("tour")
                alice.is_pictured("tour")
            alice.page.keyboard.press("Enter")
        expect(dialog).to_have_count(0)
        alice.page.reload()
        expect(alice.page.locator(".story")).to_be_visible()
        expect(alice.page.locator("#behind dl")).to_be_visible()
        expect(dialog).to_have_count(0)


def story(browser: Browser, url: str, findings: Findings) -> None:
    """From the request to the rerun Monday: Alice in the light, Bob in the dark, each in a window of their own."""
    with (
        visiting(browser, url, findings) as alice,
        visiting(browser, url, findings, scheme="dark") as bob,
    ):
        bob.become("Bob")
        _asks(alice)
        _approves_first(alice, bob)
        _quiet_monday(alice)
        _odd_monday(alice, bob)


def _asks(alice: Visitor) -> None:
    alice.step(1, "Ask for a weekly report")
    alice.does("Attach this week's 14 instrument logs")
    expect(alice.page.locator(".chip")).to_have_count(14)
    alice.step(1, "Press Send")
    alice.page.locator("#write").press("Enter")
    expect(alice.thread).to_be_visible()
    alice.step(2, "Press Answer")
    alice.thread.get_by_role("button", name="Answer").click()
    expect(alice.form.locator("input, textarea").first).to_be_focused()
    alice.page.keyboard.type("ann@northside.example, ben@northside.example")
    alice.is_accessible("form")
    alice.page.keyboard.press("Enter")
    expect(alice.form).to_be_hidden()


def _approves_first(alice: Visitor, bob: Visitor) -> None:
    alice.step(3, "Read the card")
    alice.is_in_view(alice.thread.locator("article").last)
    alice.is_accessible("card")
    alice.is_pictured("card")
    alice.reads_to_the_last_page()
    expect(alice.form.get_by_role("button", name="Approve", exact=True)).to_have_count(0)
    alice.is_accessible("pages")
    alice.page.keyboard.press("Escape")
    expect(alice.form).to_be_hidden()
    expect(alice.thread.get_by_role("button", name="Show all", exact=True)).to_be_focused()
    bob.step(4, "Approve it as Bob")
    bob.goes("Home")
    expect(bob.page.locator("#main")).to_contain_text("Waits for your decision")
    bob.goes("# lab")
    bob.does("Open the thread")
    bob.is_accessible("card in the dark")
    bob.approves()
    alice.step(5, "Let the week pass")


def _quiet_monday(alice: Visitor) -> None:
    alice.does("Let the week pass")
    report = alice.has("approved by")
    alice.step(6, "Post next week's files")
    expect(report.locator(".is-wide")).to_have_count(0)  # with the thread open every column is seen
    alice.goes("Mail")
    expect(alice.page.locator(".mail-entry")).to_have_count(1)
    alice.is_accessible("mail")
    alice.goes("Boxes")
    expect(alice.page.locator("#main tr", has_text="run of log-error-summary")).to_contain_text("exit 0")
    alice.is_accessible("boxes")
    alice.is_pictured("boxes")
    alice.goes("Ledger")
    quiet = alice.page.locator(".sums tr", has_text="quiet slots")
    expect(quiet.locator("td")).to_have_text(["quiet slots: delivered, nobody woken", "1", "0", "0", "$0"])
    alice.is_accessible("ledger")
    alice.goes("# lab")


def _odd_monday(alice: Visitor, bob: Visitor) -> None:
    alice.does("Post next week's files")
    alice.step(7, "Let that week pass too")
    alice.does("Move to next Monday 07:00")
    alice.has("OddFile")
    bob.step(8, "Read the fix")
    bob.does("Show the card in the thread")
    bob.is_in_view(bob.thread.locator("article", has_text="a new version to review"))
    bob.is_accessible("fix in the dark")
    bob.is_pictured("fix")
    bob.approves()
    alice.step(10, "The report is delivered")
    alice.goes("Mail")
    expect(alice.page.locator(".mail-entry")).to_have_count(2)
    alice.is_pictured("mail")
    alice.goes("Ledger")
    expect(alice.page.locator(".sums tr", has_text="other slots").locator("td").nth(1)).to_have_text("1")
    expect(alice.page.locator("#main")).to_contain_text("delivered, after it halted")
    alice.is_pictured("ledger")
    bob.goes("Home")
    expect(bob.page.locator("#main")).to_contain_text("2 sent")
    bob.is_accessible("home in the dark")
    alice.goes("Home")
    expect(alice.page.locator("#main")).to_contain_text("2 sent")
    alice.is_accessible("home")
    alice.is_pictured("home")


def once_by_keyboard(browser: Browser, url: str, findings: Findings, books: dict[str, bytes]) -> None:
    """A question over thirty files, asked and read without a mouse; only the files are handed over as a picker does."""
    with visiting(browser, url, findings) as alice:
        page, keys = alice.page, alice.page.keyboard
        keys.press("Tab")
        keys.press("Enter")  # the skip link, which comes first
        expect(page.locator("#write")).to_be_focused()
        files = [{"name": name, "mimeType": "text/csv", "buffer": data} for name, data in books.items()]
        page.locator("#main input[type=file]").set_input_files(files)  # type: ignore[arg-type]  # its own FilePayload
        keys.type(QUESTION)
        keys.press("Enter")
        expect(alice.thread).to_contain_text("Net margin of 30 files", timeout=WITHIN_MS)
        expect(alice.thread).to_contain_text("Never left the box", timeout=WITHIN_MS)
        alice.is_accessible("answer")
        alice.is_pictured("answer")
        keys.press("Escape")
        expect(alice.thread).to_be_hidden()
        expect(page.locator(".replies").last).to_be_focused()
        keys.press("Enter")
        expect(alice.thread.locator("textarea")).to_be_focused()
        keys.press("Shift+Tab")
        keys.press("ArrowUp")
        keys.press("ArrowUp")
        assert page.evaluate("document.activeElement.matches('#thread article')"), "the arrows walk through messages"
        page.get_by_role("radio", name="Alice").focus()
        keys.press("ArrowRight")
        expect(page.get_by_role("radio", name="Bob")).to_be_checked()
        expect(page.get_by_role("radio", name="Bob")).to_be_focused()


def phone(browser: Browser, url: str, findings: Findings, world: World) -> None:
    """A phone: every page fits its width, and what one sends comes into view below a long channel."""
    for number in range(30):
        world.bob.post("#general", f"Line {number} of a long channel")
    with visiting(browser, url, findings, size=PHONE, has_touch=True) as alice:
        for place in ("Home", "Mail", "Boxes", "Ledger", "# general"):
            alice.goes(place)
            alice.fits()
        general = alice.page.locator("#main .list")
        expect(general.locator("article")).to_have_count(30)
        general.evaluate("list => { list.scrollTop = 0; }")
        alice.page.locator("#write").fill("Can everybody read this?")
        alice.page.locator("#main .composer .primary").click()
        alice.is_in_view(general.locator("article", has_text="Can everybody read this?"))
        alice.is_accessible("phone")
        alice.goes("# lab")
        alice.has("approved by").evaluate("report => report.scrollIntoView()")
        alice.is_pictured("phone")
        alice.page.locator(".replies").first.click()
        expect(alice.thread).to_be_visible()
        alice.fits()
        alice.is_accessible("phone, thread")
