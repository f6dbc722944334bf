"""How far a long upload is: a file that tells how much of it was read."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from typing_extensions import Buffer

STEP_BYTES = 16 << 20

# Called with the input's name, the bytes sent so far and all its bytes.
Progress = Callable[[str, int, int], None]


class _Told(io.RawIOBase):
    def __init__(self, name: str, source: BinaryIO, size_bytes: int, progress: Progress) -> None:
        self._name, self._source, self._size_bytes, self._progress = name, source, size_bytes, progress
        self._sent = self._said = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer)
        data = self._source.read(len(view))
        view[: len(data)] = data
        self._sent += len(data)
        if self._sent - self._said >= STEP_BYTES or (self._sent == self._size_bytes and data):
            self._said = self._sent
            self._progress(self._name, self._sent, self._size_bytes)
        return len(data)


def told(name: str, source: BinaryIO, size_bytes: int, progress: Progress) -> BinaryIO:
    """`source`, but `progress` is called each STEP_BYTES and at the end. It must be quick: the upload waits for it."""
    return cast(BinaryIO, _Told(name, source, size_bytes, progress))
