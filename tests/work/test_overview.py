"""A slot in the history of its routine: how it ended, and how earlier runs of it did."""

from __future__ import annotations

from sqlmodel import select

from bot.domain.overview import SlotLine
from bot.domain.words import SlotState
from bot.store.tables_plans import Routine
from bot.store.tables_talk import Task
from bot.work import govern
from bot.work.overview import history, line
from sandbox.outcome import Surprised
from tests.approval.hands import finish, next_monday, person, press, proposed, send
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


def test_a_question_stands_on_home_until_its_own_report_came(stage: Stage) -> None:
    # Given a halted Monday and a quiet one after it
    press(stage, proposed(stage))
    assert finish(stage, next_monday(stage), ODD)
    halted = int(stage.one("select id from run"))
    assert finish(stage, next_monday(stage))
    send(stage)
    assert _waits(stage) == "No report for Mon 7 Dec 2026 07:00: OddFile has no answer yet"

    # When it is made up for and halts again, then that is one question and no second one
    assert "1 stopped slot runs again" in _backfilled(stage)
    assert finish(stage, _newest(stage), ODD)
    assert stage.one("select count(*) from surprise where state = 'open'") == 1

    # And once its report comes, nothing waits and the question says why
    _backfilled(stage)
    assert _newest(stage) > halted and finish(stage, _newest(stage))
    assert _waits(stage) == ""
    assert stage.ids("select count(*) from surprise where answer = 'its report could be made after all'") == [1]


def test_a_slot_for_which_nothing_was_posted_is_not_run_again(stage: Stage) -> None:
    press(stage, proposed(stage))
    run_id = next_monday(stage)
    assert finish(stage, run_id, Surprised("NoInput", "No files were posted for this slot."))

    said = _backfilled(stage)

    assert said.startswith("Nothing was posted for Mon 7 Dec 2026 07:00 Europe/Oslo, so there is nothing to make up")
    assert "“run now”" in said
    assert _newest(stage) == run_id


def _backfilled(stage: Stage) -> str:
    order = govern.prepared(stage.worker(0), govern.Said(govern.Order.BACKFILL), person("ALICE"))
    with stage.behind.transaction() as session:
        return govern.obeyed(session, 1, order, stage.time.now()).text


def _newest(stage: Stage) -> int:
    return int(stage.one("select max(id) from run"))


def _waits(stage: Stage) -> str:
    with stage.worker(0).db.transaction() as session:
        return line(session, stage.channel, session.get_one(Routine, 1)).waiting


def _task(stage: Stage) -> Task:
    with stage.behind.transaction() as session:
        return session.exec(select(Task)).one()


def _slots(stage: Stage) -> tuple[SlotLine, ...]:
    with stage.worker(0).db.transaction() as session:
        return history(session, session.get_one(Routine, 1)).slots
