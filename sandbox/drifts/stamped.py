"""Time stamps in text, found by their form: to reprint, to shift, and to tell days apart."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from .drift import lines_of

STAMP = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,]\d{1,9})?Z?")
_DAY = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")


def moment(found: re.Match[str]) -> datetime:
    year, month, day, hour, minute, second = map(int, found.groups()[:6])
    return datetime(year, month, day, hour, minute, second)


def shifted(data: bytes, by: timedelta) -> bytes:
    """Every ISO date moved by whole days."""

    def moved(found: re.Match[str]) -> str:
        try:
            return f"{date.fromisoformat(found.group()) + by:%Y-%m-%d}"
        except (ValueError, OverflowError):
            return found.group()

    return re.sub(_DAY, moved, data.decode("utf-8")).encode()


def days_of(data: bytes) -> list[str]:
    """Days with a stamp or a date, in order."""
    return sorted({found.group() for line in lines_of(data) if (found := _DAY.search(line))})


def without_days(data: bytes, days: set[str]) -> bytes:
    """Without the lines of these days, and those that continue them."""
    kept, dropping = [], False
    for line in lines_of(data):
        found = _DAY.search(line)
        dropping = found.group() in days if found else dropping
        if not dropping:
            kept.append(line)
    return "".join(kept).encode()
