"""How far a long way into or out of a box is: files that tell how much of them has passed."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from typing_extensions import Buffer

STEP_BYTES = 16 << 20
STEP_S = 1.0

# Called with the file's name, the bytes that have passed so far, and all its bytes.
Moves = Callable[[str, int, int], None]


@dataclass
class _Count:
    """What has passed, told each STEP_BYTES or STEP_S and at the end."""

    name: str
    size_bytes: int
    progress: Moves
    passed: int = 0
    said: int = 0
    said_at: float = field(default_factory=time.monotonic)

    def add(self, size_bytes: int) -> None:
        self.passed += size_bytes
        is_step = self.passed - self.said >= STEP_BYTES or time.monotonic() - self.said_at >= STEP_S
        if size_bytes and (is_step or self.passed == self.size_bytes):
            self.said, self.said_at = self.passed, time.monotonic()
            self.progress(self.name, self.passed, self.size_bytes)


class _Read(io.RawIOBase):
    def __init__(self, source: BinaryIO, count: _Count) -> None:
        self._source, self._count = source, count

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer)
        data = self._source.read(len(view))
        view[: len(data)] = data
        self._count.add(len(data))
        return len(data)


class _Written(io.RawIOBase):
    def __init__(self, into: BinaryIO, count: _Count) -> None:
        self._into, self._count = into, count

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer, /) -> int:
        size_bytes = self._into.write(data)
        self._count.add(size_bytes)
        return size_bytes


def told(name: str, source: BinaryIO, size_bytes: int, progress: Moves) -> BinaryIO:
    """`source`, but `progress` hears how much of it was read; an upload waits for it."""
    return cast(BinaryIO, _Read(source, _Count(name, size_bytes, progress)))


def told_into(name: str, into: BinaryIO, size_bytes: int, progress: Moves) -> BinaryIO:
    """`into`, but `progress` hears how much was written to it; a download waits for it."""
    return cast(BinaryIO, _Written(into, _Count(name, size_bytes, progress)))
