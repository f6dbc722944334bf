"""Slots, their runs, what halted them, and what was delivered."""

from datetime import datetime
from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from bot.domain.words import Cause, DeliveryState, RunState, SlotState, SurpriseState
from bot.store.columns import document, moment, size, word


class Slot(SQLModel, table=True):
    """One due moment of a routine. The unique key decides, however many clocks wake."""

    __tablename__ = "slot"
    __table_args__ = (UniqueConstraint("routine_id", "due_at"),)
    id: int | None = Field(default=None, primary_key=True)
    routine_id: int = Field(foreign_key="routine.id", index=True)
    due_at: datetime = moment()
    since: datetime = moment()  # inputs are those posted in (since, until]
    until: datetime = moment()  # due_at, or later where somebody reran it after posting what was missing
    state: SlotState = word(SlotState, SlotState.DUE, index=True)
    reason: str = ""
    surprise_id: int | None = Field(default=None, index=True)  # the question whose answer it waits for
    collected_at: datetime | None = moment(optional=True)  # all its files were taken from their source
    ended_at: datetime | None = moment(optional=True)


class Run(SQLModel, table=True):
    """One execution of one plan for one slot; it ends once."""

    __tablename__ = "run"
    id: int | None = Field(default=None, primary_key=True)
    slot_id: int = Field(foreign_key="slot.id", index=True)
    plan_id: int = Field(foreign_key="plan.id")
    state: RunState = word(RunState, RunState.QUEUED, index=True)
    attempt: int = 1  # counts boxes lost under this slot
    source_tries: int = Field(
        default=0, sa_column_kwargs={"server_default": "0"}
    )  # times that its source could not be reached
    digest: str = ""  # as verified at hand-over
    outcome: dict[str, Any] = document()  # sandbox/outcome_keys.py
    kept: dict[str, Any] = document()  # attachments taken out of the box: name -> sha256
    queued_at: datetime = moment()
    started_at: datetime | None = moment(optional=True)
    ended_at: datetime | None = moment(optional=True)


class Turn(SQLModel, table=True):
    """When the next of something may begin that must not be done too fast."""

    __tablename__ = "turn"
    name: str = Field(primary_key=True)
    next_at: datetime = moment()


class RunInput(SQLModel, table=True):
    """A file a run was given, by content."""

    __tablename__ = "run_input"
    run_id: int = Field(foreign_key="run.id", primary_key=True)
    name: str = Field(primary_key=True)
    sha256: str
    size_bytes: int = size()


class LeftAside(SQLModel, table=True):
    """A file posted for a slot that no plan of the channel knows: no input of its latest run."""

    __tablename__ = "left_aside"
    slot_id: int = Field(foreign_key="slot.id", primary_key=True)
    name: str = Field(primary_key=True)


class SurpriseRow(SQLModel, table=True):
    """A halt or failure that was told; repeats of an open one only count up."""

    __tablename__ = "surprise"
    id: int | None = Field(default=None, primary_key=True)
    routine_id: int = Field(foreign_key="routine.id", index=True)
    slot_id: int = Field(foreign_key="slot.id")
    run_id: int = Field(foreign_key="run.id", unique=True)
    cause: Cause = word(Cause)
    name: str
    fingerprint: str  # name and file: the same question asked again
    body: dict[str, Any] = document()  # message, seen, expected, file, rows
    times: int = 1
    state: SurpriseState = word(SurpriseState, SurpriseState.OPEN)
    said_at: datetime = moment()
    answer: str = ""  # what was made of it, in words


class Delivery(SQLModel, table=True):
    """One sending of one slot's report to one destination. Claimed before it is sent."""

    __tablename__ = "delivery"
    __table_args__ = (UniqueConstraint("slot_id", "destination"),)
    id: int | None = Field(default=None, primary_key=True)
    slot_id: int = Field(foreign_key="slot.id", index=True)
    run_id: int = Field(foreign_key="run.id")
    destination: str  # "channel:C1" or "email:lab list"
    key: str = ""  # names it outside: the same in a database that was restored from a backup
    state: DeliveryState = word(DeliveryState, DeliveryState.PENDING)
    attempts: int = 0  # times that a mail server asked to try later
    recipients: dict[str, Any] = document()  # of a mail that was taken: address -> "sent", or why it was refused
    proof: str = ""  # Slack's ts, or the mail server's reply; for failed and unknown, what was heard
    claimed_at: datetime | None = moment(optional=True)
    ended_at: datetime | None = moment(optional=True)
