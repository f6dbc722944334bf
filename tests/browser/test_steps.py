"""Where the story stands, read off messages: the story's own request, whatever else is asked, turned down or halted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.desk_server import running_desk

# One worker does all of them, with one browser.
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

BOT, ALICE, BOB = "U0STANDBY01", "U0ALICE0001", "U0BOB000001"
READ = """async ([messages, person, reached, now, tuesday]) => {
  const { current, facts } = await import("/page/steps.js");
  const { at, title, does, about } = current(facts(messages, "U0STANDBY01"), { person, reached, now, isReady: false });
  return { at, title, does, about: about ? about.ts - tuesday : null };
}"""
Said = dict[str, Any]

# Monday 14 December 2026, 06:00 UTC; the story's moments are counted from the Tuesday before.
MONDAY = 1797228000
TUESDAY = MONDAY - 6 * 86_400


def asked(ts: int, text: str, *files: str) -> Said:
    return {
        "ts": str(TUESDAY + ts),
        "user": ALICE,
        "text": f"<@{BOT}> {text}",
        "files": [{"name": name} for name in files],
    }


def request(ts: int = 100) -> Said:
    return asked(ts, "Every Monday an error summary", "hplc-01.log", "spectro-07.log")


def ours(ts: int, text: str, root: int, *buttons: str, key: str = "", subtype: str = "", edited: int = 0) -> Said:
    elements = [{"type": "button", "text": {"text": label}} for label in buttons]
    said: Said = {
        "ts": str(TUESDAY + ts),
        "user": BOT,
        "text": text,
        "thread_ts": str(TUESDAY + root),
        "subtype": subtype,
    }
    said |= {"subtype": subtype, "blocks": [{"elements": elements}], "metadata": {"event_payload": {"key": key}}}
    return said | ({"edited": {"ts": str(TUESDAY + edited)}} if edited else {})


def card(ts: int, root: int, what: str = "needs review", edited: int = 0) -> Said:
    buttons = () if edited else ("Reject", "Show all")
    return ours(ts, f"Log error summary: {what}", root, *buttons, key=f"card:{ts}", edited=edited)


def report(ts: int, root: int) -> Said:
    return ours(ts, "Log error summary", root, key=f"delivery:{ts}", subtype="thread_broadcast")


PH = asked(300, "every Tuesday list the readings of ph out of range", "ph.csv")
APPROVED = [request(), card(110, 100, "Approved", edited=120)]
HALTED = [*APPROVED, report(200, 100), ours(400, "Halted: Log error summary", 100, subtype="thread_broadcast")]


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with running_desk(tmp_path_factory.mktemp("desk")) as desk:
        one = browser.new_page()
        one.goto(desk.url)
        yield one
        one.close()


def step(page: Page, said: list[Said], person: str = ALICE, reached: int = 0, now: int = TUESDAY + 500) -> Said:
    found: Said = page.evaluate(READ, [said, person, reached, now, TUESDAY])
    return found


def test_another_request_and_its_question_are_not_the_storys(page: Page) -> None:
    before = step(page, [*APPROVED, report(200, 100)])
    question = ours(310, "Below which value is a reading out of range?", 300, "Answer")
    assert step(page, [*APPROVED, report(200, 100), PH, question]) == before
    assert (before["at"], before["title"]) == (6, "Post next week's files")
    assert step(page, [PH, question])["title"] == "Ask for a weekly report"


def test_another_plan_that_was_turned_down_hides_no_halted_report(page: Page) -> None:
    found = step(page, [*HALTED, PH, card(320, 300, "Rejected", edited=330)])
    assert (found["at"], found["about"]) == (7, 400)
    assert {"next", "quiet"} <= set(found["does"])


def test_a_question_before_the_plan_names_the_lab_list_only_where_it_asks_for_it(page: Page) -> None:
    assert step(page, [request(), ours(105, "Who is on the lab list?", 100, "Answer")])["at"] == 2


def test_whoever_asked_reads_the_card_first_and_a_teammate_approves_it(page: Page) -> None:
    said = [request(), card(110, 100)]
    assert step(page, said)["at"] == 3
    assert step(page, said, person=BOB)["at"] == 4
    assert step(page, said, reached=4)["at"] == 4


def test_a_plan_that_was_turned_down_can_be_asked_for_again_and_the_new_one_is_followed(page: Page) -> None:
    rejected = [request(), card(110, 100, "Rejected", edited=120)]
    assert "attach" in step(page, rejected)["does"]
    assert step(page, [*rejected, request(130), card(140, 130)])["at"] == 3


def test_a_fix_is_shown_by_its_card_and_once_turned_down_the_weeks_go_on(page: Page) -> None:
    fix = step(page, [*HALTED, card(410, 100, "a new version to review")], person=BOB)
    assert (fix["at"], fix["about"]) == (8, 410)
    down = step(page, [*HALTED, card(410, 100, "Rejected", edited=420)])
    assert (down["at"], down["title"]) == (8, "The fix was turned down")
    assert {"next", "quiet", "monday"} <= set(down["does"])


def test_the_rerun_report_ends_the_story_and_offers_the_next_weeks_and_the_one_off_question(page: Page) -> None:
    end = step(page, [*HALTED, card(410, 100, "Approved", edited=420), report(430, 100)])
    assert (end["at"], end["does"]) == (10, ["mail", "next", "quiet", "books"])


def test_a_week_that_waits_for_its_monday_is_let_pass(page: Page) -> None:
    sunday = MONDAY - 12 * 3600
    posted = {"ts": str(sunday), "user": ALICE, "text": "Logs", "files": [{"name": "spectro-07.log"}]}
    said = [*APPROVED, report(200, 100), posted]
    assert (step(page, said, now=sunday)["at"], step(page, said, now=sunday)["does"]) == (7, ["monday"])
    assert step(page, said, now=MONDAY + 60)["title"] == "It is Monday: the run is under way"
