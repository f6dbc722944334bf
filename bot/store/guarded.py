"""The one way in which a state changes: it names the old state, and losing the race is an answer, not an error."""

from enum import StrEnum
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, SQLModel

from bot.domain.states import may_move


class NoSuchMove(Exception):
    """A defect of ours: something wanted a change of state that bot.domain.states does not know. Nothing changed."""


def move(session: Session, table: type[SQLModel], row_id: int | str, old: StrEnum, new: StrEnum, **also: Any) -> bool:
    """Set `state` from `old` to `new` (and the columns in `also`); False when the row was not in `old`.

    Raises NoSuchMove where the tables of states have no such move.
    """
    if not may_move(old, new):
        raise NoSuchMove(f"{table.__name__} {row_id}: there is no move from {old} to {new}.")
    columns = table.__table__.c  # type: ignore[attr-defined] # SQLModel adds it at class creation
    changed = session.execute(
        update(table).where(columns.id == row_id, columns.state == old).values(state=new, **also),
        execution_options={"synchronize_session": "fetch"},
    )
    return bool(changed.rowcount == 1)  # type: ignore[attr-defined] # an UPDATE gives a CursorResult
