"""Files that were taken from a source, as they were then."""

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from bot.store.columns import moment, size


class Collected(SQLModel, table=True):
    """A file taken for a slot, or for the first plan of a task."""

    __tablename__ = "collected"
    __table_args__ = (UniqueConstraint("slot_id", "name"), UniqueConstraint("task_id", "name"))
    id: int | None = Field(default=None, primary_key=True)
    slot_id: int | None = Field(default=None, foreign_key="slot.id")
    task_id: int | None = Field(default=None, foreign_key="task.id")
    name: str
    address: str  # of the file; of a query, the connection's name
    mark: str  # what its place said of its content, "" where it says nothing
    sha256: str = Field(index=True)  # "" once the bytes are deleted
    size_bytes: int = size()
    taken_at: datetime = moment()
