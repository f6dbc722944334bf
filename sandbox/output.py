"""A command's output, kept within a bound however much there is: its beginning and its end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable


class BoundedText:
    """Takes any amount of text and keeps `limit_bytes` of it: the first half and the last half.

    The first lines say what a script set out to do, the last ones how it ended; a traceback is at the end. `said` gets
    all of it, piece by piece as it comes.
    """

    def __init__(self, limit_bytes: int, said: Callable[[str], None] | None = None) -> None:
        self._said = said
        self._head_room = limit_bytes // 2
        self._tail_limit = limit_bytes - self._head_room
        self._head: list[bytes] = []
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._left_out_bytes = 0

    def add(self, text: str) -> None:
        if self._said is not None:
            self._said(text)
        data = text.encode("utf-8", "replace")
        if self._head_room:
            self._head.append(data[: self._head_room])
            data = data[self._head_room :]
            self._head_room -= len(self._head[-1])
        if data:
            self._tail.append(data)
            self._tail_bytes += len(data)
            self._trim()

    def text(self) -> str:
        """What was kept; where something was left out, a line says how much."""
        head, tail = b"".join(self._head), b"".join(self._tail)
        gap = f"\n[{self._left_out_bytes:,} bytes left out]\n".encode() if self._left_out_bytes else b""
        return (head + gap + tail).decode("utf-8", "replace")

    def _trim(self) -> None:
        while self._tail_bytes > self._tail_limit:
            excess = self._tail_bytes - self._tail_limit
            first = self._tail.popleft()
            if len(first) > excess:
                self._tail.appendleft(first[excess:])
            dropped = min(len(first), excess)
            self._tail_bytes -= dropped
            self._left_out_bytes += dropped
