"""A routine whose owner or approver left pauses before its next run, says why, and goes on under somebody else."""

from __future__ import annotations

import pytest
from sqlmodel import select

from bot.domain.orders import Order, Said
from bot.slack.cards import render
from bot.store.tables_plans import Routine
from bot.work import govern
from bot.work.left import is_left
from bot.work.one_routine import routine_view
from tests.approval.hands import next_monday, person, press, proposed
from tests.approval.stage import Stage
from tests.slack.test_cards_properties import words_of


@pytest.fixture
def running(stage: Stage) -> Stage:
    press(stage, proposed(stage))
    return stage


def order(stage: Stage, what: Order, by: str, new_owner: str = "") -> str:
    routine_id = int(stage.one("select id from routine"))
    key = f"{what}:{by}:{stage.time.now()}"
    return govern.give(stage.worker(0), routine_id, Said(what, new_owner), person(by), key).text


def directly(stage: Stage) -> set[str]:
    """Whom it was said to alone."""
    return {ref.channel_id for key, ref in stage.channel.posted if ":direct:" in key}


def test_while_everybody_is_there_nothing_is_held_up(running: Stage) -> None:
    assert not is_left(running.worker(0), next_monday(running))


@pytest.mark.parametrize(
    ("gone", "words"), [("ALICE", "its owner <@ALICE> is deactivated"), ("BOB", "<@BOB>, who approved it")]
)
def test_an_owner_or_approver_who_left_pauses_the_routine_and_is_told(running: Stage, gone: str, words: str) -> None:
    running.channel.gone.add(gone)

    assert is_left(running.worker(0), next_monday(running))

    assert running.one("select state from routine") == "paused"
    assert running.one("select state from slot") == "blocked"
    assert words in running.one("select reason from slot")
    assert words in running.one("select body->>'reason' from history where kind = 'routine.paused'")
    assert directly(running) == {"ALICE", "BOB"}


def test_another_approver_stands_for_what_an_approver_who_left_approved(running: Stage) -> None:
    running.channel.gone.add("BOB")
    assert is_left(running.worker(0), next_monday(running))

    # Whoever asked for it may resume it, but cannot stand for it
    assert order(running, Order.RESUME, "ALICE").startswith("Resumed")
    assert is_left(running.worker(0), next_monday(running))

    assert order(running, Order.RESUME, "GINA").startswith("Resumed")
    assert not is_left(running.worker(0), next_monday(running))


def test_a_new_owner_leads_out(running: Stage) -> None:
    running.channel.gone.add("ALICE")
    assert is_left(running.worker(0), next_monday(running))

    order(running, Order.OWNER, "GINA", "GINA")
    order(running, Order.RESUME, "GINA")

    assert not is_left(running.worker(0), next_monday(running))


def test_who_approved_and_who_stands_for_it_since_are_both_said_with_their_moments(running: Stage) -> None:
    # Given Bob's approval on a Monday, after which he left
    running.channel.gone.add("BOB")
    assert is_left(running.worker(0), next_monday(running))

    # When Gina stands for it a week later, and somebody else resumes it after a pause
    assert order(running, Order.RESUME, "GINA").startswith("Resumed")
    running.time.pass_by(days=1)
    order(running, Order.PAUSE, "ALICE")
    order(running, Order.RESUME, "ALICE")

    # Then what is shown names each with their own moment
    with running.behind.transaction() as session:
        view = routine_view(session, running.worker(0), session.exec(select(Routine)).one())
    assert (view.approved_by, view.approved_at) == ("BOB", "Mon 30 Nov 2026 09:00")
    assert (view.vouched_by, view.vouched_at) == ("GINA", "Mon 7 Dec 2026 09:00")
    said = words_of(render(view))
    assert said.index("Mon 30 Nov") < said.index("stands for it since Mon 7 Dec 2026 09:00")
