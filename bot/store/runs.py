"""Queries about slots, runs, surprises and deliveries."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import delete, func
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlmodel import Session, col, select

from bot.domain.words import DeliveryState, RunState, SlotState, SurpriseState
from bot.store.guarded import move
from bot.store.tables_runs import Delivery, LeftAside, Run, RunInput, Slot, SurpriseRow


def claim_slot(
    session: Session,
    routine_id: int,
    due_at: datetime,
    since: datetime,
    state: SlotState,
    reason: str = "",
    until: datetime | None = None,
) -> int | None:
    """The id of a new slot row; None when somebody made it before. Its inputs end when it is due, or at `until`."""
    end = until or due_at
    row = session.execute(
        insert(Slot)
        .values(routine_id=routine_id, due_at=due_at, since=since, until=end, state=state, reason=reason)
        .on_conflict_do_nothing()
        .returning(col(Slot.id))
    ).first()
    return None if row is None else int(row[0])


def window_end(session: Session, routine_id: int) -> datetime | None:
    """Up to when files belong to slots that exist; the next slot's begin there. None before the first slot."""
    return session.exec(select(func.max(Slot.until)).where(Slot.routine_id == routine_id)).one()


def slots_in(session: Session, routine_id: int, states: Collection[SlotState]) -> list[Slot]:
    """Slots of a routine in one of these states, oldest first."""
    found = select(Slot).where(Slot.routine_id == routine_id, col(Slot.state).in_(states))
    return list(session.exec(found.order_by(col(Slot.due_at))))


def last_slot_id(session: Session, routine_id: int) -> int:
    """The id of the slot that was made last; 0 before the first."""
    return session.exec(select(func.max(Slot.id)).where(Slot.routine_id == routine_id)).one() or 0


def latest_slots(session: Session, routine_id: int, count: int, skip: int = 0) -> list[Slot]:
    """Slots of a routine, newest first."""
    found = select(Slot).where(Slot.routine_id == routine_id).order_by(col(Slot.due_at).desc())
    return list(session.exec(found.offset(skip).limit(count)))


def slot_count(session: Session, routine_id: int) -> int:
    return session.exec(select(func.count()).select_from(Slot).where(Slot.routine_id == routine_id)).one()


def is_newest(session: Session, slot: Slot) -> bool:
    """Whether no later slot of the routine exists, so that its window may still grow."""
    later = select(Slot.id).where(Slot.routine_id == slot.routine_id, Slot.due_at > slot.due_at).limit(1)
    return session.exec(later).first() is None


def newest_slot_at(session: Session, routine_id: int) -> datetime | None:
    """The due moment of the latest slot that was made."""
    return session.exec(select(func.max(Slot.due_at)).where(Slot.routine_id == routine_id)).one()


def still_running(session: Session, routine_id: int, before: datetime) -> int | None:
    """An earlier slot of the routine that has not come to a result; reruns, which people ask for, aside."""
    begun = select(func.count()).where(Run.slot_id == Slot.id, Run.attempt == 1).scalar_subquery()
    found = select(Slot.id).where(
        Slot.routine_id == routine_id, Slot.due_at < before, Slot.state == SlotState.DUE, begun <= 1
    )
    return session.exec(found.order_by(col(Slot.due_at)).limit(1)).first()


def is_first_run(session: Session, run: Run) -> bool:
    """Whether nothing of this run's slot was begun before it."""
    others = select(Run.id).where(Run.slot_id == run.slot_id, Run.id != run.id).limit(1)
    return session.exec(others).first() is None


def queue_run(session: Session, slot_id: int, plan_id: int, now: datetime, attempt: int = 1) -> Run:
    run = Run(slot_id=slot_id, plan_id=plan_id, attempt=attempt, queued_at=now)
    session.add(run)
    session.flush()
    return run


def inputs_of(session: Session, run_id: int) -> list[RunInput]:
    return list(session.exec(select(RunInput).where(RunInput.run_id == run_id).order_by(col(RunInput.name))))


def aside_of(session: Session, slot_id: int) -> list[str]:
    """Names of the files that were left aside when the slot ran last."""
    found = select(LeftAside.name).where(LeftAside.slot_id == slot_id)
    return list(session.exec(found.order_by(col(LeftAside.name))))


def leave_aside(session: Session, slot_id: int, names: Collection[str]) -> None:
    """Note them beside those that its run left aside before."""
    for name in names:
        session.merge(LeftAside(slot_id=slot_id, name=name))


def forget_aside(session: Session, slot_id: int) -> None:
    """A new run decides anew."""
    session.execute(delete(LeftAside).where(col(LeftAside.slot_id) == slot_id))


def claim_delivery(session: Session, slot_id: int, run_id: int, destination: str, key: str) -> int | None:
    """The id of a delivery that is to be sent: a new one, or one that failed for certain before.

    None for one that was sent, or may have been: a rerun never sends those again.
    """
    row = insert(Delivery).values(
        slot_id=slot_id,
        run_id=run_id,
        destination=destination,
        key=key,
        state=DeliveryState.PENDING,
        recipients={},
        proof="",
        attempts=0,
    )
    made = session.execute(row.on_conflict_do_nothing().returning(col(Delivery.id))).first()
    if made is not None:
        return int(made[0])
    there = select(Delivery.id).where(Delivery.slot_id == slot_id, Delivery.destination == destination)
    delivery_id = int(session.exec(there).one() or 0)
    again = {"run_id": run_id, "proof": "", "attempts": 0}
    is_again = move(session, Delivery, delivery_id, DeliveryState.FAILED, DeliveryState.PENDING, **again)
    return delivery_id if is_again else None


def last_run(session: Session, slot_id: int) -> Run | None:
    return session.exec(select(Run).where(Run.slot_id == slot_id).order_by(col(Run.id).desc()).limit(1)).first()


def runs_of(session: Session, slot_id: int) -> list[Run]:
    """Every run of a slot, oldest first."""
    return list(session.exec(select(Run).where(Run.slot_id == slot_id).order_by(col(Run.id))))


def reported_before(session: Session, routine_id: int, due_at: datetime, limit: int) -> list[tuple[Slot, Run]]:
    """Earlier slots whose run reported, newest first, each once: what a slot may be compared with."""
    found = session.exec(
        select(Slot, Run)
        .ext(distinct_on(col(Slot.due_at)))  # a slot that was rerun counts with its latest report
        .where(Slot.id == Run.slot_id)
        .where(
            Slot.routine_id == routine_id,
            Slot.due_at < due_at,
            Run.state == RunState.REPORTED,
        )
        .order_by(col(Slot.due_at).desc(), col(Run.id).desc())
        .limit(limit)
    )
    return [(slot, run) for slot, run in found]


def open_surprise(session: Session, routine_id: int, fingerprint: str) -> SurpriseRow | None:
    """The question that is still open about the same thing."""
    return session.exec(
        select(SurpriseRow).where(
            SurpriseRow.routine_id == routine_id,
            SurpriseRow.fingerprint == fingerprint,
            SurpriseRow.state == SurpriseState.OPEN,
        )
    ).first()


def deliveries_of(session: Session, slot_id: int) -> list[Delivery]:
    return list(session.exec(select(Delivery).where(Delivery.slot_id == slot_id).order_by(col(Delivery.id))))


def slots_waiting_for(session: Session, surprise_id: int) -> list[Slot]:
    """Slots that ended with this surprise, oldest first."""
    return list(session.exec(select(Slot).where(Slot.surprise_id == surprise_id).order_by(col(Slot.due_at))))


def open_surprises(session: Session, routine_id: int) -> list[SurpriseRow]:
    """Questions of a routine that nobody answered yet, newest first."""
    return list(
        session.exec(
            select(SurpriseRow)
            .where(SurpriseRow.routine_id == routine_id, SurpriseRow.state == SurpriseState.OPEN)
            .order_by(col(SurpriseRow.id).desc())
        )
    )
