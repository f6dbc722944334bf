"""Days that cron cannot say: the n-th of a kind in a month or quarter, and every so many weeks."""

from dataclasses import dataclass
from datetime import date, time, timedelta

from bot.domain.calendars import holiday_on
from bot.domain.errors import RequestProblem
from library.manifest_schedule import DAYS, NTH_RULE, WEEKS_RULE

BUSINESS_DAY = "business day"
# How many days of its kind the period has before it; after it for the last.
_BEYOND = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": 0}
_FULL = dict(zip(DAYS, ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"), strict=True))


@dataclass(frozen=True)
class NthDay:
    """`day` is a weekday's short name, `business day` (no weekend, no holiday of the region) or empty for any day."""

    nth: str
    day: str
    months: int  # 1: of each month, 3: of each quarter
    times: tuple[time, ...]
    region: str = ""

    is_every_hour = False

    def admits(self, day: date) -> bool:
        """Counts only the days of its kind on the near side: before it, or after it for the last."""
        if not self._is_kind(day):
            return False
        step = timedelta(days=1 if self.nth == "last" else -1)
        beyond, other = 0, day + step
        while self._period(other) == self._period(day):
            beyond += self._is_kind(other)
            other += step
        return beyond == _BEYOND[self.nth]

    def words(self) -> str:
        kind = _FULL.get(self.day, self.day or "day")
        return f"{self.nth.capitalize()} {kind} of the {'month' if self.months == 1 else 'quarter'}"

    def _period(self, day: date) -> tuple[int, int]:
        return day.year, (day.month - 1) // self.months

    def _is_kind(self, day: date) -> bool:
        if self.day == BUSINESS_DAY:
            return is_business_day(day, self.region)
        return not self.day or day.weekday() == DAYS.index(self.day)


@dataclass(frozen=True)
class EveryWeeks:
    """On these weekdays (0 is Monday) of every so many weeks; the week of `anchor` counts."""

    weeks: int
    weekdays: tuple[int, ...]
    anchor: date
    times: tuple[time, ...]

    is_every_hour = False

    def admits(self, day: date) -> bool:
        apart = (_monday(day) - _monday(self.anchor)).days // 7
        return day.weekday() in self.weekdays and apart % self.weeks == 0

    def words(self) -> str:
        names = " and ".join(f"{_FULL[DAYS[number]]}s" for number in self.weekdays)
        a = self.anchor
        return f"Every {self.weeks} weeks, {names}, counted from the week of {a.day} {a:%b %Y}"


def is_rule(when: str) -> bool:
    return bool(NTH_RULE.fullmatch(when) or WEEKS_RULE.fullmatch(when))


def parse_rule(when: str, anchor: str = "", region: str = "") -> NthDay | EveryWeeks:
    """Read a rule as the manifest writes it. Raises RequestProblem."""
    if found := WEEKS_RULE.fullmatch(when):
        if not anchor:
            raise RequestProblem(f"“{when}” needs a date in a week that counts.")
        weekdays = tuple(sorted({DAYS.index(name) for name in found["days"].split(",")}))
        return EveryWeeks(int(found["weeks"]), weekdays, date.fromisoformat(anchor), _times(found["times"]))
    if found := NTH_RULE.fullmatch(when):
        if found["end"]:
            return NthDay("last", "", _months(found["end_period"]), _times(found["end_times"]))
        return NthDay(found["nth"], found["day"], _months(found["period"]), _times(found["times"]), region)
    raise RequestProblem(f"“{when}” is no rule that I know.")


def first_in_a_week(when: str, after: date) -> str:
    """The anchor of a rule that counts weeks: its first day after `after`, as ISO date; empty for other rules."""
    found = WEEKS_RULE.fullmatch(when)
    if not found:
        return ""
    weekdays = {DAYS.index(name) for name in found["days"].split(",")}
    days = (after + timedelta(days=ahead) for ahead in range(1, 8))
    return next(day for day in days if day.weekday() in weekdays).isoformat()


def is_business_day(day: date, region: str) -> bool:
    return day.weekday() < 5 and not holiday_on(region, day)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _months(period: str) -> int:
    return 1 if period == "month" else 3


def _times(text: str) -> tuple[time, ...]:
    return tuple(sorted({time.fromisoformat(one) for one in text.split(",")}))
