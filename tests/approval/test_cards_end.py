"""A card does not wait for ever, is not one of too many, and counts only where it stands."""

from __future__ import annotations

import pytest

from bot.domain.cards import EXPIRES_AFTER, MOST_OPEN
from bot.domain.errors import PlanProblem
from bot.domain.people import Person
from bot.domain.ports import MessageRef
from bot.domain.words import Verb
from bot.work import decide
from bot.work.instruct import Refused
from bot.work.sent import sent_pages
from bot.work.verify import problems
from bot.work.waiting import mind_cards
from tests.approval.hands import button_of, person, press, proposed
from tests.approval.outside import LAB
from tests.approval.stage import Stage, files


def said(stage: Stage) -> list[str]:
    return [row[0] for row in stage.rows("select args ->> 'text' from procrastinate_jobs where task_name = 'say'")]


def a_day_later(stage: Stage, days: float = 1) -> None:
    stage.time.pass_by(days)
    mind_cards(stage.worker(0).db, stage.time)


def test_people_are_reminded_once_and_then_the_card_expires(stage: Stage) -> None:
    # Given a card
    plan_id = proposed(stage)

    # When a day passes, then nothing; when many do, then one reminder
    a_day_later(stage)
    assert said(stage) == []
    for _ in range(12):
        a_day_later(stage)
    assert said(stage) == ["Version 1 still waits for a decision."]

    # When the last day passes, then it expires, and a press is told so
    a_day_later(stage)
    assert said(stage)[1:] == [
        f"Nobody decided on version 1 within {EXPIRES_AFTER.days} days, so it expired. It will never run."
    ]
    answer = press(stage, plan_id)
    assert (answer.accepted, "expired" in answer.text) == (False, True)
    assert stage.one("select state from plan") == "expired"
    assert problems(stage.behind) == []


def test_a_decided_card_neither_reminds_nor_expires(stage: Stage) -> None:
    press(stage, proposed(stage))
    before = said(stage)
    for _ in range(20):
        a_day_later(stage)
    assert said(stage) == before


def test_AP_19_more_cards_than_anybody_reads_are_refused_in_words(stage: Stage) -> None:
    # Given as many cards as may wait in a channel
    for number in range(MOST_OPEN):
        proposed(stage, routine=f"routine-{number}")

    # When one more comes, then it is refused; a new version of one that waits is not
    with pytest.raises(PlanProblem, match=f"{MOST_OPEN} plans wait for a decision in this channel"):
        proposed(stage, routine="one-more")
    first = stage.one("select min(id) from task")
    stage.propose(stage.task(first), files("routine-0", "another"), "ALICE", "", None)

    # When one is decided, then the next may come
    press(stage, stage.one("select max(id) from plan"))
    proposed(stage, routine="one-more-then")


@pytest.mark.parametrize("on", [MessageRef("C0OTHER0001", "1.0"), MessageRef(LAB, "2.0"), MessageRef("", "")])
def test_AP_16_a_button_counts_on_its_own_message_only(stage: Stage, on: MessageRef) -> None:
    plan_id = proposed(stage)
    stage.tamper("update card set message_ts = '1.0'")
    button = button_of(stage, plan_id)

    answer = decide.press(stage.worker(0), button, Verb.APPROVE, person("BOB"), on)

    assert (answer.accepted, answer.text) == (
        False, "This button belongs to another message. Nothing was changed; press it on its own card."
    )  # fmt: skip
    assert press(stage, plan_id).accepted


def without_check(name: str) -> dict[str, bytes]:
    made = files("weekly-error-report", "a fix")
    declared = b'[[checks]]\nname = "OddFile"'
    made["plan.toml"] = made["plan.toml"].replace(declared, f'[[checks]]\nname = "{name}"'.encode())
    return made


def test_AP_15_a_fix_that_drops_a_check_needs_the_same_persons_second_press(stage: Stage) -> None:
    # Given a version that lost the check OddFile
    assert press(stage, proposed(stage)).accepted
    task = stage.task(stage.one("select id from task"))
    fix = stage.propose(task, without_check("EvenFile"), "ALICE", "", None)

    # When a teammate presses Approve, then nothing is approved yet, and the answer names the check
    first = press(stage, fix)
    assert not first.accepted
    assert "no longer has the check OddFile" in first.text
    assert stage.one("select count(*) from decision where plan_id = :p", p=fix) == 0

    # And only the same person may confirm
    on = MessageRef(LAB, "")
    for other in ("GINA", "ALICE", "DORA"):
        refused = decide.press(stage.worker(0), first.second_press_id, Verb.APPROVE_WITHOUT, person(other), on)
        assert not refused.accepted
    confirmed = decide.press(stage.worker(0), first.second_press_id, Verb.APPROVE_WITHOUT, person("BOB"), on)
    assert confirmed.accepted

    # And history says what went
    query = "select body ->> 'without' from history where kind = 'plan.approve' order by id desc limit 1"
    assert stage.one(query) == '["OddFile"]'
    assert problems(stage.behind) == []


def test_pages_have_approve_for_those_who_may(stage: Stage) -> None:
    plan_id = proposed(stage)
    show_all = button_of(stage, plan_id, Verb.SHOW_ALL)

    def approve_for(who: str) -> bool:
        found = decide.pages(stage.worker(0), show_all, person(who))
        assert found is not None
        return bool(found.approve_press_id)

    assert [approve_for(who) for who in ("BOB", "GINA", "ALICE", "DORA")] == [True, True, False, False]


@pytest.mark.parametrize(
    "who", [person("EVE", is_stranger=True), person("EVE", is_guest=True), Person("EVE", "T0OTHER0001", "Eve")]
)
def test_pages_are_for_members_of_the_workspace(stage: Stage, who: Person) -> None:
    show_all = button_of(stage, proposed(stage), Verb.SHOW_ALL)
    with pytest.raises(Refused, match="for members of this workspace"):
        decide.pages(stage.worker(0), show_all, who)


def test_pages_of_a_plan_are_behind_its_own_button_alone(stage: Stage) -> None:
    plan_id = proposed(stage)
    stage.tamper("update press set verb = 'show_sent' where verb = 'move'")  # a card of a model's plan has it as well
    sent = button_of(stage, plan_id, Verb.SHOW_SENT)
    assert decide.pages(stage.worker(0), sent, person("BOB")) is None
    found = sent_pages(stage.worker(0), sent, person("BOB"))
    assert found is not None
    assert found.title == "What was sent to the model"


def test_a_version_for_one_slot_leaves_the_card_of_the_lasting_one_as_it_is(stage: Stage) -> None:
    # Given a current version, and another that waits for a decision
    first = proposed(stage)
    press(stage, first)
    task = stage.task(stage.ids("select task_id from plan where id = :p", p=first)[0])
    lasting = stage.propose(task, files("weekly-error-report", "count more"), "ALICE", "", None)

    # When a version comes that counts for one slot alone, then both wait
    once = files("weekly-error-report", "count the errors")
    only = b'\n[only]\ndue_at = "2026-12-07T06:00:00+00:00"\nleave_out = ["mill.log"]\n'
    for_once = stage.propose(task, once | {"plan.toml": once["plan.toml"] + only}, "ALICE", "", None)
    assert stage.ids("select plan_id from card where state = 'open' order by plan_id") == [lasting, for_once]

    # And when that one is approved, then the lasting one still can be, and is current then
    assert press(stage, for_once).accepted
    assert press(stage, lasting).accepted
    assert stage.one("select current_plan_id from routine") == lasting
