"""Log records, one by one: the level is read at its place, never searched for, and what does not fit is counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from zoneinfo import ZoneInfo

from . import fast_logs
from .given import Input, reader_for
from .line_kinds import holds_another, looks_like_a_record
from .log_days import LogDays, iso_day
from .log_heads import Head, second_record
from .log_reader import LogReader
from .log_splitters import AROUND, Splitter, splitter_of
from .packing import damaged, opened
from .row_counts import refuse_empty
from .stamps import BY_NAME, any_moment, moment_of
from .state import current
from .surprise import Surprise
from .text_lines import LARGE_BYTES, LINE_LIMIT, text_lines
from .window import Span

EVIDENCE_LINES = fast_logs.FIRST_LINES
UNKNOWN_NAMES = 50  # different unknown levels that are told apart; a file has six, not six hundred
_NUMBERS = re.compile(r"0x[0-9a-fA-F]+|\d+")


@dataclass(slots=True)
class LogRecord:
    level: str  # the name it is counted under
    message: str  # the first line's text after the level
    line: int
    stamp: str = ""  # the time as written


@dataclass
class LogFile:
    """Iterate it once for its records; then its counts stand. A check that names its file must look at the odd ones."""

    source: Input
    reader: LogReader
    lines: int = 0
    records: int = 0
    continuation_lines: int = 0
    unexplained_lines: int = 0
    doubled_lines: int = 0  # of the unexplained: those that hold a second record
    levels: Counter[str] = field(default_factory=Counter)  # as counted -> records
    unknown_levels: Counter[str] = field(default_factory=Counter)
    evidence: list[str] = field(default_factory=list)
    first_lines: list[str] = field(default_factory=list)
    first_stamp: str = ""
    last_stamp: str = ""
    days: LogDays = field(default_factory=LogDays)
    is_finished: bool = False
    block_bytes: int = fast_logs.BLOCK_BYTES
    large_bytes: int = LARGE_BYTES

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def explained_share(self) -> float:
        """Share of lines that belong to a record with a level or continue one; an empty file explains all it has."""
        odd = self.unexplained_lines + self.unknown_levels.total()
        return 1.0 if not self.lines else (self.lines - odd) / self.lines

    @property
    def evidence_text(self) -> str:
        names = ", ".join(f"{name} ({count:,})" for name, count in self.unknown_levels.most_common(5))
        levels = f"unknown levels: {names}; " if names else ""
        doubled = f"{self.doubled_lines:,} of them hold a second record (quotes = true admits that)"
        more = f", {doubled}" if self.doubled_lines else ""
        return f"{levels}{self.unexplained_lines:,} lines that are no record{more}"

    def at(self, stamp: str) -> datetime | None:
        """When a stamp of this file was; None where it has no year, or is no time."""
        moment = any_moment(stamp) if self.reader.format != "text" else moment_of(BY_NAME[self.reader.stamp], stamp)
        if moment is None or moment.tzinfo is not None:
            return moment
        return moment.replace(tzinfo=ZoneInfo(self.reader.zone))

    def day_of(self, record: LogRecord) -> str:
        """Such as 2026-09-07; "" where its stamp has no date."""
        if day := iso_day(record.stamp):
            return day
        moment = self.at(record.stamp)
        return f"{moment:%Y-%m-%d}" if moment else ""

    @property
    def span(self) -> Span | None:
        """From its oldest to its newest record, in whatever order they stand; None where its form has no dates.

        Raises Surprise OddDate.
        """
        return self._between(self.days.oldest or self.first_stamp, self.days.newest or self.last_stamp)

    @property
    def ends(self) -> Span | None:
        """The same from its first to its last record."""
        return self._between(self.first_stamp, self.last_stamp)

    def _between(self, *stamps: str) -> Span | None:
        if not (self.reader.is_dated and self.records):
            return None
        moments = [moment for stamp in stamps if (moment := self.at(stamp))]
        if len(moments) == 2:
            return Span.over(moments)
        seen = f"{self.first_stamp!r} and {self.last_stamp!r}"
        words = f"the first or last record of {self.name} has no time that can be told"
        raise Surprise("OddDate", words, seen=seen, expected="dated records", file=self.name, rows=self.first_lines)

    def __iter__(self) -> Iterator[LogRecord]:
        names = ("compression", "encoding", "line_end", "final_newline")
        lines = text_lines(self.source.path, **{name: getattr(self.reader, name) for name in names})
        for raw in lines:
            record = self._take(raw)
            if record is not None:
                yield record
        self._finish()

    def only(self, levels: Iterable[str]) -> Iterator[LogRecord]:
        """The records counted under these levels; the others are counted all the same, and large logs faster so."""
        wanted = frozenset(levels)
        seen = self._counted_fast(wanted) if fast_logs.can_read(self.reader) else None
        if seen is None:
            yield from (record for record in self if record.level in wanted)
        elif any(self.levels[level] for level in wanted):
            with opened(self.source.path, self.reader.compression) as stream:
                yield from fast_logs.chosen(self, stream, wanted, seen)

    def _counted_fast(self, wanted: frozenset[str]) -> fast_logs.Seen | None:
        """What counting the log by the block shows; None where it cannot be, and then nothing has been counted."""
        torn_by = damaged(self.reader.compression)
        try:
            with opened(self.source.path, self.reader.compression) as stream:
                seen = fast_logs.count(self, stream, wanted)
        except fast_logs.NotPlain:
            self._forget()
            return None
        except torn_by:
            self._forget()
            return None
        self._finish()
        return seen

    def _finish(self) -> None:
        refuse_empty(self.name, self.lines, self.reader.empty, "lines")
        self.is_finished = True

    def take_lines(self, text: str) -> None:
        """Counts these lines as iterating does."""
        for line in text.removesuffix("\n").split("\n"):
            if len(line) > LINE_LIMIT:
                raise fast_logs.NotPlain
            self._take(line)

    def note_continued(self, lines: int) -> None:
        """Counts lines that only continue a record."""
        self.lines += lines
        self.continuation_lines += lines

    @property
    def has_begun(self) -> bool:
        """Whether a line that is no record can only continue one, and is no evidence of what the file looks like."""
        return bool(self.records) and self.lines >= EVIDENCE_LINES

    def note_records(self, block: bytes, levels: Counter[str]) -> None:
        """Counts a block's records by their levels; lines that are no record are to be taken one by one."""
        if levels and not self.has_begun:
            first = [one.decode().rstrip("\r") for one in block.split(b"\n", EVIDENCE_LINES)]
            self.first_lines = [*self.first_lines, *first[: levels.total()]][:EVIDENCE_LINES]
            self.first_stamp = self.first_stamp or self._stamp(first[0])
        self.lines += levels.total()
        self.records += levels.total()
        self.levels += levels

    def note_end(self, block: bytes) -> None:
        """The stamp of the block's last record."""
        end = len(block) - 1
        while end > 0:
            start = block.rfind(b"\n", 0, end) + 1
            if record := self.record_of(block[start:end].decode().rstrip("\r"), 0):
                self.last_stamp = record.stamp
                return
            end = start - 1

    def record(self, head: Head, line: bytes, number: int) -> LogRecord | None:
        """Of a line that begins with this head, as record_of reads it."""
        rest = line[head.end :].rstrip(b"\r")
        if rest.count(b":") > 1 or b"\r" in rest:  # as in a second record
            return self.record_of(line.decode().rstrip("\r"), number)
        return LogRecord(head.level, rest.decode().strip(AROUND), number, line[: head.stamp].decode())

    def record_of(self, line: str, number: int) -> LogRecord | None:
        found = self._split(line, self.reader)
        if found is None or found[0] not in self.reader.levels or self._holds_another(line, found[2]):
            return None
        return LogRecord(self.reader.levels[found[0]], found[1], number, found[2])

    @cached_property
    def _split(self) -> Splitter:
        return splitter_of(self.reader)

    def _stamp(self, line: str) -> str:
        found = self._split(line, self.reader)
        return found[2] if found else ""

    def _take(self, raw: str) -> LogRecord | None:
        """Counts one line; the record that it begins, if its level is known."""
        self.lines += 1
        line = raw.rstrip("\r\n")
        if self.lines <= EVIDENCE_LINES:
            self.first_lines.append(line)
        found = self._split(line, self.reader)
        is_doubled = self._holds_another(line, found[2] if found else "")
        if found is None or is_doubled:
            self._place(line, is_doubled)
            return None
        level = self.reader.levels.get(found[0])
        if level is None:
            self._note_unknown(found[0], line)
            return None
        self.records += 1
        self.levels[level] += 1
        self.last_stamp = found[2]
        self.first_stamp = self.first_stamp or found[2]
        self.days.note(found[2])
        return LogRecord(level, found[1], self.lines, found[2])

    def _forget(self) -> None:
        """Back to the start, as if nothing had been read."""
        fresh = LogFile(self.source, self.reader)
        names = ("lines", "records", "continuation_lines", "unexplained_lines", "doubled_lines")
        for name in (*names, "first_stamp", "last_stamp", "days"):
            setattr(self, name, getattr(fresh, name))
        for name in ("levels", "unknown_levels", "evidence", "first_lines"):
            getattr(self, name).clear()

    def _place(self, line: str, is_doubled: bool) -> None:
        """A line that starts no record continues the one above, unless it looks like a record of another kind."""
        continues = self.records and self.reader.format == "text" and not is_doubled and not looks_like_a_record(line)
        if continues or not line.strip():
            self.continuation_lines += 1
        else:
            self.unexplained_lines += 1
            self.doubled_lines += is_doubled
            self._keep(line)

    def _holds_another(self, line: str, stamp: str) -> bool:
        """Whether a line holds one record more than it begins, as where a program ended in the middle of a line."""
        if "\r" in line and holds_another(line):
            return True
        # Two colons are in a time, so most lines need not be looked at.
        if self._second is None or line.count(":", len(stamp)) < 2:
            return False
        return self._second.search(line, len(stamp)) is not None

    @cached_property
    def _second(self) -> re.Pattern[str] | None:
        reader = self.reader
        is_stamped = reader.format == "text" and reader.stamp not in ("none", "epoch")
        return re.compile(second_record(reader), re.ASCII) if is_stamped and not reader.quotes else None

    def _note_unknown(self, level: str, line: str) -> None:
        known = level in self.unknown_levels or len(self.unknown_levels) < UNKNOWN_NAMES
        self.unknown_levels[level[:40] if known else "others"] += 1
        self._keep(line)

    def _keep(self, line: str) -> None:
        if len(self.evidence) < EVIDENCE_LINES:
            self.evidence.append(line)


def read_log(source: Input) -> LogFile:
    """The log of this file, by the reader that plan.toml has for its name."""
    log = LogFile(source, LogReader(**reader_for(source.name)))
    current().opened_logs.append(log)
    return log


def message_kind(message: str) -> str:
    """Messages that differ only in numbers are one kind: `retry 3 of 5` is `retry # of #`."""
    return _NUMBERS.sub("#", " ".join(message.split()))[:120]
