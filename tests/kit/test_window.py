"""Dates against the slot: what is old, what is of the future, what ends early, and what has no dates at all."""

import contextlib
import hashlib
from datetime import UTC, datetime, timedelta

import pytest

from tests import inside

DUE = datetime(2026, 9, 7, 5, tzinfo=UTC)
WEEK = timedelta(days=7)
kit = inside.kit()


def days_before(days: float) -> datetime:
    return DUE - timedelta(days=days)


@pytest.fixture
def begin(tmp_path):
    """The kit at the start of a weekly slot over these files, after earlier ones."""

    def start(*past: tuple[datetime, dict[str, float], dict[str, str]], **files: bytes):
        for name, data in (files or {"a": b"x"}).items():
            (tmp_path / name).write_bytes(data)
        inside.begin(tmp_path, {}, slot=inside.slot(DUE, DUE - WEEK, past))
        return kit.inputs()

    with contextlib.chdir(tmp_path):
        yield start


def fresh(file, first: float, last: float, late_days: float = 1, most_days: float = 8) -> None:
    span = kit.Span.over([days_before(first), days_before(last)])
    kit.check_fresh(file, span, late_days=late_days, most_days=most_days)


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
    fresh(begin()[0], first, last)

    kit.check_reaches(quiet_days=2)
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
    surprise = surprise_of(lambda: fresh(begin()[0], first, last))

    assert surprise.name == name
    assert admits in surprise.expected
    assert f"{days_before(last):%Y-%m-%d}" in surprise.seen


def test_a_file_of_an_earlier_slot_is_known_whatever_its_name_and_without_dates(begin):
    earlier = (DUE - WEEK, {}, {"old.csv": hashlib.sha256(b"same").hexdigest()})
    file = begin(earlier, new=b"same")[0]

    surprise = surprise_of(lambda: kit.check_fresh(file, None, late_days=1, most_days=8))

    assert surprise.name == "StaleFile"
    assert surprise.message == "new is, byte for byte, old.csv of the report of 2026-08-31"


def test_files_in_which_nothing_is_newer_than_in_the_slot_before_are_stale(begin):
    file = begin((DUE - WEEK, {"days since the newest entry": 0.5}, {}))[0]
    fresh(file, 14, 7.5)

    assert surprise_of(lambda: kit.check_reaches(quiet_days=2)).name == "StaleFile"


def test_a_slot_as_late_as_the_one_before_is_no_surprise(begin):
    file = begin((DUE - WEEK, {"days since the newest entry": 0.5}, {}))[0]
    fresh(file, 7, 0.5)

    kit.check_reaches(quiet_days=2)


def test_a_file_that_ends_long_before_the_others_is_named(begin):
    whole, cut = begin(a=b"1", b=b"2")
    fresh(whole, 7, 0.1)
    fresh(cut, 7, 4)

    surprise = surprise_of(lambda: kit.check_reaches(quiet_days=2))

    assert (surprise.name, surprise.file) == ("EndsEarly", "b")


def test_a_report_over_data_without_dates_says_so(begin):
    kit.check_fresh(begin()[0], None, late_days=1, most_days=8)
    kit.check_reaches(quiet_days=2)

    assert kit.period() == "no dates in the data"


def test_numbers_below_zero_have_a_band_as_well(begin):
    begin(*((DUE - n * WEEK, {"net": -100.0}, {}) for n in range(4, 0, -1)))

    kit.check_usual("net", -250)
    assert surprise_of(lambda: kit.check_usual("net", -100_000)).name == "UnusualNumber"
