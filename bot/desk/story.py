"""The sets of files that the story hands out with one click, each made from nothing but a date."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from bot.desk.story_books import year_of_books
from bot.desk.story_logs import Format, week_of_logs

ZONE = ZoneInfo("Europe/Oslo")
CHANGED = "spectro-07.log"

REQUEST = "@standby Every Monday compile last week's instrument logs into an error summary and email it to the lab list"
POSTED = "Instrument logs of the week"
ONE_OFF = "@standby Compute each subsidiary's net margin and rank them"


@dataclass(frozen=True)
class FileSet:
    """A set of files and the message that they come with. `make` gives them for the desk's local date."""

    name: str
    title: str
    text: str
    make: Callable[[date], Mapping[str, bytes]]

    def files(self, now: datetime) -> Mapping[str, bytes]:
        return self.make(now.astimezone(ZONE).date())


def monday_of(day: date) -> date:
    """The Monday of this day's week."""
    return day - timedelta(days=day.weekday())


@lru_cache(maxsize=8)
def last_week(day: date) -> Mapping[str, bytes]:
    """The logs of the last full week, as somebody has them at hand when asking."""
    return week_of_logs(monday_of(day) - timedelta(days=7))


@lru_cache(maxsize=8)
def coming_week(day: date) -> Mapping[str, bytes]:
    """The logs that are due next Monday: those of the week in which `day` lies."""
    return week_of_logs(monday_of(day))


@lru_cache(maxsize=8)
def coming_week_changed(day: date) -> Mapping[str, bytes]:
    """The same after a firmware update of one instrument, which now writes JSON lines."""
    return week_of_logs(monday_of(day), {CHANGED: Format.JSON_LINES})


@lru_cache(maxsize=2)
def books(day: date) -> Mapping[str, bytes]:
    """The books of thirty subsidiaries for the year before."""
    return year_of_books(day.year - 1)


SETS: dict[str, FileSet] = {
    one.name: one
    for one in (
        FileSet("request", "This week's 14 instrument logs", REQUEST, last_week),
        FileSet("quiet", "Next week's files, nothing new", POSTED, coming_week),
        FileSet("changed", "Next week's files, one instrument updated", POSTED, coming_week_changed),
        FileSet("books", "Thirty subsidiaries' books", ONE_OFF, books),
    )
}
