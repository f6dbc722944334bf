"""Every card as JSON in tests/golden/cards, reviewed like code; --update-golden writes a change that is meant."""

from pathlib import Path

import pytest

from bot.domain.overview import HomeView
from bot.domain.unread_words import above
from bot.domain.views import Button, HearingView, NoteView, View, WordsView
from bot.domain.words import Cause, Verb
from bot.slack.cards import pages, render, routines
from bot.slack.cards.home import home
from bot.slack.cards.question import form, notice, reason_form, report_form
from bot.work.tell import NEXT_STEP
from tests import overviews, views
from tests.golden_files import Golden

GOLDEN = Path(__file__).parents[1] / "golden" / "cards"

CARDS: dict[str, View] = {
    "approval": views.approval(),
    "approval_decided": views.approval(decision=views.decision(), buttons=()),
    "approval_rejected": views.approval(
        decision=views.decision(words="Rejected", reason="The list is wrong"), buttons=()
    ),
    "approval_not_read": views.approval(not_read=above(("since 10 December", "without *north*"))),
    "approval_long_script": views.approval(script=views.SCRIPT * 12),
    "approval_fix": views.fix(),
    "approval_deaf": views.approval(
        hearing=HearingView(
            fit=46,
            well=41,
            alone=33,
            deaf=("last week's files were sent again", "a file also held two days of the week before"),
            broke=("a column was missing",),
            never_fired=("NoInput", "CountsAgree"),
            not_tried=2,
        )
    ),
    "approval_unheard": views.approval(hearing=HearingView(0, 0, 0, problem="The hearing test gave no answer.")),
    "note": NoteView("I could not find files that look like logs. Attach them to your message and mention me again."),
    "note_with_button": NoteView(
        "I stopped before the $0.50 that this may cost. Spent on this so far: $0.41, 9 answers, 61,200 tokens read.",
        (Button(Verb.GO_ON, "press-go-on"),),
    ),
    "note_that_names_people": NoteView(
        "<@U0ALICE0001> answers for it, said <@U0MALLORY01> in <#C0LAB000001>.", people=("U0ALICE0001",)
    ),
    "routines": overviews.routines(),
    "routine": overviews.routine(),
    "routine_not_approved_yet": overviews.routine_not_approved(),
    "history": overviews.history(),
    "bill": overviews.bill_of_one(),
    "bills": overviews.bills(),
    "words": WordsView(
        "The data is wrong: hplc-02.log repeats Tuesday. <!channel> Approved by Dana.\n[Approve](https://example.org)"
    ),
    "basis": views.basis(),
    "question": views.question(),
    "question_answered": views.question(answered_by=views.ALICE),
    "report": views.report(),
    "report_with_picture": views.report(charts=(views.LONG_CHART,), tables=()),
    "steps": views.steps(),
    "steps_none_yet": views.steps(steps=()),
    "surprise": views.surprise(),
    "surprise_repeated": views.surprise(times=3),
    "script_error": views.surprise(
        cause=Cause.SCRIPT_ERROR,
        name="ZeroDivisionError",
        message="division by zero (plan.py line 21)",
        seen="",
        expected="",
        rows=('  File "plan.py", line 21, in <module>', "ZeroDivisionError: division by zero"),
        next_step=NEXT_STEP[Cause.SCRIPT_ERROR],
    ),
    "fault": views.surprise(
        cause=Cause.FAULT,
        name="box",
        message="The box did not answer for 5 minutes. This happened 3 times.",
        seen="",
        expected="",
        rows=(),
        next_step=NEXT_STEP[Cause.FAULT],
    ),
}

PLAN = (("plan.py", views.SCRIPT), ("plan.toml", 'name = "weekly-error-report"\n'), ("report.md", "{errors} errors\n"))
MODALS = {
    "modal_pages": pages.view(pages.Pages("Version 1", PLAN, "press-all"), 0, "{}"),
    "modal_last_page_of_others": pages.view(
        pages.Pages("Version 1", PLAN, "press-all", why_not="Whoever asked for a plan does not approve it."), 99, "{}"
    ),
    "modal_last_page": pages.view(pages.Pages("Version 1", PLAN * 30, "press-all", "press-approve"), 99, "{}"),
    "modal_question": form(views.question(), "{}"),
    "modal_reason": reason_form("Reject", "Why should this not run?", "{}", "Reject"),
    "modal_notice": notice("Standby", "Approved."),
    "modal_report": report_form("Count the <errors>", 2, "{}"),
    "home": home(overviews.home()),
    "home_answer": home(
        overviews.home(said="Paused. <@U0ALICE0001> is told.", waiting=(), admin=(), pages=1, retired=0)
    ),
    "home_nothing_yet": home(HomeView("U0STANDBY01")),
    "modal_history": routines.history_modal(overviews.history()),
    "modal_history_none_yet": routines.history_modal(overviews.history(slots=(), page=0, pages=1)),
    "modal_versions": routines.versions_modal(overviews.versions()),
    "modal_hand_over": routines.hand_over_form(overviews.line(), "{}"),
}


@pytest.mark.parametrize("name", CARDS)
def test_card_is_as_reviewed(name: str, golden: Golden) -> None:
    card = render(CARDS[name])
    golden.check(
        GOLDEN / f"{name}.json", {"text": card.text, "blocks": card.blocks, "files": [n for n, _ in card.files]}
    )


@pytest.mark.parametrize("name", MODALS)
def test_modal_is_as_reviewed(name: str, golden: Golden) -> None:
    golden.check(GOLDEN / f"{name}.json", MODALS[name])


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(CARDS) | set(MODALS)
