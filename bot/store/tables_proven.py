"""The team's own proven plans: what ran clean often enough, or was imported, to be found for another request."""

from datetime import datetime

from sqlalchemy import Column, Computed, Index, UniqueConstraint
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlmodel import Field, SQLModel

from bot.store.columns import content, moment


class Proven(SQLModel, table=True):
    """One entry: a script once, however many routines run it with other parameters. Its bytes are a copy."""

    __tablename__ = "proven"
    __table_args__ = (
        UniqueConstraint("team_id", "fingerprint"),
        Index("ix_proven_found_by", "found_by", postgresql_using="gin"),
    )
    id: int | None = Field(default=None, primary_key=True)
    team_id: str
    fingerprint: str  # domain/own.py: the same for scripts that differ in parameters alone
    name: str
    routine_id: int | None = Field(default=None, foreign_key="routine.id", index=True)  # none: it was imported
    approved_by: str = ""  # as the workspace called them
    author_id: str = ""
    words: str  # by which it is found: its names, and what was asked for
    found_by: str | None = Field(
        default=None, sa_column=Column(TSVECTOR, Computed("to_tsvector('english', words)", persisted=True))
    )
    plan_py: bytes = content()
    report_md: bytes = content()
    plan_toml: bytes = content()
    shape_json: bytes = content()
    clean_runs: int = 0
    last_good_at: datetime | None = moment(optional=True)
    entered_at: datetime = moment()
