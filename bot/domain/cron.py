"""A cron line as sets of numbers; weekdays by name only, because 1 means Monday to some and Sunday to others."""

from dataclasses import dataclass
from datetime import date, time

from bot.domain.errors import RequestProblem

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True)
class Cron:
    """Five fields, each as the values it admits. `is_every_hour` decides how clock changes are met."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]  # 0 is Monday, as in date.weekday()
    is_every_hour: bool

    @property
    def times(self) -> tuple[time, ...]:
        return tuple(time(hour, minute) for hour in self.hours for minute in self.minutes)

    def admits(self, day: date) -> bool:
        return day.month in self.months and day.day in self.days and day.weekday() in self.weekdays


def parse(line: str) -> Cron:
    """Read `minute hour day month weekday`. Raises RequestProblem with the field that is wrong."""
    fields = line.lower().split()
    if len(fields) != 5:
        raise RequestProblem(
            f"The schedule {line!r} needs five fields (minute hour day month weekday), it has {len(fields)}."
        )
    minute, hour, day, month, weekday = fields
    if day != "*" and weekday != "*":
        raise RequestProblem(f"The schedule {line!r} names both days of the month and weekdays; give one of them.")
    return Cron(
        minutes=tuple(sorted(_values("minute", minute, 0, 59, ()))),
        hours=tuple(sorted(_values("hour", hour, 0, 23, ()))),
        days=_values("day", day, 1, 31, ()),
        months=_values("month", month, 1, 12, MONTHS),
        weekdays=_values("weekday", weekday, 0, 6, WEEKDAYS),
        is_every_hour=hour.startswith("*"),
    )


def _values(field: str, text: str, low: int, high: int, names: tuple[str, ...]) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        span, slash, step = part.partition("/")
        if span == "*":
            first, last = low, high
        else:
            left, dash, right = span.partition("-")
            first = _value(field, left, low, high, names)
            last = _value(field, right, low, high, names) if dash else (high if slash else first)
        if first > last or (slash and (not _is_number(step) or int(step) == 0)):
            raise RequestProblem(f"The {field} {part!r} of the schedule makes no range.")
        found.update(range(first, last + 1, int(step or 1)))
    return frozenset(found)


def _value(field: str, text: str, low: int, high: int, names: tuple[str, ...]) -> int:
    if text in names:
        return names.index(text) + low
    if field == "weekday":
        raise RequestProblem(f"The weekday {text!r} is not a name; use {', '.join(WEEKDAYS)}.")
    if _is_number(text) and low <= int(text) <= high:
        return int(text)
    raise RequestProblem(f"The {field} {text!r} of the schedule is not between {low} and {high}.")


def _is_number(text: str) -> bool:
    """Plain digits, few of them; `str.isdigit` alone also takes other scripts and superscripts."""
    return text.isascii() and text.isdigit() and len(text) < 4
