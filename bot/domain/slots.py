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

from bot.domain.calendars import check_region, holiday_on
from bot.domain.cron import WEEKDAYS, Cron, parse
from bot.domain.errors import RequestProblem
from bot.domain.rules import BUSINESS_DAY, EveryWeeks, NthDay, is_business_day, is_rule, parse_rule
from library.manifest import Manifest
from library.manifest_schedule import OnHoliday
from library.manifest_schedule import Schedule as PlanSchedule

YEAR_DAYS = 366
HORIZON_DAYS = 366 * 8 + 1  # 29 February comes at least every eighth year
QUARTERS = "jan,apr,jul,oct"
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
    """A cron line, or a rule of bot.domain.rules, in a zone (an IANA name); without the holidays of a region."""

    when: str
    zone: str
    anchor: str = ""
    region: str = ""
    on_holiday: OnHoliday = OnHoliday.SKIP

    @cached_property
    def _days(self) -> Cron | NthDay | EveryWeeks:
        if is_rule(self.when):
            return parse_rule(self.when, self.anchor, self.region)
        return parse(self.when)

    @cached_property
    def _zone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise RequestProblem(f"{self.zone!r} is not a time zone I know; use a name like Europe/Oslo.") from None

    @property
    def times(self) -> tuple[time, ...]:
        """The times of day of its slots."""
        return self._days.times

    @property
    def is_every_hour(self) -> bool:
        return self._days.is_every_hour

    def check(self) -> None:
        """Raise RequestProblem when schedule, zone or region cannot be read, or it never comes."""
        _ = self._zone
        check_region(self.region)
        if next(self.between(datetime(2026, 1, 1, tzinfo=UTC), datetime(2034, 2, 1, tzinfo=UTC)), None) is None:
            raise RequestProblem(f"The schedule {self.when!r} never comes.")

    def after(self, instant: datetime) -> datetime:
        """The first slot later than `instant` (aware). Raises RequestProblem if none comes in eight years."""
        for due_at in self._from(instant):
            if due_at > instant:
                return due_at
        raise RequestProblem(f"The schedule {self.when!r} never comes.")

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
        if not self.admits(day):
            return []
        walls = [datetime.combine(day, wall) for wall in self._days.times]
        find = self._every_pass if self._days.is_every_hour else self._once
        return sorted({due_at for wall in walls for due_at in find(wall)})

    def admits(self, day: date) -> bool:
        """Whether there are slots on this local day."""
        if not self.region or getattr(self._days, "day", "") == BUSINESS_DAY:
            return self._days.admits(day)
        is_slot = self._days.admits(day) and not holiday_on(self.region, day)
        return is_slot or (self.on_holiday is OnHoliday.SHIFT and self._is_shifted_to(day))

    def _is_shifted_to(self, day: date) -> bool:
        """Whether a slot of a holiday comes on this day: the first after it that is worked on."""
        if not is_business_day(day, self.region):
            return False
        before = day - timedelta(days=1)
        while not is_business_day(before, self.region):
            if holiday_on(self.region, before) and self._days.admits(before):
                return True
            before -= timedelta(days=1)
        return False

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

    def clock_change(self, day: date) -> str:
        """What the change of clocks on a local day does to its slots, in words; empty where it does nothing."""
        noons = [datetime(one.year, one.month, one.day, 12, tzinfo=self._zone) for one in (day - timedelta(1), day)]
        moved = noons[1].utcoffset() != noons[0].utcoffset()
        if not moved or not self.admits(day):
            return ""
        if self._days.is_every_hour:
            return "it comes at each hour that really passes"
        for wall in (datetime.combine(day, one) for one in self._days.times):
            passes = self._every_pass(wall)
            if len(passes) > 1:
                return f"{wall:%H:%M} comes twice and the first counts"
            if not passes:
                at = self._end_of_gap(wall).astimezone(self._zone)
                return f"there is no {wall:%H:%M}, so it runs at {at:%H:%M}"
        return ""

    def clock_changes(self, now: datetime) -> tuple[str, ...]:
        """The changes of clocks in the next year that its slots meet, said in advance."""
        today = now.astimezone(self._zone).date()
        days = (today + timedelta(days=ahead) for ahead in range(YEAR_DAYS))
        said = ((day, self.clock_change(day)) for day in days)
        return tuple(f"On {day:%a} {day.day} {day:%b %Y} clocks change: {words}." for day, words in said if words)

    def words(self) -> str:
        """`Mondays 07:00 Europe/Oslo` where a short form exists, else the cron line with its zone."""
        days = self._days
        if isinstance(days, Cron):
            return f"{_cron_words(self.when)} {self.zone}"
        at = " and ".join(f"{one:%H:%M}" for one in days.times)
        return f"{days.words()}, {at} {self.zone}"

    def local(self, instant: datetime) -> str:
        """`Mon 7 Dec 2026 07:00` in the schedule's zone."""
        return moment_words(instant.astimezone(self._zone))


def moment_words(at: datetime) -> str:
    """`Mon 7 Dec 2026 07:00`, by the clock of its own zone."""
    return f"{at:%a} {at.day} {at:%b %Y %H:%M}"


def _cron_words(line: str) -> str:
    minute, hour, day, month, weekday = line.lower().split()
    if not (minute.isdigit() and all(one.isdigit() for one in hour.split(","))):
        return f"cron {line}"
    at = " and ".join(f"{int(one):02d}:{int(minute):02d}" for one in hour.split(","))
    if month == "*" and day == "*" and weekday == "*":
        return f"Every day {at}"
    if month == "*" and day == "*" and weekday == "mon-fri":
        return f"Weekdays {at}"
    if month == "*" and day == "*" and all(name in WEEKDAYS for name in weekday.split(",")):
        return f"{' and '.join(FULL[name] for name in weekday.split(','))} {at}"
    if weekday == "*" and all(one.isdigit() for one in day.split(",")):
        which = f"Day {' and '.join(day.split(','))}"
        if month in ("*", QUARTERS):
            return f"{which} of every {'month' if month == '*' else 'quarter'} {at}"
    return f"cron {line}"


def schedule_of(manifest: Manifest) -> Schedule | None:
    """When a plan is due; None where it runs only when somebody asks."""
    return schedule_from(manifest.schedule) if manifest.schedule else None


def schedule_from(said: PlanSchedule) -> Schedule:
    """The due moments of what a plan states."""
    return Schedule(said.when, said.zone, said.anchor, said.terms.holidays, said.terms.on_holiday)


def slot_words(due_at: datetime, schedule: Schedule | None) -> str:
    """`Mon 7 Dec 2026 07:00 Europe/Oslo`; in UTC where no schedule says otherwise."""
    return f"{schedule.local(due_at)} {schedule.zone}" if schedule else f"{due_at:%d %b %Y %H:%M} UTC"


def next_times(schedule: Schedule, now: datetime, count: int = 3) -> tuple[datetime, ...]:
    """The next `count` slots after `now`."""
    found: list[datetime] = []
    while len(found) < count:
        found.append(schedule.after(found[-1] if found else now))
    return tuple(found)
