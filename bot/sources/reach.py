"""Looking for files and taking them, over all places of one collecting: bounded, patient, and whole or not at all."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from threading import Lock
from time import monotonic, sleep
from typing import BinaryIO, TypeVar
from urllib.parse import unquote, urlsplit

from bot.settings import Settings
from bot.sources.errors import SourceChanged, SourceNameRefused, SourceTooLarge, SourceUnreachable
from bot.sources.opening import in_place, is_web, opened, require_allowed
from bot.sources.patterns import matching, name_of
from bot.sources.place import Entry, Place
from sandbox.progress import Moves

# After so many seconds a file that was cut is asked for again, from where it was cut.
PAUSES_S = (0.5, 2.0)
MB = 1_000_000
FILES_AT_ONCE = 8
NAME_BYTES = 200

T = TypeVar("T")


@dataclass(frozen=True)
class Sought:
    """A file that was found and not read yet."""

    name: str  # in the box
    pattern: str  # the address that means it, for this slot
    entry: Entry

    @property
    def address(self) -> str:
        """As people would write it."""
        if self.entry.path.startswith("/") and "://" not in self.pattern:
            return self.entry.path
        if is_web(self.pattern):
            return self.entry.path
        start = "/".join(self.pattern.split("/")[:3])
        return f"{start}/{self.entry.path.lstrip('/')}"


class Reach:
    """The places of one collecting, each opened once."""

    def __init__(self, settings: Settings, pauses_s: Sequence[float] = PAUSES_S) -> None:
        self._settings, self._pauses_s = settings, pauses_s
        self._open: dict[str, tuple[ExitStack, Place]] = {}
        self._until = monotonic() + settings.source_time_s
        self._left_bytes = settings.source_slot_mb * MB
        self._lock = Lock()  # several files are taken at once

    def __enter__(self) -> Reach:
        return self

    def __exit__(self, *_: object) -> None:
        for stack, _place in self._open.values():
            stack.close()
        self._open.clear()

    def find(self, patterns: Sequence[str]) -> list[Sought]:
        """All files that these addresses mean now, judged by what their places say of them. Raises SourceError."""
        for pattern in patterns:
            require_allowed(self._settings, pattern)
        found: list[Sought] = []
        for pattern in patterns:
            found += self._listed(pattern)
            if len(found) > self._settings.source_files:
                raise SourceTooLarge(
                    f"{pattern} means more than {self._settings.source_files:,} files, so none was read. "
                    "Name fewer, or let an admin raise STANDBY_SOURCE_FILES."
                )
        self._judge(found)
        return found

    def at_once(self, patterns: Sequence[str]) -> int:
        """How many files may be taken at the same time: an SFTP connection brings one after the other."""
        return 1 if any(one.startswith("sftp://") for one in patterns) else FILES_AT_ONCE

    def take(self, sought: Sought, into: BinaryIO, moved: Moves | None = None) -> None:
        """All bytes of a file; where it was cut, on from there. Raises SourceError, and then it does not count."""
        self._again(sought.pattern, lambda: self._read(sought, into, moved))
        with self._lock:
            self._left_bytes -= into.tell()

    def _listed(self, pattern: str) -> list[Sought]:
        """As many as are allowed, and one more."""
        place, path = self._place(pattern)
        if is_web(pattern):
            meant = [one for one in [place.entry(path)] if one is not None]  # in its addresses ? is no wildcard
        else:
            meant = list(islice(matching(place, path), self._settings.source_files + 1))
        return [Sought(_plain(_name(pattern, path, one), pattern), pattern, one) for one in meant]

    def _read(self, sought: Sought, into: BinaryIO, moved: Moves | None) -> None:
        place, _ = self._place(sought.pattern)
        whole = sought.entry.size_bytes
        there = into.seek(0, 2)
        # Without a mark nobody knows whether it is still the same file.
        start = there if sought.entry.mark and whole is not None and there < whole else 0
        with place.read(sought.entry, start) as reading:
            into.seek(reading.starts_at)
            into.truncate()
            for piece in reading.pieces:
                into.write(piece)
                self._bound(sought, into.tell())
                if whole is not None and into.tell() > whole:
                    raise SourceChanged(f"{sought.address} grew while it was read, so what was read does not count.")
                if moved is not None:
                    moved(sought.name, into.tell(), max(whole or 0, into.tell()))
        if whole is not None and into.tell() != whole:
            raise SourceUnreachable(f"{sought.address} ended after {into.tell():,} of {whole:,} bytes.")

    def _again(self, pattern: str, act: Callable[[], T]) -> T:
        """Do it, and after a failure that may pass do it once more over a new connection."""
        for pause_s in self._pauses_s:
            try:
                return act()
            except SourceUnreachable:
                if monotonic() + pause_s > self._until:
                    raise
                self._drop(pattern)
                sleep(pause_s)
        return act()

    def _place(self, pattern: str) -> tuple[Place, str]:
        root = require_allowed(self._settings, pattern).root
        # Buckets share a root only where settings name none, and then each address names its own.
        key = "/".join(pattern.split("/")[:3]) + root
        with self._lock:
            if key not in self._open:
                with ExitStack() as stack:
                    place = stack.enter_context(opened(self._settings, pattern))
                    self._open[key] = (stack.pop_all(), place)
            return self._open[key][1], in_place(pattern)

    def _drop(self, pattern: str) -> None:
        """A connection that broke is made anew; places without one lasting connection stay, others read from them."""
        if not pattern.startswith("sftp://"):
            return
        key = "/".join(pattern.split("/")[:3]) + require_allowed(self._settings, pattern).root
        if (held := self._open.pop(key, None)) is not None:
            held[0].close()

    def _judge(self, found: Sequence[Sought]) -> None:
        """Sizes and names, before a byte is read."""
        names: dict[str, Sought] = {}
        whole = 0
        for one in found:
            other = names.setdefault(one.name, one)
            if other is not one:
                if other.address == one.address:
                    continue
                raise SourceNameRefused(
                    f"{other.address} and {one.address} would both be called {one.name}, so neither was read. "
                    "Put a * at the folder in which they differ: then the folder is part of the name."
                )
            size = one.entry.size_bytes or 0
            self._bound(one, size)
            whole += size
        if whole > self._left_bytes:
            raise SourceTooLarge(
                f"The {len(names):,} files that are meant hold {_mb(whole)}, and for one report at most "
                f"{_mb(self._left_bytes)} are taken, so none was read. Name fewer, or let an admin raise "
                "STANDBY_SOURCE_SLOT_MB."
            )

    def _bound(self, sought: Sought, size_bytes: int) -> None:
        if size_bytes > self._settings.source_file_mb * MB:
            raise _too_large(sought, f"more than {self._settings.source_file_mb:,} MB", "FILE")
        if size_bytes > self._left_bytes:
            raise _too_large(sought, f"with the others more than {self._settings.source_slot_mb:,} MB", "SLOT")
        if monotonic() > self._until:
            raise SourceTooLarge(
                f"Collecting took longer than {self._settings.source_time_s:,.0f} s and was ended, so there is no "
                "report. Name fewer files, or let an admin raise STANDBY_SOURCE_TIME_S."
            )


def _too_large(sought: Sought, words: str, setting: str) -> SourceTooLarge:
    declared = f" ({_mb(sought.entry.size_bytes)})" if sought.entry.size_bytes else ""
    return SourceTooLarge(
        f"{sought.address}{declared} holds {words}, which is the most that is taken, so there is no report. "
        f"Name a smaller file, or let an admin raise STANDBY_SOURCE_{setting}_MB."
    )


def _mb(size_bytes: int) -> str:
    return f"{size_bytes / MB:,.0f} MB"


def _name(pattern: str, path: str, entry: Entry) -> str:
    if is_web(pattern):
        parts = urlsplit(pattern)
        return unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.netloc.replace(":", "_")
    return name_of(path, entry.path)


def _plain(name: str, pattern: str) -> str:
    """A name that is one in every system, and that people read as it is. Raises SourceNameRefused."""
    odd = [one for one in name if one in "/\\" or unicodedata.category(one) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")]
    if odd or name in ("", ".", "..") or len(name.encode("utf-8", "surrogatepass")) > NAME_BYTES:
        shown = name.encode("unicode_escape").decode()[:120]
        raise SourceNameRefused(
            f"{pattern} means a file called {shown}, which is no plain name, so nothing was read. "
            "Rename it there, or write the address so that it is not meant."
        )
    return name
