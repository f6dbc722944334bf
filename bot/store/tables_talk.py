"""What was said in the workspace, and what we posted there."""

from datetime import datetime
from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from bot.domain.words import SaidKind, TaskState
from bot.store.columns import document, moment, size, word


class Seen(SQLModel, table=True):
    """One row per event or message taken in, so that a second delivery changes nothing."""

    __tablename__ = "seen"
    key: str = Field(primary_key=True)  # "event:<id>", "message:<team>:<channel>:<ts>"
    seen_at: datetime = moment()


class Task(SQLModel, table=True):
    """What somebody asked for, in one thread."""

    __tablename__ = "task"
    __table_args__ = (UniqueConstraint("team_id", "channel_id", "thread_ts"),)
    id: int | None = Field(default=None, primary_key=True)
    team_id: str
    channel_id: str
    thread_ts: str
    requester_id: str
    request: str
    state: TaskState = word(TaskState, TaskState.NEW)
    round: int = 1  # counts restarts: a new round posts new messages
    question: dict[str, Any] = document()  # the open question: {"text", "fields", "surprise_id"}, see work/questions.py
    answers: dict[str, Any] = document()  # form answers so far: field name -> text
    wants_model: bool = False  # somebody asked for what only a model can understand
    routine_id: int | None = Field(default=None, index=True)
    asked_at: datetime = moment()


class Said(SQLModel, table=True):
    """Our own copy of what people said about a task, and of how they changed it; Slack is never read back for it."""

    __tablename__ = "said"
    __table_args__ = (UniqueConstraint("channel_id", "ts"),)
    id: int | None = Field(default=None, primary_key=True)
    task_id: int = Field(foreign_key="task.id", index=True)
    channel_id: str
    ts: str | None = None  # of the message; None where it came in another way
    kind: SaidKind = word(SaidKind, SaidKind.REPLY)
    amends_id: int | None = Field(default=None, foreign_key="said.id")  # of a change: what it changes
    user_id: str
    text: str
    is_guidance: bool = False  # counted as part of what is wanted
    said_at: datetime = moment()


class SharedFile(SQLModel, table=True):
    """A file posted in a channel that Standby is in; its bytes are taken when they are needed."""

    __tablename__ = "shared_file"
    __table_args__ = (UniqueConstraint("team_id", "channel_id", "file_id"),)
    id: int | None = Field(default=None, primary_key=True)
    team_id: str
    channel_id: str = Field(index=True)
    thread_ts: str  # the thread it was posted in; the message's own ts at top level
    file_id: str
    name: str
    size_bytes: int = size()
    mimetype: str
    url: str
    posted_by: str
    posted_at: datetime = moment(index=True)
    sha256: str = ""  # of the bytes, once taken
    deleted_at: datetime | None = moment(optional=True)


class Post(SQLModel, table=True):
    """The outbox of messages: claimed before sending, with Slack's ts as proof after."""

    __tablename__ = "post"
    key: str = Field(primary_key=True)
    team_id: str
    channel_id: str
    thread_ts: str
    ts: str = ""  # empty: claimed, not known to be there
    owner: str = ""  # who may send it: whoever claimed it, or took it over after looking
    claimed_at: datetime = moment()
