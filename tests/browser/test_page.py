"""The page over a desk with a small bot: what comes into view, where the focus stays, and whose clock a time is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.visitor import Findings, Visitor, visiting
from tests.desk.bolt_bot import BoltBot, connected
from tests.desk_client import Desk
from tests.desk_server import RunningDesk, running_desk

# One worker does all of them, with one browser.
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

OSLO = ZoneInfo("Europe/Oslo")
DROP = """(area, name) => {
  const data = new DataTransfer();
  data.items.add(new File(["a,b\\n1,2\\n"], name));
  for (const kind of ["dragover", "drop"]) area.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""  # noqa: E501  one statement


@pytest.fixture(scope="module")
def running(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDesk]:  # noqa: ARG001
    with running_desk(tmp_path_factory.mktemp("desk")) as started:
        yield started


@pytest.fixture(scope="module")
def bot(running: RunningDesk) -> Iterator[BoltBot]:
    with connected(running) as one:
        yield one


@pytest.fixture
def desk(running: RunningDesk, bot: BoltBot) -> Iterator[Desk]:  # noqa: ARG001
    client = Desk(running.url)
    yield client
    client.close()


@pytest.fixture
def alice(browser: Browser, desk: Desk, findings: Findings) -> Iterator[Visitor]:
    """Alice, far from Oslo: the desk's time is not her computer's."""
    with visiting(browser, desk.url, findings, timezone_id="America/New_York") as one:
        yield one


def test_what_others_write_leaves_a_reader_in_place_and_what_one_writes_comes_into_view(
    alice: Visitor, desk: Desk
) -> None:
    # Given a thread longer than the window, read from its beginning
    root = desk.person("Bob").post("#general", "A long thread")
    for number in range(25):
        desk.person("Bob").reply(root, f"Line {number}")
    alice.goes("# general")
    alice.page.locator(".replies").last.click()
    messages = alice.thread.locator(".list")
    alice.is_in_view(messages.locator("article", has_text="Line 24"))
    messages.evaluate("list => { list.scrollTop = 0; }")

    # When somebody else writes, then nothing moves, and a button leads down
    desk.person("Bob").reply(root, "From somebody else")
    expect(alice.thread.locator(".newer")).to_be_visible()
    alice.is_in_view(messages.locator("article").first)

    # When she writes herself, then that is what she sees
    alice.thread.locator("textarea").fill("From myself")
    alice.thread.locator("textarea").press("Enter")
    alice.is_in_view(messages.locator("article", has_text="From myself"))
    expect(alice.thread.locator(".newer")).to_have_count(0)

    # And closed by Escape and opened again, a thread is at its newest
    alice.page.keyboard.press("Escape")
    desk.person("Bob").reply(root, "While it was closed")
    alice.page.locator(".replies").last.click()
    alice.is_in_view(messages.locator("article", has_text="While it was closed"))


def test_a_form_holds_the_focus_says_what_is_wrong_and_gives_the_focus_back(alice: Visitor, desk: Desk) -> None:
    desk.person("Alice").post("#lab", "@standby a report please")
    alice.goes("# lab")
    alice.opens_thread_of("a report please")
    reject = alice.thread.get_by_role("button", name="Reject…")
    reject.press("Enter")
    why = alice.form.get_by_label("Why?")
    expect(why).to_be_focused()
    for _ in range(8):
        alice.page.keyboard.press("Tab")
        assert alice.page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    why.fill("no")
    alice.form.get_by_role("button", name="Send").click()
    expect(alice.form.locator(".error")).to_have_text("Say a little more.")
    expect(why).to_be_focused()
    alice.is_accessible("a form with an error")
    alice.page.keyboard.press("Escape")
    expect(alice.form).to_be_hidden()
    expect(reject).to_be_focused()
    alice.page.keyboard.press("Escape")
    expect(alice.thread).to_be_hidden()


def test_a_card_that_is_drawn_anew_keeps_the_focus(alice: Visitor, desk: Desk) -> None:
    request = desk.person("Alice").post("#lab", "@standby one more")
    card = desk.wait_for(lambda m: m.has_button("Approve") and m.thread_ts == request.ts)
    alice.goes("# lab")
    alice.opens_thread_of("one more")
    alice.thread.get_by_role("button", name="Reject…").focus()
    desk.person("Bob").reply(card, "Hm")
    desk.person("Bob").react(card, "eyes")
    expect(alice.thread.locator(".reaction")).to_be_visible()
    expect(alice.thread.get_by_role("button", name="Reject…")).to_be_focused()


def test_files_are_dropped_anywhere_on_the_channel(alice: Visitor, desk: Desk) -> None:
    alice.goes("# general")
    alice.page.locator("#main").evaluate(DROP, "dropped.csv")
    expect(alice.page.locator(".chip")).to_contain_text("dropped.csv")
    alice.page.locator("#write").press("Enter")
    expect(alice.page.locator("#main .file", has_text="dropped.csv")).to_be_visible()
    assert desk.download(desk.messages("#general")[-1].raw["files"][0]) == b"a,b\n1,2\n"


def test_a_typed_time_is_the_desks_and_not_the_browsers(alice: Visitor, desk: Desk) -> None:
    evening = (desk.now() + timedelta(days=2)).astimezone(OSLO).replace(hour=20, minute=0, second=0, microsecond=0)
    alice.page.get_by_label("Move to another time").click()
    alice.page.get_by_label("Another time, in Europe/Oslo").fill(f"{evening:%Y-%m-%dT%H:%M}")
    alice.page.get_by_role("button", name="Move there").click()
    expect(alice.page.locator("#clock time")).to_contain_text("20:00")
    assert timedelta(0) <= desk.now() - evening < timedelta(seconds=60)


def test_a_direct_message_opens_the_thread_that_it_is_answered_in(alice: Visitor) -> None:
    alice.goes("Direct message")
    expect(alice.page.locator("#write")).to_have_attribute("placeholder", "Write to Standby")
    alice.page.locator("#write").fill("hello, what can you do?")
    alice.page.locator("#write").press("Enter")
    expect(alice.thread).to_contain_text("hello, what can you do?")


def test_the_home_tab_is_that_of_whoever_one_becomes(alice: Visitor, desk: Desk) -> None:
    desk.person("Bob").open_home()
    alice.goes("Home")
    expect(alice.page.locator("#main")).to_contain_text("Nothing waits for you.")
    opened = len([one for one in desk.ledger("event") if one["type"] == "app_home_opened"])
    alice.become("Bob")
    desk.wait_until(lambda: len([one for one in desk.ledger("event") if one["type"] == "app_home_opened"]) > opened)
    alice.is_accessible("home")


def test_a_button_that_leads_to_a_message_shows_it_in_its_thread(alice: Visitor, desk: Desk) -> None:
    request = desk.person("Alice").post("#lab", "@standby one with a link")
    desk.wait_for(lambda m: m.has_button("Approve") and m.thread_ts == request.ts)
    for _ in range(2):  # also where one was there before
        alice.goes("Home")
        alice.page.locator("#main").get_by_role("button", name="Open the card").click()
        expect(alice.thread).to_contain_text("one with a link")
        expect(alice.thread.get_by_role("button", name="Reject…")).to_be_visible()
    assert len(alice.page.context.pages) == 1


def test_a_desk_alone_says_that_it_was_not_told_what_is_behind_it(alice: Visitor) -> None:
    expect(alice.page.locator("#behind")).to_contain_text("It is not Slack")
    expect(alice.page.locator("#behind")).not_to_contain_text("leaves this computer")
    alice.goes("Boxes")
    expect(alice.page.locator("#main")).to_contain_text("Nobody told this desk")
