"""A conversation with the model as plain values: what is frozen, what was said, what was run, what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.domain.errors import StandbyError

Block = Mapping[str, Any]
"""One content block exactly as it went over the wire: text, thinking, tool_use or tool_result."""


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


class MessageCause(StrEnum):
    REQUEST = "request"  # what somebody asked for, with what was known around it
    GUIDANCE = "guidance"  # what somebody allowed to said in the thread later
    SURPRISE = "surprise"  # a halted run, or one whose script broke
    GO_ON = "go on"  # somebody granted more budget
    MODEL = "model"  # an answer
    TOOLS = "tools"  # results of the calls in the answer before
    ASK_AGAIN = "ask again"  # the answer before could not be used as it was


WAKING = frozenset({MessageCause.REQUEST, MessageCause.GUIDANCE, MessageCause.SURPRISE, MessageCause.GO_ON})
"""Each of these begins a wake: a stretch of work with a budget of its own."""

HUMAN = WAKING - {MessageCause.SURPRISE}


class ConversationTaken(StandbyError):
    """Another worker holds this conversation now, so nothing more is written to it from here."""


@dataclass(frozen=True)
class Frozen:
    """What a conversation sends with every request, unchanged for as long as it lives.

    A thinking block is bound to system, tools and every message before it: change a byte and the API refuses it.
    """

    model: str
    effort: str
    max_tokens: int
    system: str
    tools: str  # JSON, as bytes are sent
    prompt_version: str


@dataclass(frozen=True)
class Message:
    """One row of the transcript. `stop_reason` is empty for what is not the model's."""

    seq: int
    role: Role
    content: tuple[Block, ...]
    cause: MessageCause
    stop_reason: str = ""

    def blocks(self, kind: str) -> list[Block]:
        return [block for block in self.content if block["type"] == kind]

    def text(self) -> str:
        return "\n\n".join(block["text"] for block in self.blocks("text")).strip()


@dataclass(frozen=True)
class ToolRun:
    """A call of a tool: begun and ended are two writes, so that a crash between them can be seen."""

    name: str
    is_finished: bool
    result: str = ""
    is_error: bool = False


@dataclass(frozen=True)
class Usage:
    """Tokens as billed. `fresh` is input that no cache had; total input is the sum of the first four."""

    fresh: int
    write_5m: int
    write_1h: int
    read: int
    out: int
    thinking: int = 0

    @property
    def tokens_in(self) -> int:
        return self.fresh + self.write_5m + self.write_1h + self.read


ANSWERED = "ok"
"""The outcome of an attempt that brought an answer; any other says in words what it met."""
UNDER_WAY = ""
"""The outcome of an attempt that is not over, or whose process ended in it."""


@dataclass(frozen=True)
class Attempt:
    """One HTTP attempt as it ended. `usage` of a cut answer is what its first event said.

    `is_partial`: nobody saw the end of it, so that it may have used as much as was reserved.
    """

    outcome: str  # ANSWERED, or why there was no answer
    seconds: float
    usage: Usage | None = None
    is_partial: bool = False
    stop_reason: str = ""
    message_id: str = ""
    request_id: str = ""
    cache_miss: str = ""
    micro_usd: int | None = None  # None: not known


@dataclass(frozen=True)
class Spent:
    """What a conversation has used: in this wake unless said otherwise. Calls under way count as reserved."""

    wake_cause: MessageCause
    is_first_wake: bool
    turns: int
    turns_since_human: int  # over all wakes since somebody last said something
    tokens_in: int
    micro_usd: int  # as far as prices are known
    unpriced: int  # requests whose price is not known
    day_micro_usd: int  # of the whole workspace, since midnight UTC
    seconds: float  # of requests and tools, not of waiting
    data_bytes: int  # of files and outputs that were shown
    last_total_tokens: int  # input and output of the last answered request of the conversation, 0 before the first
    last_seq: int  # of the last message that request held


@dataclass(frozen=True)
class Reservation:
    """The worst that the next attempt can cost, counted from before it is sent."""

    attempt: int
    last_seq: int
    tokens_in: int
    micro_usd: int | None
    price_version: str
