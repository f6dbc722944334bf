"""Due moments of a schedule as UTC instants, with an explicit rule for the days the clock changes.

A fixed hour is due once per matching local day: where the clock repeats it, at its first pass; where the clock
skips it, at the first instant that exists. A wildcard hour is due at every real instant. Keys are UTC, so that no
two slots share one. (APScheduler's own trigger loses midnight and month-start runs after the spring change.)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.domain.cron import WEEKDAYS, Cron, parse
from bot.domain.errors import RequestProblem
from library.manifest import Manifest

HORIZON_DAYS = 366 * 8 + 1  # 29 February comes at least every eighth year
FULL = {
    "mon": "Mondays",
    "tue": "Tuesdays",
    "wed": "Wednesdays",
    "thu": "Thursdays",
    "fri": "Fridays",
    "sat": "Saturdays",
    "sun": "Sundays",
}


@dataclass(frozen=True)
class Schedule:
    """A cron line in a zone (an IANA name)."""

    cron: str
    zone: str

    @cached_property
    def _cron(self) -> Cron:
        return parse(self.cron)

    @cached_property
    def _zone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise RequestProblem(f"{self.zone!r} is not a time zone I know; use a name like Europe/Oslo.") from None

    def check(self) -> None:
        """Raise RequestProblem when cron line or zone cannot be read, or never comes."""
        _ = self._zone
        if next(self.between(datetime(2026, 1, 1, tzinfo=UTC), datetime(2034, 2, 1, tzinfo=UTC)), None) is None:
            raise RequestProblem(f"The schedule {self.cron!r} never comes.")

    def after(self, instant: datetime) -> datetime:
        """The first slot later than `instant` (aware). Raises RequestProblem if none comes in eight years."""
        for due_at in self._from(instant):
            if due_at > instant:
                return due_at
        raise RequestProblem(f"The schedule {self.cron!r} never comes.")

    def at_or_before(self, instant: datetime) -> datetime | None:
        """The last slot not later than `instant`; None if there was none in the last eight years."""
        for back in (2, 9, 40, 400, HORIZON_DAYS):
            found = list(self.between(instant - timedelta(days=back), instant))
            if found:
                return found[-1]
        return None

    def before(self, instant: datetime) -> datetime | None:
        """The last slot earlier than `instant`."""
        return self.at_or_before(instant - timedelta(microseconds=1))

    def between(self, after: datetime, until: datetime) -> Iterator[datetime]:
        """Slots in (after, until], in order."""
        for due_at in self._from(after):
            if due_at > until:
                return
            if due_at > after:
                yield due_at

    def _from(self, instant: datetime) -> Iterator[datetime]:
        """Slots in order, beginning a day early: a gap moves a slot to a later local time."""
        day = instant.astimezone(self._zone).date() - timedelta(days=1)
        last: datetime | None = None
        for offset in range(HORIZON_DAYS):
            for due_at in self._of_day(day + timedelta(days=offset)):
                if last is None or due_at > last:
                    last = due_at
                    yield due_at

    def _of_day(self, day: date) -> list[datetime]:
        if not self._cron.admits(day):
            return []
        walls = [datetime.combine(day, time(h, m)) for h in self._cron.hours for m in self._cron.minutes]
        find = self._every_pass if self._cron.is_every_hour else self._once
        return sorted({due_at for wall in walls for due_at in find(wall)})

    def _every_pass(self, wall: datetime) -> list[datetime]:
        passes = {wall.replace(tzinfo=self._zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
        return [i for i in passes if i.astimezone(self._zone).replace(tzinfo=None) == wall]

    def _once(self, wall: datetime) -> list[datetime]:
        found = self._every_pass(wall)
        return [min(found)] if found else [self._end_of_gap(wall)]

    def _end_of_gap(self, wall: datetime) -> datetime:
        """The first instant after the gap that swallows `wall`, found by halving on the zone's offset."""
        low = int(wall.replace(tzinfo=self._zone, fold=1).timestamp())  # before the change
        high = int(wall.replace(tzinfo=self._zone, fold=0).timestamp())  # after it
        before = datetime.fromtimestamp(low, self._zone).utcoffset()
        while high - low > 1:
            middle = (low + high) // 2
            if datetime.fromtimestamp(middle, self._zone).utcoffset() == before:
                low = middle
            else:
                high = middle
        return datetime.fromtimestamp(high, UTC)

    def words(self) -> str:
        """`Mondays 07:00 Europe/Oslo` where a short form exists, else the cron line with its zone."""
        minute, hour, day, month, weekday = self.cron.lower().split()
        if not (minute.isdigit() and hour.isdigit() and month == "*"):
            return f"cron {self.cron} {self.zone}"
        at = f"{int(hour):02d}:{int(minute):02d} {self.zone}"
        if day == "*" and weekday == "*":
            return f"Every day {at}"
        if day == "*" and weekday == "mon-fri":
            return f"Weekdays {at}"
        if day == "*" and all(name in WEEKDAYS for name in weekday.split(",")):
            return f"{' and '.join(FULL[name] for name in weekday.split(','))} {at}"
        if weekday == "*" and day.isdigit():
            return f"Day {day} of every month {at}"
        return f"cron {self.cron} {self.zone}"

    def local(self, instant: datetime) -> str:
        """`Mon 7 Dec 2026 07:00` in the schedule's zone."""
        here = instant.astimezone(self._zone)
        return f"{here:%a} {here.day} {here:%b %Y %H:%M}"


def schedule_of(manifest: Manifest) -> Schedule | None:
    """When a plan is due; None where it runs only when somebody asks."""
    return Schedule(manifest.schedule.cron, manifest.schedule.zone) if manifest.schedule else None


def slot_words(due_at: datetime, schedule: Schedule | None) -> str:
    """`Mon 7 Dec 2026 07:00 Europe/Oslo`; in UTC where no schedule says otherwise."""
    return f"{schedule.local(due_at)} {schedule.zone}" if schedule else f"{due_at:%d %b %Y %H:%M} UTC"


def next_times(schedule: Schedule, now: datetime, count: int = 3) -> tuple[datetime, ...]:
    """The next `count` slots after `now`."""
    found: list[datetime] = []
    while len(found) < count:
        found.append(schedule.after(found[-1] if found else now))
    return tuple(found)
