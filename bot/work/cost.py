"""Bills from what is stored: of every routine in a workspace, and of a plan before its first run."""

from collections.abc import Sequence

from sqlmodel import Session, col, func, select

from bot.domain.bill import Bill, Paid, Rates, RunRead, bill_of, density, summed
from bot.domain.conversation import ANSWERED, MessageCause
from bot.domain.words import RunState
from bot.store.plans import known
from bot.store.tables_agent import Conversation, Measured, ModelCall
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Run, RunInput, Slot
from bot.store.tables_sources import Collected
from bot.store.tables_talk import SharedFile, Task

NOT_SAID = Rates("the model", "no day", None, None)


def bills(session: Session, routine: str = "") -> list[tuple[Routine, Bill]]:
    """Every routine's bill, by workspace and name; or that of one."""
    found = select(Routine).order_by(col(Routine.team_id), col(Routine.name))
    if routine:
        found = found.where(Routine.name == routine)
    return [(one, bill_of_routine(session, one)) for one in session.exec(found)]


def bill_of_routine(session: Session, routine: Routine) -> Bill:
    """What its thread's conversation cost, beside what a loop over its runs would have."""
    task = session.exec(select(Task).where(Task.routine_id == routine.id)).first()
    return _bill(session, task, _runs(session, known(routine.id)))


def paid_once(session: Session) -> dict[str, Paid]:
    """What questions cost that were asked once and are no routine, by workspace; only those that asked a model."""
    asked = session.exec(
        select(Task)
        .join(Conversation, col(Conversation.task_id) == Task.id)
        .where(col(Task.routine_id).is_(None))
        .order_by(col(Task.team_id))
    ).all()
    return {team: summed([_paid(session, one) for one in asked if one.team_id == team]) for team in _teams(asked)}


def _teams(tasks: Sequence[Task]) -> list[str]:
    return list(dict.fromkeys(one.team_id for one in tasks))


def bill_of_draft(session: Session, task: Task | None) -> Bill:
    """Before anything ran: over one pretended run of the data that is attached to the task."""
    attached = 0
    if task is not None:
        sizes = select(func.sum(SharedFile.size_bytes)).where(
            SharedFile.team_id == task.team_id,
            SharedFile.channel_id == task.channel_id,
            SharedFile.thread_ts == task.thread_ts,
            col(SharedFile.deleted_at).is_(None),
        )
        taken = select(func.sum(Collected.size_bytes)).where(Collected.task_id == task.id)
        attached = int(session.exec(sizes).one() or 0) + int(session.exec(taken).one() or 0)
    return _bill(session, task, [RunRead(attached)])


def _bill(session: Session, task: Task | None, runs: Sequence[RunRead]) -> Bill:
    measured = session.get(Measured, known(task.id)) if task else None
    if measured is None:
        return bill_of(_paid(session, task), runs, NOT_SAID, density(0, 0, ""))
    rates = Rates(measured.model, measured.price_version, measured.fresh_usd, measured.out_usd)
    dense = density(measured.tokens, measured.sample_bytes, f"{measured.at:%Y-%m-%d}")
    return bill_of(_paid(session, task), runs, rates, dense)


def _paid(session: Session, task: Task | None) -> Paid:
    """Every attempt counts, as it was billed; one whose price is not known is counted and never taken for nothing."""
    if task is None:
        return Paid()
    calls = session.exec(
        select(ModelCall)
        .join(Conversation, col(Conversation.id) == ModelCall.conversation_id)
        .where(Conversation.task_id == task.id)
    ).all()
    surprises = [call for call in calls if call.cause is MessageCause.SURPRISE]
    return Paid(
        draft_micro_usd=sum(call.micro_usd or 0 for call in calls if call.cause is not MessageCause.SURPRISE),
        surprise_micro_usd=sum(call.micro_usd or 0 for call in surprises),
        surprises=len({call.wake_seq for call in surprises}),
        tokens=sum(call.fresh + call.write_5m + call.write_1h + call.read + call.out for call in calls),
        unknown=sum(call.micro_usd is None and call.outcome == ANSWERED for call in calls),
    )


def _runs(session: Session, routine_id: int) -> list[RunRead]:
    """Runs of slots that ended, oldest first, with the bytes that each was given. Without input there is none to read,
    for a loop either."""
    found = session.exec(
        select(Run, func.sum(RunInput.size_bytes))
        .join(Slot, col(Slot.id) == Run.slot_id)
        .join(RunInput, col(RunInput.run_id) == Run.id)
        .where(Slot.routine_id == routine_id, col(Run.ended_at).is_not(None))
        .where(col(Run.state).in_((RunState.REPORTED, RunState.HALTED, RunState.FAILED)))
        .group_by(col(Run.id))
        .order_by(col(Run.id))
    )
    return [RunRead(int(size), run.state is RunState.HALTED) for run, size in found]
