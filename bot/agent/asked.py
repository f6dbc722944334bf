"""What a model is asked, and a whole answer of it. Apart from the client, whose SDK takes a second to import."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.conversation import Block, Frozen, Message


@dataclass(frozen=True)
class Request:
    """What is sent: the frozen beginning, then every row so far."""

    frozen: Frozen
    messages: Sequence[Message]
    max_tokens: int
    previous_id: str = ""


@dataclass(frozen=True)
class Answer:
    """A whole answer. `declined` says in words why the model refused, where it did."""

    content: tuple[Block, ...]
    stop_reason: str
    declined: str = ""
