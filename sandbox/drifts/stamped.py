"""Time stamps in text, found by their form: to reprint, to shift, and to tell days apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from .drift import lines_of

STAMP = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,]\d{1,9})?Z?")
_DAY = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_WRITTEN = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d)(?![\d/-])")
MONTHS = 12


def moment(found: re.Match[str]) -> datetime:
    year, month, day, hour, minute, second = map(int, found.groups()[:6])
    return datetime(year, month, day, hour, minute, second)


def shifted(data: bytes, by: timedelta) -> bytes:
    """Every date moved by whole days: ISO ones, and those as tables write them, such as 07.12.2026 or 12/31/2026."""
    text = data.decode("utf-8")
    written = list(_WRITTEN.finditer(text))
    is_day_first, width = _is_day_first(written), min((len(found[at]) for found in written for at in (1, 3)), default=2)

    def moved(found: re.Match[str]) -> str:
        try:
            return f"{date.fromisoformat(found.group()) + by:%Y-%m-%d}"
        except (ValueError, OverflowError):
            return found.group()

    def moved_written(found: re.Match[str]) -> str:
        first, mark, second, year = found.groups()
        has_day_first = mark == "." or is_day_first
        day, month = (first, second) if has_day_first else (second, first)
        try:
            then = date(int(year), int(month), int(day)) + by
        except (ValueError, OverflowError):
            return found.group()
        numbers = (then.day, then.month) if has_day_first else (then.month, then.day)
        return mark.join(f"{one:0{width}}" for one in numbers) + f"{mark}{then.year}"

    return _WRITTEN.sub(moved_written, _DAY.sub(moved, text)).encode()


def _is_day_first(written: Sequence[re.Match[str]]) -> bool:
    """Whether dates with a stroke or a hyphen begin with the day; so they do where none tells."""
    pairs = [(int(found[1]), int(found[3])) for found in written if found[2] != "."]
    return any(first > MONTHS for first, _ in pairs) or not any(second > MONTHS for _, second in pairs)


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
