"""A slot in the history of its routine: how it ended, and how earlier runs of it did."""

from __future__ import annotations

from sqlmodel import select

from bot.domain.overview import SlotLine
from bot.domain.words import SlotState
from bot.store.tables_plans import Routine
from bot.store.tables_talk import Task
from bot.work.overview import history
from sandbox.outcome import Surprised
from tests.approval.hands import finish, next_monday, press, proposed, send
from tests.approval.stage import Stage, files

ODD = Surprised("OddFile", "spectro-07.log has no line with a known level", file="spectro-07.log")


def test_a_slot_that_was_halted_first_says_so_once_it_is_sent(stage: Stage) -> None:
    press(stage, proposed(stage))
    assert finish(stage, next_monday(stage), ODD)
    [halted] = _slots(stage)
    surprise_id = int(stage.one("select id from surprise"))
    fix = stage.propose(_task(stage), files("weekly-error-report", "count them otherwise"), "ALICE", "", surprise_id)
    assert press(stage, fix).accepted
    assert finish(stage, int(stage.one("select max(id) from run")))
    send(stage)

    [sent] = _slots(stage)

    assert (halted.state, halted.earlier) == (SlotState.HALTED, ())
    assert (sent.state, sent.version) == (SlotState.DELIVERED, 2)
    assert sent.earlier == ("halted before, version 1: OddFile: spectro-07.log has no line with a known level",)


def _task(stage: Stage) -> Task:
    with stage.behind.transaction() as session:
        return session.exec(select(Task)).one()


def _slots(stage: Stage) -> tuple[SlotLine, ...]:
    with stage.worker(0).db.transaction() as session:
        return history(session, session.get_one(Routine, 1)).slots
