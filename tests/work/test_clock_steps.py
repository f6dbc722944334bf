"""A clock that is set forward or back makes no slot twice, loses none, and condemns nobody who lives."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.store import pace
from bot.work.steady import Steady
from bot.work.sweep import arm_due
from tests.approval.hands import finish, press, proposed, send
from tests.approval.stage import Stage
from tests.store.rows import NOW

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SILENT_S = 20.0


def tick(stage: Stage) -> list[int]:
    """What the clock's tick queues, done and delivered at once."""
    arm_due(stage.worker(0).db, stage.time)
    queued = stage.ids("select id from run where state = 'queued' order by id")
    assert all(finish(stage, run_id) for run_id in queued)
    send(stage)
    return queued


@pytest.mark.parametrize("step", [HOUR, DAY, 4 * DAY])
def test_TM_06_a_clock_set_back_runs_no_slot_again(stage: Stage, step: timedelta) -> None:
    press(stage, proposed(stage))
    stage.time.pass_by(days=7)
    assert len(tick(stage)) == 1

    # When it is set back, stands there for a while, and comes to the same Monday once more
    stage.time.at -= step
    for _ in range(5):
        assert tick(stage) == []
        stage.time.at += step / 4
    assert len(stage.post.taken) == 1

    # Then the next Monday is a slot like any other
    stage.time.at = stage.one("select next_slot_at from routine")
    assert len(tick(stage)) == 1
    assert stage.one("select count(distinct due_at) from slot") == stage.one("select count(*) from slot") == 2


@pytest.mark.parametrize(("step", "states"), [(HOUR, ["delivered"]), (DAY, ["delivered"]), (21 * DAY, ["skipped"] * 3)])
def test_TM_06_a_clock_set_forward_is_downtime_and_back_again_is_nothing(
    stage: Stage, step: timedelta, states: list[str]
) -> None:
    press(stage, proposed(stage))
    due_at = stage.one("select next_slot_at from routine")
    stage.time.at = due_at - HOUR / 2
    assert tick(stage) == []

    stage.time.at += step
    tick(stage)
    stage.time.at -= step
    stage.time.at += HOUR
    tick(stage)

    assert [state for (state,) in stage.rows("select state from slot order by due_at")] == states
    assert stage.one("select min(due_at) from slot") == due_at


def test_TM_06_turns_that_a_clock_gave_before_it_was_set_back_make_nobody_wait(stage: Stage) -> None:
    def wait_s(now: object, most: int = 20) -> float:
        with stage.behind.transaction() as session:
            return (pace.turn(session, "box", now, 1.0, most) - now).total_seconds()  # type: ignore[arg-type, operator]

    assert [wait_s(NOW + DAY) for _ in range(3)] == [0, 1, 2]
    assert [wait_s(NOW) for _ in range(3)] == [0, 1, 2]


def test_TM_06_nobody_is_condemned_after_the_clock_jumped_until_they_had_time_to_be_heard() -> None:
    steady = Steady(SILENT_S)
    at = [steady.seen(NOW + timedelta(seconds=s), s) for s in (0, 5, 10, 15, 20, 25)]
    assert at == [False, False, False, False, True, True]

    # A computer that slept for a night, and one whose clock was corrected by a fraction of a second
    night = timedelta(hours=8)
    woken = [steady.seen(NOW + night + timedelta(seconds=s), s) for s in (30, 35, 40, 45, 50)]
    assert woken == [False, False, False, False, True]
    assert steady.seen(NOW + night + timedelta(seconds=55.4), 55)

    steady.lost()
    assert not steady.seen(NOW + night + timedelta(seconds=60), 60)
