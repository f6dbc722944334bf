"""How far a long upload is: a file that tells how much of it was read."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from typing_extensions import Buffer

STEP_BYTES = 16 << 20
STEP_S = 1.0

# Called with the input's name, the bytes sent so far and all its bytes.
Progress = Callable[[str, int, int], None]


class _Told(io.RawIOBase):
    def __init__(self, name: str, source: BinaryIO, size_bytes: int, progress: Progress) -> None:
        self._name, self._source, self._size_bytes, self._progress = name, source, size_bytes, progress
        self._sent = self._said = 0
        self._said_at = time.monotonic()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer)
        data = self._source.read(len(view))
        view[: len(data)] = data
        self._sent += len(data)
        if data and self._is_due():
            self._said, self._said_at = self._sent, time.monotonic()
            self._progress(self._name, self._sent, self._size_bytes)
        return len(data)

    def _is_due(self) -> bool:
        is_step = self._sent - self._said >= STEP_BYTES or time.monotonic() - self._said_at >= STEP_S
        return is_step or self._sent == self._size_bytes


def told(name: str, source: BinaryIO, size_bytes: int, progress: Progress) -> BinaryIO:
    """`source`, but `progress` is called each STEP_BYTES or STEP_S and at the end; the upload waits for it."""
    return cast(BinaryIO, _Told(name, source, size_bytes, progress))
