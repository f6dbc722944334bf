"""What every kind of source can do: look at one file, look into one folder, read."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

PIECE = 1 << 20


@dataclass(frozen=True)
class Entry:
    """A file or folder as its place describes it, before a byte of it was read."""

    path: str  # as the place calls it: /srv/lab/a.log, key/of/an/object, /path?with=query
    is_folder: bool = False
    size_bytes: int | None = None  # None: nobody knows before it is read
    mark: str = ""  # another one as soon as the content is another; empty: the place has none
    modified_at: datetime | None = None


@dataclass(frozen=True)
class Reading:
    """Bytes from `starts_at`, which is 0 where the place cannot go on in the middle."""

    starts_at: int
    pieces: Iterator[bytes]


class Place(Protocol):
    """One source while it is open. Every method may raise SourceError."""

    def entry(self, path: str) -> Entry | None:
        """The file of exactly this path; None where there is none."""

    def entries(self, path: str) -> Iterator[Entry]:
        """What lies directly in a folder; nothing where there is no such folder."""

    def read(self, entry: Entry, start: int) -> AbstractContextManager[Reading]:
        """The file's bytes. Raises SourceChanged where it is another one than `entry` describes."""
