"""Which of the agreed files are missing, by name; of files with a date in their names, of which days."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from fnmatch import fnmatchcase
from zoneinfo import ZoneInfo

from .given import inputs, params
from .state import current

_DIGIT = "[0-9]"
DAY = timedelta(days=1)


def missing_files() -> list[str]:
    """Names agreed in `expected_files` (pattern = how many) that this slot has not; patterns where none can be named.

    Digits of a date are `[0-9]` in a pattern.
    """
    names = [one.name for one in inputs()]
    return [name for pattern, count in _agreed().items() for name in _missing(pattern, count, names)]


def _agreed() -> Mapping[str, int]:
    agreed = params["expected_files"]
    return agreed if isinstance(agreed, Mapping) else dict.fromkeys(agreed, 1)


def _missing(pattern: str, count: int, names: Sequence[str]) -> list[str]:
    fitting = [name for name in names if fnmatchcase(name, pattern)]
    lacking = count - len(fitting)
    if lacking <= 0:
        return []
    if count == 1:
        return [in_words(pattern)]
    days = [day for name in fitting if (day := date_in(name, pattern))]
    found = _missing_days(days, count) if len(days) == len(fitting) else []
    if len(found) == lacking:
        return [_named(pattern, day) for day in found]
    return [f"{lacking} of {count} files {in_words(pattern)} (there are {', '.join(sorted(fitting)) or 'none'})"]


def _missing_days(days: Sequence[date], count: int) -> list[date]:
    """Those of the slot's window, if it has as many days as there should be files; else the gaps between days."""
    slot = current().slot
    first, last = (moment.astimezone(ZoneInfo(slot.zone)).date() for moment in (slot.since, slot.until))
    for start in (first, first - DAY, first + DAY):  # the day on which the report is due may be in or out
        window = [start + n * DAY for n in range(count)]
        if (last - first).days == count and set(days) <= set(window):
            return [day for day in window if day not in days]
    if not days:
        return []
    return [day for day in (min(days) + n * DAY for n in range((max(days) - min(days)).days)) if day not in days]


def date_in(name: str, pattern: str) -> date | None:
    """The day in a name, where its pattern has the eight digits of one."""
    shape = "".join(
        "([0-9])" if part == _DIGIT else re.escape(part) for part in re.split(r"(\[0-9\])", _plain(pattern))
    )
    found = re.fullmatch(shape, name)
    digits = "".join(found.groups()) if found else ""
    try:
        return datetime.strptime(digits, "%Y%m%d").date() if len(digits) == 8 else None
    except ValueError:
        return None


def in_words(pattern: str) -> str:
    """sales-[0-9][0-9]... as sales-(date)..."""
    return re.sub(r"(?:\[0-9\][-_.]?)*\[0-9\]", "(date)", pattern) if _DIGIT in pattern else _plain(pattern)


def _named(pattern: str, day: date) -> str:
    digits = iter(f"{day:%Y%m%d}")
    return re.sub(r"\[0-9\]", lambda _: next(digits), _plain(pattern))


def _plain(pattern: str) -> str:
    """Without the brackets round signs that a pattern would take for others."""
    return re.sub(r"\[([*?\[])\]", r"\1", pattern)
