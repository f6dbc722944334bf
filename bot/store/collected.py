"""Queries about files taken from sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete
from sqlmodel import Session, col, select

from bot.domain.words import RunState, SlotState
from bot.store.tables_runs import Run, RunInput, Slot
from bot.store.tables_sources import Collected

# Of a slot whose report went out, or is on its way.
OUT = (SlotState.DUE, SlotState.DELIVERING, SlotState.DELIVERED, SlotState.UNKNOWN)


@dataclass(frozen=True)
class Holder:
    """What files were taken for: a slot, or a task that has no plan yet."""

    slot_id: int | None = None
    task_id: int | None = None


def held(session: Session, holder: Holder) -> list[Collected]:
    """What was taken so far, by name."""
    return list(session.exec(select(Collected).where(_of(holder)).order_by(col(Collected.name))))


def complete(session: Session, holder: Holder) -> list[Collected] | None:
    """All files of a slot, once all were taken; None before. A task's are looked at anew each time."""
    if holder.slot_id is None or session.get_one(Slot, holder.slot_id).collected_at is None:
        return None
    return held(session, holder)


def completed(session: Session, holder: Holder, now: datetime) -> None:
    """From here on the slot's inputs are what was taken, however often it is run."""
    if holder.slot_id is not None:
        session.get_one(Slot, holder.slot_id).collected_at = now


@dataclass(frozen=True)
class Old:
    """Files that a routine's other reports were made from, by name and content, and as their places marked them."""

    contents: frozenset[tuple[str, str]] = frozenset()  # name, sha256
    marks: frozenset[tuple[str, str]] = frozenset()  # address, mark


def old(session: Session, holder: Holder) -> Old:
    """What is not new to a slot: the inputs of every report that went out or is on its way, but for its own."""
    if holder.slot_id is None:
        return Old()
    slot = session.get_one(Slot, holder.slot_id)
    is_its = and_(
        col(Collected.slot_id) == Slot.id,
        col(Collected.name) == RunInput.name,
        col(Collected.sha256).in_([RunInput.sha256, ""]),
    )
    found = session.exec(
        select(RunInput.name, RunInput.sha256, Collected.address, Collected.mark)
        .join(Run, col(Run.id) == RunInput.run_id)
        .join(Slot, col(Slot.id) == Run.slot_id)
        .outerjoin(Collected, is_its)
        .where(Slot.routine_id == slot.routine_id, Slot.id != slot.id, Run.state == RunState.REPORTED)
        .where(col(Slot.state).in_(OUT))
    ).all()
    contents = frozenset((name, sha256) for name, sha256, _, _ in found)
    return Old(contents, frozenset((address, mark) for _, _, address, mark in found if mark))


def put(session: Session, rows: Sequence[Collected]) -> None:
    """Write down what was taken, in the place of files of these names."""
    names = [row.name for row in rows]
    holder = Holder(rows[0].slot_id, rows[0].task_id)
    session.execute(delete(Collected).where(_of(holder), col(Collected.name).in_(names)))
    session.add_all(rows)


def forget_others(session: Session, holder: Holder, names: set[str]) -> None:
    """What is no longer meant is no input."""
    session.execute(delete(Collected).where(_of(holder), col(Collected.name).not_in(names)))


def forget(session: Session, holder: Holder) -> None:
    """All of it, so that it is taken once more."""
    session.execute(delete(Collected).where(_of(holder)))
    if holder.slot_id is not None:
        session.get_one(Slot, holder.slot_id).collected_at = None


def _of(holder: Holder) -> ColumnElement[bool]:
    if holder.slot_id is not None:
        return col(Collected.slot_id) == holder.slot_id
    return col(Collected.task_id) == holder.task_id
