"""The audit chain: append-only, each entry bound to the one before by its hash."""

from datetime import datetime
from typing import Any

from sqlmodel import Field, SQLModel

from bot.store.columns import document, moment


class History(SQLModel, table=True):
    """One thing that happened. The database refuses UPDATE and DELETE on this table."""

    __tablename__ = "history"
    id: int | None = Field(default=None, primary_key=True)
    at: datetime = moment()
    kind: str
    body: dict[str, Any] = document()
    previous: str
    hash: str
    seal: str = ""  # HMAC of the hash with a key outside the database; empty: from before there was one
