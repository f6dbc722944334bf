"""Files of one name and another date each: one pattern, so many a slot, and a missing day is named."""

from datetime import date, timedelta

import pytest

from library.file_days import per_slot
from library.fill import fill
from library.filling import Window
from sandbox.outcome import Report, Surprised
from sandbox.shape import compare, shape_of
from tests.library.conftest import WINDOW
from tests.library.weeks import subsidiaries

PATTERN = "sales-" + "-".join("[0-9]" * digits for digits in (4, 2, 2)) + ".csv"


@pytest.fixture
def script(catalog):
    return catalog["ranked-margin"]


def a_week(monday: date, days: int = 7) -> dict[str, bytes]:
    """A file a day; its rows are of that day."""
    tables = subsidiaries(seed=monday.day, count=days).values()
    named = {f"sales-{monday + timedelta(days=day)}.csv": table for day, table in enumerate(tables)}
    return {name: _of_day(name[6:16], table) for name, table in named.items()}


def _of_day(day: str, table: bytes) -> bytes:
    header, *rows = table.decode().splitlines()
    return "\n".join([header, *(day + row[10:] for row in rows), ""]).encode()


def test_seven_daily_files_are_one_pattern_of_which_a_slot_has_seven(lab, script):
    filled, outcome = lab.fill_and_run(script, a_week(date(2026, 8, 31)))

    assert isinstance(outcome, Report)
    assert filled.parameters["expected_files"] == {PATTERN: 7}


@pytest.mark.parametrize("gone", range(7))
def test_one_of_seven_missing_is_named_by_its_day(lab, script, gone):
    week = a_week(date(2026, 8, 31))
    filled, _ = lab.fill_and_run(script, week)
    missing = sorted(week)[gone]
    lab.put({name: data for name, data in week.items() if name != missing})

    halted = lab.run(script, filled.parameters)

    assert isinstance(halted, Surprised)
    assert (halted.name, halted.message) == ("MissingFile", f"missing: {missing}")


def test_where_no_day_can_be_told_the_pattern_is_named(lab, script):
    filled, _ = lab.fill_and_run(script, a_week(date(2026, 8, 31)))
    lab.put({"sales-2026-13-99.csv": subsidiaries(count=1).popitem()[1]})

    assert (
        "6 of 7 files sales-(date).csv (there are sales-2026-13-99.csv)" in lab.run(script, filled.parameters).message
    )


def test_many_days_as_an_example_mean_as_many_as_fit_into_a_slot():
    month, day = a_week(date(2026, 8, 1), 30), Window(WINDOW.until - timedelta(days=1), WINDOW.until)

    assert per_slot(list(month), WINDOW) == {PATTERN: 7}
    assert per_slot(list(month), day) == {PATTERN: 1}
    assert per_slot(["a.csv", "b.csv"], WINDOW) == {"a.csv": 1, "b.csv": 1}


def test_a_plan_from_before_counts_keeps_its_list_of_names(lab, script):
    facts = lab.put(subsidiaries(count=2))
    before = dict(fill(script, facts, window=WINDOW).parameters) | {"expected_files": ["subsidiary-01.csv"]}

    assert fill(script, facts, before=before).parameters["expected_files"] == {"subsidiary-01.csv": 1}


def test_each_file_of_a_pattern_is_compared_with_the_agreed_shape(lab):
    week = a_week(date(2026, 8, 31))
    shape = shape_of(lab.put(week))
    odd = sorted(week)[2]

    assert compare(shape, lab.put(a_week(date(2026, 9, 7)))) == ()
    changed = compare(shape, lab.put(week | {odd: week[odd].replace(b"revenue_nok", b"revenue")}))
    assert {one.file for one in changed} == {odd}
