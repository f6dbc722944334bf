"""What was asked of a model, line by line: a quiet slot asked nothing, and what was asked while one ran would show."""

from datetime import datetime, timedelta

from sqlmodel import Session

from bot.domain.conversation import Frozen, MessageCause
from bot.domain.words import RunState, SlotState
from bot.store import agent as conversations
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables import ModelCall, Routine, Run, RunInput, Slot, Task
from bot.work.spent import due_of_runs, lines
from tests.store import rows

FROZEN = Frozen("claude-sonnet-5-5", "", 8_000, "system", "[]", "planner-1")
BEGAN = timedelta(seconds=2)


def test_slots_and_conversations_stand_apart_newest_first(database: Database) -> None:
    # Given a draft of two requests, a quiet week, and a week that halted, woke the model once and was then delivered
    with database.transaction() as session:
        routine, task = _asked(session)
        _called(session, task, MessageCause.REQUEST, wake_seq=1, at=rows.NOW - timedelta(hours=2))
        _called(session, task, MessageCause.REQUEST, wake_seq=1, at=rows.NOW - timedelta(hours=1))
        plan = rows.a_plan(session, routine)
        _ran(session, rows.a_run(session, plan, rows.NOW, RunState.REPORTED))
        odd = rows.a_run(session, plan, rows.NOW + rows.WEEK, RunState.HALTED)
        _ran(session, odd)
        _called(session, task, MessageCause.SURPRISE, wake_seq=9, at=rows.NOW + rows.WEEK + timedelta(minutes=1))

    with database.transaction() as session:
        found = lines(session)
        due = due_of_runs(session)

    assert [line.cause for line in found] == ["a surprise", "", "", "somebody asked"]
    surprise, halted, quiet, draft = found
    assert (draft.requests, draft.tokens, draft.micro_usd) == (2, 19_800, 20_000)
    assert (surprise.requests, surprise.micro_usd) == (1, 10_000)
    assert [(line.requests, line.tokens, line.micro_usd) for line in (halted, quiet)] == [(0, 0, 0)] * 2
    assert (quiet.is_quiet, halted.is_quiet, draft.is_quiet) == (True, False, False)
    assert (quiet.read_bytes, quiet.run_s) == (200_000, 3.0)
    assert due[known(odd.id)] == rows.NOW + rows.WEEK


def test_a_request_sent_while_a_run_was_going_counts_as_the_slots(database: Database) -> None:
    with database.transaction() as session:
        routine, task = _asked(session)
        _ran(session, rows.a_run(session, rows.a_plan(session, routine), rows.NOW, RunState.REPORTED))
        _called(session, task, MessageCause.GUIDANCE, wake_seq=5, at=rows.NOW + BEGAN + timedelta(seconds=1))

    with database.transaction() as session:
        [slot] = [line for line in lines(session) if not line.cause]

    assert (slot.requests, slot.micro_usd) == (1, 10_000)


def _asked(session: Session) -> tuple[Routine, Task]:
    task, routine = rows.a_task(session), rows.a_routine(session)
    task.routine_id = routine.id
    conversations.begin(session, known(task.id), task.team_id, FROZEN, rows.NOW)
    return routine, task


def _ran(session: Session, run: Run) -> None:
    """Three seconds over two files, and its slot delivered in the end."""
    slot = session.get_one(Slot, run.slot_id)
    slot.state = SlotState.DELIVERED
    run.started_at = slot.due_at + BEGAN
    run.ended_at = run.started_at + timedelta(seconds=3)
    for number in range(2):
        session.add(RunInput(run_id=known(run.id), name=f"{number}.log", sha256="0" * 64, size_bytes=100_000))
    session.flush()


def _called(session: Session, task: Task, cause: MessageCause, wake_seq: int, at: datetime) -> None:
    conversation = conversations.conversation_of(session, known(task.id))
    assert conversation is not None
    call = ModelCall(
        conversation_id=known(conversation.id), team_id="T1", wake_seq=wake_seq, last_seq=wake_seq, cause=cause,
        attempt=1, model=FROZEN.model, price_version="2026-11-30", reserved_tokens=9_000, at=at, outcome="ok",
        fresh=9_000, out=900, micro_usd=10_000,
    )  # fmt: skip
    session.add(call)
    session.flush()
