"""Dates against the slot: what is old, what is of the future, what ends early, and what has no dates at all."""

import contextlib
import hashlib
import importlib
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from bot.domain.uncovered import FIRST, NEWEST
from tests import inside

DUE = datetime(2026, 9, 7, 5, tzinfo=UTC)
WEEK = timedelta(days=7)
kit = inside.kit()


def days_before(days: float) -> datetime:
    return DUE - timedelta(days=days)


@pytest.fixture
def begin(tmp_path):
    """The kit at the start of a weekly slot over these files, after earlier ones."""

    def start(*past: tuple[datetime, dict[str, float], dict[str, str]], limits=None, **files: bytes):
        for name, data in (files or {"a": b"x"}).items():
            (tmp_path / name).write_bytes(data)
        parameters = {"expected_files": [], "leave_out": [], "dates": limits or {}}
        inside.begin(tmp_path, parameters, slot=inside.slot(DUE, DUE - WEEK, past))
        return kit.inputs()

    with contextlib.chdir(tmp_path):
        yield start


def dated(file, first: float, last: float, **more: bool) -> None:
    kit.check_dates(file, kit.Span.over([days_before(first), days_before(last)]), **more)


def surprise_of(look) -> kit.Surprise:
    with pytest.raises(kit.Surprise) as raised:
        look()
    return raised.value


@pytest.mark.parametrize(
    ("first", "last"),
    [(7, 0.1), (6, 5), (0.3, 0.2), (14.2, 7.3), (5, -0.9)],
    ids=["a week", "an early end", "an hour", "the request's own files", "a zone that is not written"],
)
def test_files_of_this_slot_pass(begin, first, last):
    dated(begin()[0], first, last)

    kit.check_ends()
    assert kit.period() == f"{days_before(first):%Y-%m-%d} to {days_before(last):%Y-%m-%d}".removesuffix(
        f" to {days_before(first):%Y-%m-%d}"
    )


@pytest.mark.parametrize(
    ("first", "last", "name", "admits"),
    [
        (40, 33, "StaleFile", "late_days"),
        (12, 8.1, "StaleFile", "late_days"),
        (2, -300, "OutsideWindow", "up to"),
        (12, 1, "OutsideWindow", "most_days"),
    ],
)
def test_files_of_another_time_are_named_with_the_parameter_that_admits_them(begin, first, last, name, admits):
    surprise = surprise_of(lambda: dated(begin()[0], first, last))

    assert surprise.name == name
    assert admits in surprise.expected
    # Only what is too old is so by a window; an answer that is given once has none that would say anything
    assert ("window" in surprise.expected) == (name == "StaleFile")
    assert f"{days_before(last):%Y-%m-%d}" in surprise.seen


def test_a_file_of_an_earlier_slot_is_known_whatever_its_name_and_without_dates(begin):
    begin((DUE - WEEK, {}, {"old.csv": hashlib.sha256(b"same").hexdigest()}), new=b"same")

    surprise = surprise_of(kit.agreed_files)

    assert surprise.name == "StaleFile"
    assert surprise.message == "new is, byte for byte, old.csv of the report of 2026-08-31"


def test_what_was_agreed_about_dates_admits_later_longer_and_more_ragged_files(begin):
    agreed = {"late_days": Decimal(10), "most_days": 31, "quiet_days": 6}
    late, long = begin(limits=agreed, a=b"1", b=b"2")
    dated(late, 10, 8)
    dated(long, 30, 3)

    kit.check_ends()


def test_old_entries_may_belong_to_a_file_that_is_not_of_the_future(begin):
    file = begin()[0]
    dated(file, 200, 1, any_age=True)

    assert surprise_of(lambda: dated(file, 200, -40, any_age=True)).name == "OutsideWindow"


def test_files_in_which_nothing_is_newer_than_in_the_slot_before_are_stale(begin):
    file = begin((DUE - WEEK, {"days since the newest entry": 0.5}, {}))[0]
    dated(file, 14, 7.5)

    assert surprise_of(kit.check_ends).name == "StaleFile"


def test_a_slot_as_late_as_the_one_before_is_no_surprise(begin):
    file = begin((DUE - WEEK, {"days since the newest entry": 0.5}, {}))[0]
    dated(file, 7, 0.5)

    kit.check_ends()


def test_a_file_that_ends_long_before_the_others_is_named(begin):
    whole, cut = begin(a=b"1", b=b"2")
    dated(whole, 7, 0.1)
    dated(cut, 7, 4)

    surprise = surprise_of(kit.check_ends)

    assert (surprise.name, surprise.file) == ("EndsEarly", "b")


def test_first_and_newest_entry_are_kept_under_the_names_by_which_reports_are_compared(begin):
    early, late = begin(a=b"1", b=b"2")
    dated(early, 7, 1.5)
    dated(late, 6, 0.5)

    kit.check_ends()

    assert importlib.import_module("kit.state").current().declared.metrics == {FIRST: 7.0, NEWEST: 0.5}


def weeks(*begins: float) -> list[tuple[datetime, dict[str, float], dict[str, str]]]:
    """Earlier weekly slots that each ended half a day before they were due, and whose tables began so many days."""
    metrics = [{"days since the newest entry": 0.5, "days since the entries begin": one} for one in begins]
    return [(DUE - WEEK * (len(begins) - place), one, {}) for place, one in enumerate(metrics)]


def overlapping(begin, past, days: float, limits=None) -> None:
    file = begin(*past, limits=limits)[0]
    dated(file, min(days, 7.9), 0.5)
    importlib.import_module("kit.state").current().begins[file.name] = days_before(days)
    kit.check_ends()


@pytest.mark.parametrize(
    ("past", "days"),
    [
        (weeks(7, 7, 7, 7), 7.4),
        (weeks(7, 7, 7, 7), 8.2),
        (weeks(7, 5, 6, 7), 7.5),
        (weeks(30, 30.5, 30, 30.2), 31),
        (weeks(8.5, 14, 21, 8), 27),
        (weeks(7, 7, 7), 9),
        ([(one[0], {}, {}) for one in weeks(7, 7, 7, 7)], 9),
    ],
    ids=["as ever", "some hours", "after quiet weeks", "thirty days always", "a growing file", "too few", "undated"],
)
def test_a_table_that_begins_about_where_the_report_before_ended_passes(begin, past, days):
    overlapping(begin, past, days)


@pytest.mark.parametrize(
    ("past", "days"), [(weeks(7, 7, 7, 7), 8.5), (weeks(6, 7, 5, 7), 9.5), (weeks(8.4, 8, 8, 8.2), 11)]
)
def test_a_table_that_begins_well_before_the_newest_entry_of_the_report_before_halts(begin, past, days):
    surprise = surprise_of(lambda: overlapping(begin, past, days))

    assert surprise.name == "OutsideWindow"
    assert "before the newest entry of the report of 2026-08-31" in surprise.message
    assert "overlap_days" in surprise.expected
    overlapping(begin, past, days, {"overlap_days": 5})


def test_a_report_over_data_without_dates_says_so(begin):
    kit.check_dates(begin()[0], None)
    kit.check_ends()

    assert kit.period() == "no dates in the data"


def test_numbers_below_zero_have_a_band_as_well(begin):
    begin(*((DUE - n * WEEK, {"net": -100.0}, {}) for n in range(4, 0, -1)))

    kit.check_usual("net", -250)
    assert surprise_of(lambda: kit.check_usual("net", -100_000)).name == "UnusualNumber"
