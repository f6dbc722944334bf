"""The heads of a log's records, up to the level: which level each has, and which lines of a block begin otherwise."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .log_begins import LineBegins
from .log_splitters import AFTER_A_LEVEL, BEFORE_A_LEVEL, bare
from .stamps import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from .log_reader import LogReader

MOST_HEADS = 24  # different ones that are looked for; a log whose loggers' names stand before the level may have more
LESSONS = 4  # blocks from which heads are learned
DAY_CHARACTERS = len("\n[2026-09-07")
# ASCII only, and none of the rarer blanks: a line that has them before its level is read line by line.
_WORD = rb"[^\s|\x00-\x1f\x7f-\xff]+"
_NO_ZONE = rb"(?![+-]|Z[ \t|\r\n])"  # what may be a stamp's zone is left to the line reader
_BLANKS = rb"[ \t|]+"
_CLOCK = b"00:00:00"  # is in each stamp but that of seconds since 1970
_TWO_CLOCKS = re.compile(_CLOCK + rb"[^\n]*" + _CLOCK + rb"[^\n]*")  # of a line whose digits are zeros
_DIGIT, _DIGITS = re.compile(rb"[0-9]"), bytes.maketrans(b"123456789", b"000000000")


@dataclass(frozen=True)
class Head:
    """What a line may begin with, up to its level."""

    level: str  # as counted
    stamp: int  # characters of its time, at its beginning
    end: int  # characters up to what stands behind its level


@dataclass(frozen=True)
class Places:
    """Lines of a block: number, from 0, where each begins and ends, and which of `heads` it has."""

    heads: Sequence[Head | None]
    places: tuple[Any, Any, Any, Any]

    def __len__(self) -> int:
        return len(self.places[0])

    def __iter__(self) -> Iterator[tuple[int, int, int, Head | None]]:
        lines = zip(*(one.tolist() for one in self.places), strict=True)
        return ((number, start, end, self.heads[kind]) for number, start, end, kind in lines)


@dataclass(frozen=True)
class Apart:
    """A block: its records by what they are counted as, and the lines that begin otherwise."""

    levels: Counter[str]
    others: Sequence[bytes]
    likely: Places | None = None  # lines of the levels that are wanted, and those that begin otherwise


class LogHeads:
    """Heads that were seen, digits as zeros, with their levels.

    Lines whose heads differ in digits only are of one kind to the line reader, since a stamp asks where digits stand
    and not which. Of a level with digits, and of stamps that must begin with a 1, no head is kept.
    """

    def __init__(self, reader: LogReader, wanted: Container[str] = ()) -> None:
        self._levels, self._wanted = reader.levels, wanted
        self.known: dict[bytes, Head] = {}  # by its bytes from the line end before it to the one behind its level
        self._lessons = 0 if reader.stamp == "epoch" else LESSONS
        # A search for a line end and what follows it is twice as fast as one for the heads of lines.
        head = head_pattern(reader)
        self._heads = re.compile(b"\n" + head + b".", re.DOTALL)
        self._words = re.compile(b"\n" + head.replace(b"?P<stamp>", b"?:"))
        self._others = re.compile(b"\n(?!" + re.sub(rb"\?P<\w+>", b"?:", head) + rb")([^\n]*)(?=\n)")
        self._second = None
        if reader.stamp != "epoch" and not reader.quotes:
            self._second = re.compile(second_record(reader).encode())

    def begins(self, block: bytes) -> LineBegins:
        """Of lines of a large log, as many characters as heads and days have."""
        return LineBegins(block, max([DAY_CHARACTERS, *map(len, self.known)]))

    def _kinds(self, begins: LineBegins) -> Any | None:
        """Of each line the number of its head, or of none; None where a line without one begins as one of them does."""
        if not self.known:
            return None
        kinds = begins.kinds(list(self.known))
        signs = {head[:2] for head in self.known}
        is_odd = any((begins.those_of_shape(sign) & (kinds == len(self.known))).any() for sign in signs)
        return None if is_odd else kinds

    def likely(self, block: bytes) -> Places | None:
        """Lines of a block that may be of a wanted level, where all of it can be told by heads."""
        found = self._by_known(self.begins(block)) if self.known else None
        return found.likely if found else None

    def take_apart(self, lined: bytes, begins: LineBegins | None) -> Apart | None:
        """Of lines with a line end before each; None where a record has an unknown level, or a line two records."""
        found = self._by_known(begins) if begins else None
        if begins and found and (self._second is None or begins.pairs_of_colons() <= found.levels.total()):
            return found
        found = found or self._by_search(lined, is_large=begins is not None)
        if found is None or self._second is None:
            return found
        shape = lined.translate(_DIGITS)
        if shape.count(_CLOCK) <= found.levels.total():
            return found
        return None if self._is_doubled(self._second, lined, shape, found.others) else found

    @staticmethod
    def _is_doubled(second: re.Pattern[bytes], lined: bytes, shape: bytes, others: Sequence[bytes]) -> bool:
        """A second record stands behind its line's first time, or in a line that begins otherwise."""
        behind = ((one.start() + len(_CLOCK), one.end()) for one in _TWO_CLOCKS.finditer(shape))
        return any(second.search(lined, *ends) for ends in behind) or any(map(second.search, others))

    def _by_known(self, begins: LineBegins) -> Apart | None:
        kinds = self._kinds(begins)
        if kinds is None:
            return None
        heads = [*self.known.values(), None]
        levels = Counter[str]()
        for head, times in zip(heads, begins.counts(kinds, len(self.known)), strict=True):
            if head and times:
                levels[head.level] += times
        wanted = [kind for kind, head in enumerate(heads) if head is None or head.level in self._wanted]
        _, starts, ends, _ = begins.places(kinds, [len(self.known)])
        others = [begins.lined[start + 1 : end + 1] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        return Apart(levels, others, Places(heads, begins.places(kinds, wanted)))

    def _by_search(self, lined: bytes, *, is_large: bool) -> Apart | None:
        levels = Counter[str]()
        for word, times in Counter(self._words.findall(lined)).items():
            level = self._levels.get(bare(word.decode("ascii")))
            if level is None:
                return None
            levels[level] += times
        if is_large and self._lessons:
            self._learn(lined)
        return Apart(levels, self._others.findall(lined) if levels.total() != lined.count(b"\n") - 1 else [])

    def _learn(self, lined: bytes) -> None:
        """Where there are too many heads none is kept, as looking for each would take longer than one search."""
        self._lessons -= 1
        for one in self._heads.finditer(lined):
            if not _DIGIT.search(one["level"]):
                level = self._levels[bare(one["level"].decode("ascii"))]
                self.known[one.group().translate(_DIGITS)] = Head(level, len(one["stamp"]), len(one.group()) - 2)
        if len(self.known) > MOST_HEADS:
            self.known, self._lessons = {}, 0


def head_pattern(reader: LogReader) -> bytes:
    """A record's head up to its level, in ASCII. A blank behind the stamp, since none of it may count as a word."""
    stamp = b"(?P<stamp>" + stamp_pattern(reader) + b")"
    between = _NO_ZONE + (_WORD + _BLANKS) * (reader.level_word - 1)
    return stamp + _BLANKS + between + b"(?P<level>" + _WORD + rb")(?=[ \t|\r\n])"


def second_record(reader: LogReader) -> str:
    """A whole head with a known level, to be looked for behind a line's beginning; in ASCII."""
    words = r"[^\s|]+[ \t|]+" * (reader.level_word - 1)
    levels = "|".join(map(re.escape, reader.levels))
    level = rf"[{re.escape(BEFORE_A_LEVEL)}]*(?:{levels})[{re.escape(AFTER_A_LEVEL)}]*(?=[\s|]|$)"
    return rf"{BY_NAME[reader.stamp].pattern.pattern}[ \t|]+{words}{level}"


def stamp_pattern(reader: LogReader) -> bytes:
    return BY_NAME[reader.stamp].pattern.pattern.encode()
