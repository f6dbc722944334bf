"""Many routines out of one that was approved: the same bytes under the same approval, each with slots of its own."""

from __future__ import annotations

from typing import TypeVar

from sqlmodel import Session, SQLModel, select

from bot.domain.words import RoutineState
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables import Decision, Plan, PlanFile, Routine

Row = TypeVar("Row", bound=SQLModel)


def twins(database_url: str, count: int) -> None:
    """Add `count` copies of the only active routine."""
    database = Database(database_url)
    with database.transaction() as session:
        routine = session.exec(select(Routine).where(Routine.state == RoutineState.ACTIVE)).one()
        for number in range(count):
            _twin(session, routine, f"{routine.name}-{number}")
    database.close()


def _twin(session: Session, routine: Routine, name: str) -> None:
    plan = session.get_one(Plan, known(routine.current_plan_id))
    twin = _copy(session, routine, id=None, name=name, current_plan_id=None)
    copy = _copy(session, plan, id=None, routine_id=twin.id)
    for file in session.exec(select(PlanFile).where(PlanFile.plan_id == plan.id)).all():
        session.add(PlanFile(plan_id=known(copy.id), name=file.name, body=file.body))
    for decision in session.exec(select(Decision).where(Decision.plan_id == plan.id)).all():
        _copy(session, decision, id=None, plan_id=copy.id)
    twin.current_plan_id = copy.id
    session.flush()


def _copy(session: Session, row: Row, **changes: object) -> Row:
    copy = type(row)(**(row.model_dump() | changes))
    session.add(copy)
    session.flush()
    return copy
