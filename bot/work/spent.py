"""What was asked of a model and what it cost, line by line: each slot that came, and each stretch of conversation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from bot.domain.conversation import MessageCause
from bot.domain.words import RunState, SlotState
from bot.store.tables_agent import Conversation, ModelCall
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Run, RunInput, Slot
from bot.store.tables_talk import Task

MOST = 200  # newest lines of each kind; the sums are over these

CAUSES: Mapping[MessageCause, str] = {
    MessageCause.REQUEST: "somebody asked",
    MessageCause.GUIDANCE: "somebody replied",
    MessageCause.SURPRISE: "a surprise",
    MessageCause.GO_ON: "somebody granted more",
}


@dataclass(frozen=True)
class Line:
    """A slot, or a stretch of conversation (`cause` says what woke it; empty for a slot).

    `requests` and `tokens` are those of the task's conversation: for a slot, the ones sent while a run of it was going.
    `micro_usd` is None where the price of an answer is not known.
    """

    at: datetime
    routine: str
    state: str
    cause: str
    was_halted: bool
    read_bytes: int
    run_s: float
    requests: int
    tokens: int
    micro_usd: int | None

    @property
    def is_quiet(self) -> bool:
        """A slot that was delivered without anybody being woken."""
        return not self.cause and self.state == SlotState.DELIVERED and not self.was_halted


def lines(session: Session) -> list[Line]:
    """The newest lines, newest first."""
    return sorted([*_slots(session), *_wakes(session)], key=lambda line: line.at, reverse=True)


def due_of_runs(session: Session) -> dict[int, datetime]:
    """When the slots of the newest runs were due, by the run's number."""
    found = select(Run.id, Slot.due_at).join(Slot, col(Slot.id) == Run.slot_id).order_by(col(Run.id).desc())
    return {run: due_at for run, due_at in session.exec(found.limit(MOST * 5)) if run is not None}


def _slots(session: Session) -> list[Line]:
    found = session.exec(
        select(Slot, Routine).where(Slot.routine_id == Routine.id).order_by(col(Slot.due_at).desc()).limit(MOST)
    ).all()
    return [_slot(session, slot, routine) for slot, routine in found]


def _slot(session: Session, slot: Slot, routine: Routine) -> Line:
    runs = session.exec(select(Run).where(Run.slot_id == slot.id, col(Run.started_at).is_not(None))).all()
    ids, was_halted = [run.id for run in runs], any(run.state is RunState.HALTED for run in runs)
    read = session.exec(select(func.sum(RunInput.size_bytes)).where(col(RunInput.run_id).in_(ids))).one()
    calls = [call for run in runs for call in _while_it_ran(session, routine, run)]
    run_s = sum(((run.ended_at or run.started_at) - run.started_at).total_seconds() for run in runs if run.started_at)
    return Line(slot.due_at, routine.name, slot.state, "", was_halted, int(read or 0), run_s, *_sum(calls))


def _while_it_ran(session: Session, routine: Routine, run: Run) -> Sequence[ModelCall]:
    """Requests of the routine's conversation that were sent between a run's begin and end."""
    asked = (
        select(ModelCall)
        .join(Conversation, col(Conversation.id) == ModelCall.conversation_id)
        .join(Task, col(Task.id) == Conversation.task_id)
        .where(Task.routine_id == routine.id, ModelCall.at >= (run.started_at or run.queued_at))
    )
    if run.ended_at is not None:
        asked = asked.where(ModelCall.at <= run.ended_at)
    return session.exec(asked).all()


def _wakes(session: Session) -> list[Line]:
    rows = session.exec(
        select(ModelCall, Routine.name)
        .join(Conversation, col(Conversation.id) == ModelCall.conversation_id)
        .join(Task, col(Task.id) == Conversation.task_id)
        .outerjoin(Routine, col(Routine.id) == Task.routine_id)
        .order_by(col(ModelCall.id).desc())
        .limit(MOST * 5)
    ).all()
    stretches: dict[tuple[int, int], list[tuple[ModelCall, str]]] = {}
    for call, name in rows:
        stretches.setdefault((call.conversation_id, call.wake_seq), []).append((call, name or ""))
    return [_wake(calls) for calls in stretches.values()][:MOST]


def _wake(calls: Sequence[tuple[ModelCall, str]]) -> Line:
    first, name = min(calls, key=lambda one: one[0].id or 0)
    cause = CAUSES.get(first.cause, str(first.cause))
    return Line(first.at, name, "", cause, False, 0, 0.0, *_sum([call for call, _ in calls]))


def _sum(calls: Sequence[ModelCall]) -> tuple[int, int, int | None]:
    """Requests, tokens and money of some calls."""
    tokens = sum(call.fresh + call.write_5m + call.write_1h + call.read + call.out for call in calls)
    prices = [call.micro_usd for call in calls]
    return len(calls), tokens, None if None in prices else sum(price or 0 for price in prices)
