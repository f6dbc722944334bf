"""Routines, the immutable versions of their plans, and what people decided."""

from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, Column, Index, String, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from bot.domain.words import CardState, PlanState, RoutineState, Verb
from bot.store.columns import content, document, moment, word


class Routine(SQLModel, table=True):
    """The recurring thing, by name. `next_slot_at` is derived from the current plan's schedule."""

    __tablename__ = "routine"
    __table_args__ = (UniqueConstraint("team_id", "name"),)
    id: int | None = Field(default=None, primary_key=True)
    team_id: str
    name: str
    channel_id: str
    thread_ts: str
    owner_id: str
    state: RoutineState = word(RoutineState, RoutineState.DRAFT)
    current_plan_id: int | None = None
    vouched_by: str = ""  # the approver who stands for the current plan since whoever approved it left
    ping_url: str = ""  # asked when a slot begins, is delivered, or comes to nothing; empty: nowhere
    next_slot_at: datetime | None = moment(optional=True, index=True)
    created_at: datetime = moment()


class Plan(SQLModel, table=True):
    """One immutable version. `rehearsal` is what it did before people saw it; `guides` are whose replies shaped it."""

    __tablename__ = "plan"
    __table_args__ = (UniqueConstraint("routine_id", "version"),)
    id: int | None = Field(default=None, primary_key=True)
    routine_id: int = Field(foreign_key="routine.id", index=True)
    version: int
    digest: str
    requester_id: str
    author_id: str = ""  # empty: the library or the agent wrote the bytes
    guides: list[str] = Field(sa_column=Column(ARRAY(String), nullable=False), default_factory=list)
    state: PlanState = word(PlanState, PlanState.DRAFT)
    task_id: int | None = None
    surprise_id: int | None = None  # the surprise this version answers
    answer: str = ""  # the author's words, shown labelled
    rehearsal: dict[str, Any] = document()  # work/rehearsal.py: Rehearsal
    created_at: datetime = moment()


class PlanFile(SQLModel, table=True):
    """One file of a plan's folder, byte for byte."""

    __tablename__ = "plan_file"
    plan_id: int = Field(foreign_key="plan.id", primary_key=True)
    name: str = Field(primary_key=True)
    body: bytes = content()


class Card(SQLModel, table=True):
    """The message on which a plan is decided, with the digest it showed."""

    __tablename__ = "card"
    id: int | None = Field(default=None, primary_key=True)
    plan_id: int = Field(foreign_key="plan.id", unique=True)
    digest: str
    state: CardState = word(CardState, CardState.OPEN)
    channel_id: str
    thread_ts: str
    message_ts: str = ""
    opened_at: datetime = moment()
    reminded_at: datetime | None = moment(optional=True)  # people are reminded once


class Press(SQLModel, table=True):
    """One button, single use: what a press of it means, and who used it up."""

    __tablename__ = "press"
    id: str = Field(primary_key=True)  # random, the button's value
    verb: Verb = word(Verb)
    card_id: int | None = Field(default=None, foreign_key="card.id", index=True)
    task_id: int | None = None
    surprise_id: int | None = None
    delivery_id: int | None = None
    person_id: str = ""  # whose press alone counts; empty: anybody's who may
    used_by: str = ""
    used_at: datetime | None = moment(optional=True)


class Decision(SQLModel, table=True):
    """Who decided what about exactly which bytes, and why."""

    __tablename__ = "decision"
    __table_args__ = (
        Index(
            "one_approval_per_plan",
            "plan_id",
            unique=True,
            postgresql_where=text("verb = 'approve'"),
        ),
    )
    id: int | None = Field(default=None, primary_key=True)
    plan_id: int = Field(foreign_key="plan.id", index=True)
    card_id: int = Field(foreign_key="card.id")
    verb: Verb = word(Verb)
    digest: str
    person_id: str
    person_name: str = ""  # as the workspace called them then; reports say who approved without pinging them
    reason: str = ""
    is_solo: bool = False
    decided_at: datetime = moment()
