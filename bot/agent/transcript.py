"""What a conversation is kept in, as the loop sees it; the store has the real one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from bot.domain.conversation import (
    Attempt,
    Block,
    Frozen,
    Message,
    MessageCause,
    Reservation,
    Role,
    Spent,
    ToolRun,
)


class Transcript(Protocol):
    """One conversation: rows that are only ever added to. Writing raises ConversationTaken once another holds it."""

    @property
    def frozen(self) -> Frozen:
        """What every request begins with."""
        ...

    def messages(self) -> list[Message]:
        """All rows in order, as they were sent and received."""
        ...

    def append(
        self, role: Role, content: Sequence[Block], cause: MessageCause, *, key: str = "", stop_reason: str = ""
    ) -> bool:
        """Add a row; False when a row under the same `key` is there already."""
        ...

    def tool_run(self, seq: int, use_id: str) -> ToolRun | None:
        """What became of a call in the answer at `seq`; None when it never began."""
        ...

    def begin_run(self, seq: int, use_id: str, name: str) -> None:
        """Say that a call begins now."""
        ...

    def end_run(self, seq: int, use_id: str, result: str, *, is_error: bool, data_bytes: int, seconds: float) -> None:
        """Keep its result; `data_bytes` of it come from files or outputs."""
        ...

    def spent(self) -> Spent:
        """What was used so far, calls under way included."""
        ...

    def reserve(self, decide: Callable[[Spent], Reservation]) -> int:
        """Count the next attempt before it is sent; `decide` may raise. No two workers decide at once."""
        ...

    def close_call(self, call_id: int, attempt: Attempt) -> None:
        """Put what an attempt really used in the place of what was reserved."""
        ...

    def last_message_id(self) -> str:
        """The provider's id of the last answer; empty before the first."""
        ...
