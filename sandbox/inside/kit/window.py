"""Dates compared with the slot: files that are not of this time, and what to call the time a report is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from .declare import metric
from .state import PastMetrics, current
from .surprise import Surprise
from .usual import ENOUGH

if TYPE_CHECKING:
    from .given import Input

AGE = "days since the newest entry"  # of the slot's files, when the slot was due; kept, so that later slots compare
BEGIN = "days since the first entry"  # of the slot's files; the same, so that days in no report are noticed
OLDEST = "days since the entries begin"  # of the table that begins first; the same
DAY_S = 86_400
AHEAD = timedelta(days=1)  # a time without a zone may be this far off
OVERLAP_DAYS = 0.75  # that a file may begin before the newest entry of the report before: zones, and whole days
USUAL = {"late_days": 1.0, "most_days": 8.0, "quiet_days": 2.0, "overlap_days": 0.0}


@dataclass(frozen=True)
class Span:
    """The first and the last time that a file's entries have; aware."""

    first_at: datetime
    last_at: datetime

    @classmethod
    def over(cls, moments: Sequence[datetime]) -> Span:
        """Of at least one time; those without a zone are taken as UTC."""
        aware = [one if one.tzinfo else one.replace(tzinfo=UTC) for one in moments]
        return cls(min(aware), max(aware))

    @property
    def days(self) -> float:
        return (self.last_at - self.first_at).total_seconds() / DAY_S


def check_dates(file: Input, span: Span | None, *, any_age: bool = False) -> None:
    """Raises Surprise StaleFile for a file of another time, OutsideWindow for one that holds too much or the future.

    By plan.toml's `dates`: a file's last entry is later than the slot before, give or take `late_days`, and it covers
    at most `most_days`, unless with `any_age` old entries belong to it. `span` is None where the data has no dates.
    """
    state = current()
    state.note_check("StaleFile", file.name)
    state.note_check("OutsideWindow", file.name)
    slot = state.slot
    if span is None:
        return
    state.spans[file.name] = span
    has_window = slot.since < slot.until
    late_days, most_days = _limit("late_days"), _limit("most_days")
    if has_window and span.last_at <= slot.since - timedelta(days=late_days):
        words = f"{file.name} ends on {_at(span.last_at)}: it is older than this report"
        window = f"the window from {_at(slot.since)} to {_at(slot.until)} UTC"
        expected = f"an entry later than {_days(late_days)} before {window}"
        raise _odd("StaleFile", words, span, expected, "late_days", file.name)
    if has_window and span.last_at > slot.until + AHEAD:
        words = f"{file.name} has entries of {_at(span.last_at)}, which is still to come"
        raise _odd("OutsideWindow", words, span, f"entries up to {_at(slot.until)} UTC", "", file.name)
    if span.days > most_days and not any_age:
        words = f"{file.name} covers {span.days:.0f} days, so it holds what earlier reports had"
        raise _odd("OutsideWindow", words, span, f"at most {_days(most_days)} in one file", "most_days", file.name)


def check_ends() -> None:
    """Over all files of check_dates. Raises Surprise EndsEarly for one that ends `quiet_days` before the newest of
    all: it may be cut off at the end of a line; StaleFile where nothing is newer than in the slot before; OutsideWindow
    where a table begins well before what the slot before ended with, unless earlier ones did so too.
    """
    state = current()
    state.note_check("EndsEarly", "")
    if not state.spans:
        return
    quiet_days = _limit("quiet_days")
    newest = max(span.last_at for span in state.spans.values())
    name, first_to_end = min(state.spans.items(), key=lambda item: item[1].last_at)
    if newest - first_to_end.last_at > timedelta(days=quiet_days):
        words = f"{name} ends on {_at(first_to_end.last_at)}, long before the newest file, as if it were cut"
        expected = f"an end at most {_days(quiet_days)} before that of the newest file, {_at(newest)}"
        raise _odd("EndsEarly", words, first_to_end, expected, "quiet_days", name)
    first = min(span.first_at for span in state.spans.values())
    metric(AGE, round((state.slot.due_at - newest).total_seconds() / DAY_S, 4))
    metric(BEGIN, round((state.slot.due_at - first).total_seconds() / DAY_S, 4))
    for past in state.slot.history[-1:]:
        if AGE in past.metrics and newest <= past.due_at - timedelta(days=float(past.metrics[AGE]), seconds=-10):
            words = f"nothing is newer than in the report of {past.due_at:%Y-%m-%d}"
            raise _odd("StaleFile", words, Span(newest, newest), f"entries later than {_at(newest)}", "", "")
    if state.begins:
        _check_overlap()


def _check_overlap() -> None:
    """Rows that the report before had too would be counted twice."""
    state = current()
    name, begin = min(state.begins.items(), key=lambda item: item[1])
    past = state.slot.history
    oldest = round((state.slot.due_at - begin).total_seconds() / DAY_S, 4)
    metric(OLDEST, oldest)
    pairs = [*pairwise(past), (past[-1], PastMetrics(state.slot.due_at, {OLDEST: oldest}))] if past else []
    overlaps = [_overlap(before, after) for before, after in pairs if AGE in before.metrics and OLDEST in after.metrics]
    if len(overlaps) < ENOUGH or AGE not in past[-1].metrics:
        return
    *earlier, now = overlaps
    most = max(_limit("overlap_days"), OVERLAP_DAYS + 1.5 * max(0.0, *earlier))
    if now > most:
        words = (
            f"{name} begins on {begin:%Y-%m-%d}, {_days(round(now, 1))} before the newest entry of the report of "
            f"{past[-1].due_at:%Y-%m-%d}, so it holds what that report had"
        )
        expected = f"a begin at most {_days(round(most, 1))} before that"
        raise _odd("OutsideWindow", words, state.spans[name], expected, "overlap_days", name)


def _overlap(before: PastMetrics, after: PastMetrics) -> float:
    """Days from where a slot's tables begin to the newest entry of the slot before it; below zero where all is new."""
    between = (after.due_at - before.due_at).total_seconds() / DAY_S
    return float(after.metrics[OLDEST]) - between - float(before.metrics[AGE])


def period() -> str:
    """The time that the entries are of, by their own dates; "no dates in the data" where they have none."""
    spans = current().spans.values()
    if not spans:
        return "no dates in the data"
    whole = Span(min(one.first_at for one in spans), max(one.last_at for one in spans))
    first, last = f"{whole.first_at:%Y-%m-%d}", f"{whole.last_at:%Y-%m-%d}"
    return first if first == last else f"{first} to {last}"


def _limit(name: str) -> float:
    """Of plan.toml's `dates`; of a week, where a script has none."""
    return float(current().parameters.get("dates", {}).get(name, USUAL[name]))


def _days(days: float) -> str:
    return f"{days:g} day{'' if days == 1 else 's'}"


def _odd(name: str, message: str, seen: Span, expected: str, admits: str, file: str) -> Surprise:
    """`admits` names the parameter that lets others pass, empty where none does."""
    said = expected + (f' (the parameter "{admits}" admits others)' if admits else "")
    text = f"from {_at(seen.first_at)} to {_at(seen.last_at)}"
    return Surprise(name, message, seen=text, expected=said, file=file)


def _at(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
