"""The days of a log's records, and whether they come in the order of time; of stamps in ISO form, which sort."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .log_begins import LineBegins

_ISO = re.compile(r"\[?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)")
LATE = timedelta(hours=2)  # clocks are set back by an hour, and programs that share a log do not write at once
MOST_DAYS = 40  # of one block that are looked for one by one


@dataclass
class LogDays:
    """`records` by day; `late` are those older than one above them, in a large log by a day.

    `oldest` and `newest` are of all stamps, wherever they stand.
    """

    records: Counter[str] = field(default_factory=Counter)
    late: int = 0
    oldest: str = ""
    newest: str = ""

    def note(self, stamp: str) -> None:
        if found := _ISO.match(stamp):
            self.records[found[1]] += 1
            self.oldest = min(self.oldest or stamp, stamp)
            if stamp >= self.newest:
                self.newest = stamp
            else:
                self.late += _is_late(found, _ISO.match(self.newest))

    def note_block(self, begins: LineBegins, first: str, last: str, records: int) -> bool:
        """Counts a block of records, `first` and `last` being the stamps of its ends; False if it is not in order."""
        began, ended = iso_day(first), iso_day(last)
        days = _days(began, ended) if began and began >= iso_day(self.newest) else []
        head = b"\n[" if first.startswith("[") else b"\n"
        counts, before = Counter[str](), -1
        for day in days:
            lines = begins.those_with(head + day.encode()).nonzero()[0]
            if len(lines):
                counts[day] = len(lines)
                if lines[0] < before:
                    return False
                before = lines[-1]
        if counts.total() != records:
            return False
        self.records += counts
        self.oldest = min(self.oldest or first, first)
        self.newest = max(self.newest, last)
        return True


def iso_day(stamp: str) -> str:
    """The day of a stamp in ISO form, such as 2026-09-07; "" of others."""
    found = _ISO.match(stamp)
    return found[1] if found else ""


def _days(first: str, last: str) -> list[str]:
    try:
        start, count = date.fromisoformat(first), (date.fromisoformat(last) - date.fromisoformat(first)).days + 1
    except ValueError:
        return []
    return [f"{start + timedelta(days=number):%Y-%m-%d}" for number in range(count if count <= MOST_DAYS else 0)]


def _is_late(one: re.Match[str], newest: re.Match[str] | None) -> bool:
    try:
        return newest is not None and _moment(newest) - _moment(one) > LATE
    except ValueError:
        return True  # 2026-02-30 is no time at all


def _moment(found: re.Match[str]) -> datetime:
    return datetime.fromisoformat(f"{found[1]}T{found[2]}")
