"""Every change of every clock in the world, each once however many zones share it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

BEGIN, END = datetime(2024, 1, 1, tzinfo=UTC), datetime(2036, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


@dataclass(frozen=True, order=True)
class Transition:
    """The first minute on which a zone's clock stands otherwise, and by how much it jumped (minutes)."""

    at: datetime
    jump: int
    before: int
    zone: str


@cache
def transitions() -> tuple[Transition, ...]:
    """All of 2024 to 2035, oldest first: one zone for each (moment, offset before, offset after)."""
    found: dict[tuple[datetime, int, int], Transition] = {}
    for name in sorted(available_timezones() - {"localtime"}):
        for one in _of_zone(name):
            found.setdefault((one.at, one.before, one.jump), one)
    return tuple(sorted(found.values()))


def _of_zone(name: str) -> list[Transition]:
    zone, found, day = ZoneInfo(name), [], BEGIN
    before = _offset(zone, day)
    while day < END:
        after = _offset(zone, day + DAY)
        if after != before:
            found.append(Transition(_moment(zone, day, before), after - before, before, name))
        before, day = after, day + DAY
    return found


def _moment(zone: ZoneInfo, day: datetime, before: int) -> datetime:
    low, high = 0, 24 * 60
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _offset(zone, day + timedelta(minutes=middle)) == before else (low, middle)
    return day + timedelta(minutes=high)


def _offset(zone: ZoneInfo, instant: datetime) -> int:
    shift = instant.astimezone(zone).utcoffset()
    assert shift is not None
    return round(shift.total_seconds() / 60)
