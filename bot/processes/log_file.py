"""The log of one part: appended to by the part itself, kept bounded and read back by the supervisor."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import BinaryIO

LIMIT_BYTES = 5_000_000


class LogFile:
    """`path` and, once it grew too large, one older file beside it."""

    def __init__(self, path: Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self.path = path
        self._limit_bytes = limit_bytes
        self._from = 0

    def open(self) -> BinaryIO:
        """For a part to append to. What is written from now on is what `since_start` returns."""
        file = self.path.open("ab")
        self._from = file.tell()
        return file

    def since_start(self) -> list[str]:
        """The lines since the part was last started, at most the last 64 KB of them."""
        if not self.path.exists():
            return []
        size = self.path.stat().st_size
        start = 0 if size < self._from else self._from  # smaller than we left it: it was turned over in between
        with self.path.open("rb") as file:
            file.seek(max(start, size - 65_536))
            return file.read().decode(errors="replace").splitlines()

    def has_line(self, line: str) -> bool:
        """Whether the part wrote exactly this line since it was last started."""
        with self.path.open("rb") as file:
            file.seek(self._from)
            return any(written.strip() == line.encode() for written in file)

    def turn_over(self) -> None:
        """Keeps the log bounded: beyond the limit it becomes the older file, and the part goes on at the beginning.

        The part holds the file open, so it is copied and emptied; a line written in that moment can be lost.
        """
        if self.path.exists() and self.path.stat().st_size > self._limit_bytes:
            shutil.copyfile(self.path, self.path.with_name(f"{self.path.name}.1"))
            with self.path.open("r+b") as file:
                file.truncate()
