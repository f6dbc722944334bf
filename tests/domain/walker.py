"""Slots found the slow way: walk every minute of a span, look at the clock on the wall, and note when it is time."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

MINUTE = timedelta(minutes=1)
NAMES = {
    name: number
    for names, first in (
        (("mon", "tue", "wed", "thu", "fri", "sat", "sun"), 0),
        (("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1),
    )
    for number, name in enumerate(names, first)
}


def walls(zone: str, begin: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
    """Every minute of [begin, end) with what the clock on the wall shows."""
    here, found, instant = ZoneInfo(zone), [], begin
    while instant < end:
        found.append((instant, instant.astimezone(here).replace(tzinfo=None)))
        instant += MINUTE
    return found


def walked(cron: str, minutes: list[tuple[datetime, datetime]]) -> list[datetime]:
    """The slots among these minutes. A fixed hour comes once per day, skipped ones when the clock has jumped."""
    every_pass = cron.split()[1].startswith("*")
    fields = [_values(field) for field in cron.split()]
    found: list[datetime] = []
    latest = minutes[0][1] - MINUTE
    for instant, wall in minutes:
        is_due = _shows(fields, wall) and (every_pass or wall > latest)
        jumped_over = [] if every_pass else _skipped(latest, wall)
        if is_due or any(_shows(fields, moment) for moment in jumped_over):
            found.append(instant)
        latest = max(latest, wall)
    return found


def _skipped(latest: datetime, wall: datetime) -> list[datetime]:
    """The times that the clock never showed because it jumped over them."""
    return [latest + MINUTE * n for n in range(1, (wall - latest) // MINUTE)]


def _shows(fields: list[set[int]], wall: datetime) -> bool:
    return (
        wall.minute in fields[0]
        and wall.hour in fields[1]
        and wall.day in fields[2]
        and wall.month in fields[3]
        and wall.weekday() in fields[4]
    )


def _values(field: str) -> set[int]:
    return {value for value in range(60) if any(_part_holds(part, value) for part in field.split(","))}


def _part_holds(part: str, value: int) -> bool:
    span, _, step = part.partition("/")
    if span == "*":
        return value % int(step or 1) == 0
    first, _, last = span.partition("-")
    low = _number(first)
    high = _number(last) if last else (99 if step else low)
    return low <= value <= high and (value - low) % int(step or 1) == 0


def _number(text: str) -> int:
    return NAMES[text] if text in NAMES else int(text)


def utc(text: str) -> datetime:
    """An instant from `2027-03-28 01:00`."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
