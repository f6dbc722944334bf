"""Conversations with the model: what is frozen, what was said, what was run, what it cost, what came of it."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, ForeignKeyConstraint, Index, Text, text
from sqlmodel import Field, SQLModel

from bot.domain.conversation import UNDER_WAY, MessageCause, Role
from bot.store.columns import content, document, moment, word


def _text() -> Any:
    """Text as it is. Of JSON too: a document column would sort its keys, and what is sent must not change."""
    return Field(sa_column=Column(Text, nullable=False))


class Conversation(SQLModel, table=True):
    """One conversation of one task. All but `holder` is frozen; the database refuses to change it."""

    __tablename__ = "conversation"
    id: int | None = Field(default=None, primary_key=True)
    task_id: int = Field(foreign_key="task.id", unique=True)
    team_id: str = Field(index=True)
    model: str
    effort: str
    max_tokens: int
    system: str = _text()
    tools: str = _text()
    prompt_version: str
    created_at: datetime = moment()
    holder: str = ""  # who may write; whoever takes it last holds it


class MessageRow(SQLModel, table=True):
    """One row of a transcript. The database refuses UPDATE and DELETE."""

    __tablename__ = "message"
    __table_args__ = (
        Index("one_message_per_key", "conversation_id", "key", unique=True, postgresql_where=text("key <> ''")),
    )
    conversation_id: int = Field(foreign_key="conversation.id", primary_key=True)
    seq: int = Field(primary_key=True)
    role: Role = word(Role)
    cause: MessageCause = word(MessageCause)
    content: str = _text()  # JSON: a list of content blocks, as they were sent or received
    stop_reason: str = ""
    key: str = ""  # what it came from, such as "said:12": nothing is taken in twice
    at: datetime = moment()


class ToolRunRow(SQLModel, table=True):
    """One call of a tool: written before it begins and after it ended."""

    __tablename__ = "tool_run"
    __table_args__ = (
        ForeignKeyConstraint(["conversation_id", "seq"], ["message.conversation_id", "message.seq"]),
    )  # fmt: skip
    conversation_id: int = Field(primary_key=True)
    seq: int = Field(primary_key=True)  # of the answer that called
    use_id: str = Field(primary_key=True)
    name: str
    started_at: datetime = moment()
    finished_at: datetime | None = moment(optional=True)
    seconds: float = 0.0
    result: str = ""
    is_error: bool = False
    data_bytes: int = 0


class ModelCall(SQLModel, table=True):
    """One HTTP attempt: reserved at its worst before it is sent, then what it really used."""

    __tablename__ = "model_call"
    id: int | None = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id", index=True)
    team_id: str
    wake_seq: int  # the message that woke the conversation
    last_seq: int  # the last message it held
    cause: MessageCause = word(MessageCause)
    attempt: int
    model: str
    price_version: str
    reserved_tokens: int
    reserved_micro_usd: int | None = Field(default=None, sa_type=BigInteger)  # None: the price is not known
    at: datetime = moment(index=True)
    outcome: str = UNDER_WAY
    seconds: float = 0.0
    fresh: int = 0
    write_5m: int = 0
    write_1h: int = 0
    read: int = 0
    out: int = 0
    thinking: int = 0
    is_partial: bool = False  # the answer broke off: output is at least this
    micro_usd: int | None = Field(default=None, sa_type=BigInteger)
    stop_reason: str = ""
    message_id: str = ""
    request_id: str = ""
    cache_miss: str = ""


class DraftFile(SQLModel, table=True):
    """A file of the draft that a conversation works on, as last written."""

    __tablename__ = "draft_file"
    conversation_id: int = Field(foreign_key="conversation.id", primary_key=True)
    path: str = Field(primary_key=True)
    body: bytes = content()
    written_at: datetime = moment()


class TryRow(SQLModel, table=True):
    """A script that ran to its end with run_code, and what it declared: the answer to what is asked once."""

    __tablename__ = "tried"
    id: int | None = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id", index=True)
    seq: int  # of the answer that called
    script: str = _text()
    outcome: dict[str, Any] = document()  # sandbox/outcome_keys.py: a report
    made_at: datetime = moment()
    answered_at: datetime | None = moment(optional=True)  # posted as the answer


class Measured(SQLModel, table=True):
    """What a loop over a task's data would be billed by: the model's prices then, and how many tokens its data has.

    `tokens` of `sample_bytes` are counted by the provider, of samples that were sent anyway; 0 where nobody counted.
    """

    __tablename__ = "measured"
    task_id: int = Field(foreign_key="task.id", primary_key=True)
    model: str
    price_version: str
    fresh_usd: float | None = None  # for a million tokens; None: not known
    out_usd: float | None = None
    sample_bytes: int = 0
    tokens: int = 0
    at: datetime = moment()


class Proposal(SQLModel, table=True):
    """A draft that passed its rehearsal, by the call that asked for it. It becomes a version when the turn ends."""

    __tablename__ = "proposal"
    __table_args__ = (
        ForeignKeyConstraint(["conversation_id", "seq"], ["message.conversation_id", "message.seq"]),
    )  # fmt: skip
    conversation_id: int = Field(primary_key=True)
    seq: int = Field(primary_key=True)
    use_id: str = Field(primary_key=True)
    files: dict[str, Any] = document()  # name -> text, the whole plan folder
    rehearsal: dict[str, Any] = document()  # work/rehearsal.py: Rehearsal
    made_at: datetime = moment()
    settled_at: datetime | None = moment(optional=True)  # put on a card, or given up
