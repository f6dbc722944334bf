"""Days that are in no report are said, and what is missing every time is not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.uncovered import FIRST, NEWEST, Covered, uncovered

MONDAY = datetime(2026, 12, 7, 6, tzinfo=UTC)
WEEK = timedelta(days=7)


def report(week: int, first: float, newest: float) -> Covered:
    """Due so many weeks after MONDAY, with entries from `first` to `newest` days before."""
    return Covered(MONDAY + week * WEEK, {FIRST: first, NEWEST: newest})


def test_a_week_between_two_reports_is_in_neither() -> None:
    # 23 to 29 November, then 7 to 13 December
    found = uncovered([report(0, first=14.25, newest=7.26), report(1, first=7.25, newest=0.26)], WEEK)

    assert found is not None
    assert [f"{one:%d %b}" for one in found] == ["29 Nov", "07 Dec"]


@pytest.mark.parametrize(
    ("first", "newest"),
    [
        (7.25, 0.26),  # whole days up to Sunday midnight
        (7.0, 0.0),  # up to the very minute
        (6.9, 2.6),  # instruments that rest at the weekend
        (9.0, 1.0),  # files that reach back into the week before
    ],
)
def test_healthy_weeks_are_not_remarked_on(first: float, newest: float) -> None:
    weeks = [report(week, first, newest) for week in range(8)]

    assert all(uncovered(weeks[:count], WEEK) is None for count in range(len(weeks) + 1))


def test_a_habit_is_remarked_on_once() -> None:
    mondays = [report(week, first=1.2, newest=0.3) for week in range(4)]

    assert uncovered(mondays[:2], WEEK) is not None
    assert uncovered(mondays, WEEK) is None
    assert uncovered([*mondays, report(6, first=1.2, newest=0.3)], WEEK) is not None


def test_without_dates_nothing_is_known() -> None:
    undated = Covered(MONDAY, {"errors": 3.0})

    assert uncovered([undated, report(1, 7.25, 0.26)], WEEK) is None
    assert uncovered([report(0, 7.25, 0.26), Covered(MONDAY + WEEK, {})], WEEK) is None
    assert uncovered([], WEEK) is None
