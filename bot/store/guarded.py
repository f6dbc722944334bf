"""Changes of state that name the old state; losing the race is a normal answer, not an error."""

from enum import StrEnum
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, SQLModel


def move(session: Session, table: type[SQLModel], row_id: int | str, old: StrEnum, new: StrEnum, **also: Any) -> bool:
    """Set `state` from `old` to `new` (and the columns in `also`); False when the row was not in `old`."""
    columns = table.__table__.c  # type: ignore[attr-defined] # SQLModel adds it at class creation
    changed = session.execute(
        update(table).where(columns.id == row_id, columns.state == old).values(state=new, **also),
        execution_options={"synchronize_session": "fetch"},
    )
    return bool(changed.rowcount == 1)  # type: ignore[attr-defined] # an UPDATE gives a CursorResult
