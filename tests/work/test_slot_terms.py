"""What a manifest says of late, overtaken and empty-handed slots is what happens to them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.domain.ports import WorkspaceFile
from bot.store import talk
from bot.work import govern, run
from bot.work.hold import is_held
from bot.work.sweep import BEGUN_LATE, OVERTAKEN, TOO_LATE, arm_due
from tests.approval.hands import finish, person, press, send
from tests.approval.outside import LAB, TEAM
from tests.approval.stage import Stage, files
from tests.work.queued import waiting

MONDAY = datetime(2026, 12, 7, 6, tzinfo=UTC)  # 07:00 in Oslo


def approved(stage: Stage, **terms: Any) -> None:
    """A routine with these lines in its [schedule], current from now on."""
    lines = "".join(f"\n{key} = {value!r}".replace("'", '"') for key, value in terms.items())
    plan = files("weekly-error-report", "count the errors")
    plan["plan.toml"] = plan["plan.toml"].replace(b'zone = "Europe/Oslo"', f'zone = "Europe/Oslo"{lines}'.encode())
    assert press(stage, stage.propose(stage.new_task("routine.0"), plan, "ALICE", "", None)).accepted


def at(stage: Stage, moment: datetime) -> None:
    stage.time.at = moment
    arm_due(stage.worker(0).db, stage.time)


def posted(stage: Stage, name: str, moment: datetime) -> None:
    with stage.behind.transaction() as session:
        file = WorkspaceFile(f"F-{name}", name, 10, "text/plain", "https://files.example/x")
        talk.note_file(session, TEAM, LAB, "9.0", "ALICE", moment, file)


def newest(stage: Stage) -> int:
    return int(stage.one("select max(id) from run"))


def held(stage: Stage) -> bool:
    return is_held(stage.worker(0), newest(stage))


def slots(stage: Stage) -> list[tuple[str, str]]:
    return [(str(state), str(reason)) for state, reason in stage.rows("select state, reason from slot order by due_at")]


def said(stage: Stage) -> list[str]:
    """What the thread will show: a sentence is posted once under its key."""
    return list({args["key"]: args["text"] for name, args in waiting(stage.behind) if name == "say"}.values())


def test_files_that_are_there_at_the_slot_begin_it_at_once(stage: Stage) -> None:
    approved(stage, wait_until="10:00")
    posted(stage, "a.log", MONDAY - timedelta(minutes=1))
    at(stage, MONDAY)

    assert not held(stage)


def test_files_are_waited_for_until_they_have_all_come_and_then_belong_to_the_slot(stage: Stage) -> None:
    approved(stage, wait_until="10:00")
    at(stage, MONDAY)
    assert held(stage)

    # One that came a moment ago may be the first of many
    posted(stage, "a.log", MONDAY + timedelta(minutes=20))
    stage.time.at = MONDAY + timedelta(minutes=20, seconds=30)
    assert held(stage)
    stage.time.at = MONDAY + timedelta(minutes=21, seconds=1)
    assert not held(stage)

    work = run.claim(stage.worker(0), newest(stage))
    assert work is not None and work.facts.until >= MONDAY + timedelta(minutes=21)


def test_a_slot_waits_for_as_many_files_as_were_named(stage: Stage) -> None:
    approved(stage, wait_until="10:00", wait_files=2)
    posted(stage, "a.log", MONDAY - timedelta(minutes=5))
    at(stage, MONDAY)
    assert held(stage)

    posted(stage, "b.log", MONDAY + timedelta(minutes=5))
    stage.time.at = MONDAY + timedelta(minutes=7)
    assert not held(stage)


@pytest.mark.parametrize(("count", "name"), [(0, "NoInput"), (1, "FilesMissing")])
def test_what_is_not_there_by_the_deadline_halts_and_is_told(stage: Stage, count: int, name: str) -> None:
    approved(stage, wait_until="10:00", wait_files=2)
    for number in range(count):
        posted(stage, f"{number}.log", MONDAY - timedelta(minutes=5))
    at(stage, MONDAY)
    stage.time.at = MONDAY + timedelta(hours=2, minutes=59)
    assert held(stage) and slots(stage) == [("due", "")]

    stage.time.at = MONDAY + timedelta(hours=3)
    assert held(stage)

    state, reason = slots(stage)[0]
    assert state == "halted" and reason.startswith(f"{name}: ") and "by 10:00" in reason
    assert "tell" in [name for name, _ in waiting(stage.behind)]


def test_a_slot_that_comes_while_the_one_before_runs_is_skipped_and_said_once(stage: Stage) -> None:
    approved(stage)
    at(stage, MONDAY)
    for week in (1, 2):
        at(stage, MONDAY + timedelta(weeks=week))

    assert slots(stage) == [("due", ""), ("skipped", OVERTAKEN), ("skipped", OVERTAKEN)]
    assert len([text for text in said(stage) if OVERTAKEN in text]) == 1

    # What it would have covered is made up for by one order
    assert finish(stage, newest(stage))
    order = govern.prepared(stage.worker(0), govern.Said(govern.Order.BACKFILL), person("ALICE"))
    with stage.behind.transaction() as session:
        answer = govern.obeyed(session, int(stage.one("select id from routine")), order, stage.time.now())
    assert "2 missed slots" in answer.text


def test_a_slot_may_wait_for_the_one_before_instead(stage: Stage) -> None:
    approved(stage, overlap="wait")
    at(stage, MONDAY)
    first = newest(stage)
    at(stage, MONDAY + timedelta(weeks=1))

    assert held(stage)
    assert finish(stage, first)
    assert not held(stage)


def test_a_run_that_cannot_begin_in_time_is_skipped_and_said(stage: Stage) -> None:
    approved(stage, late_min=90)
    at(stage, MONDAY)
    stage.time.at = MONDAY + timedelta(minutes=89)
    assert not held(stage)

    stage.time.at = MONDAY + timedelta(minutes=91)
    assert held(stage)

    assert slots(stage) == [("skipped", BEGUN_LATE)]
    assert [text for text in said(stage) if "at most 1 hour 30 minutes late" in text]


def test_what_people_ask_for_is_neither_late_nor_waits(stage: Stage) -> None:
    approved(stage, late_min=90, wait_until="10:00")
    order = govern.prepared(stage.worker(0), govern.Said(govern.Order.RUN_NOW), person("ALICE"))
    with stage.behind.transaction() as session:
        govern.obeyed(session, int(stage.one("select id from routine")), order, stage.time.now())
    stage.time.at += timedelta(hours=5)

    assert not held(stage)


@pytest.mark.parametrize(("hours", "state"), [(11, "due"), (13, "skipped")])
def test_after_downtime_the_last_slot_runs_late_within_the_window_of_its_plan(
    stage: Stage, hours: int, state: str
) -> None:
    approved(stage, catch_up_h=12)
    at(stage, MONDAY + timedelta(weeks=1, hours=hours))

    assert slots(stage) == [("skipped", TOO_LATE), (state, "" if state == "due" else TOO_LATE)]


def test_a_late_report_says_how_late_it_began(stage: Stage) -> None:
    approved(stage)
    at(stage, MONDAY)
    stage.time.at = MONDAY + timedelta(minutes=72)
    assert finish(stage, newest(stage))
    send(stage)

    assert "begun 1 hour 12 minutes late" in stage.post.taken[0].text


def test_a_slot_that_new_rules_of_a_zone_or_calendar_moved_is_said_and_the_routine_goes_on(stage: Stage) -> None:
    approved(stage)
    stage.tamper("update routine set next_slot_at = next_slot_at + interval '30 minutes'")
    at(stage, MONDAY + timedelta(minutes=31))
    assert slots(stage) == [("due", "")]  # by the rules of today it was due at 07:00

    stage.tamper("update routine set next_slot_at = :at", at=MONDAY + timedelta(days=3))
    at(stage, MONDAY + timedelta(days=3, minutes=1))

    assert len(slots(stage)) == 1
    assert [text for text in said(stage) if "is none any more" in text and "Next: Mon 14 Dec 2026 07:00" in text]
    assert stage.one("select next_slot_at from routine") == MONDAY + timedelta(weeks=1)
