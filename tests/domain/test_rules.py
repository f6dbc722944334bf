"""Days that cron cannot say: beside a walk through the calendar, and over clock changes and holidays."""

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.calendars import holiday_on, region_named, region_words
from bot.domain.errors import RequestProblem
from bot.domain.slots import Schedule, next_times
from library.manifest_schedule import DAYS, OnHoliday
from tests.domain.walker import utc

BEGIN = date(2024, 1, 1)
DAYS_OF_SIX_YEARS = [BEGIN + timedelta(days=n) for n in range(2192)]
NTH = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}


def due_days(schedule: Schedule) -> list[date]:
    slots = schedule.between(datetime(2023, 12, 31, 23, tzinfo=UTC), datetime(2029, 12, 31, 23, tzinfo=UTC))
    return [slot.date() for slot in slots]


@pytest.mark.parametrize("nth", NTH)
@pytest.mark.parametrize("day", [*DAYS, "business day"])
@pytest.mark.parametrize("period", ["month", "quarter"])
def test_the_nth_day_is_that_of_a_calendar_on_the_wall(nth: str, day: str, period: str):
    months = 1 if period == "month" else 3
    groups: dict[tuple[int, int], list[date]] = {}
    for one in DAYS_OF_SIX_YEARS:
        if one.weekday() < 5 if day == "business day" else DAYS[one.weekday()] == day:
            groups.setdefault((one.year, (one.month - 1) // months), []).append(one)

    found = due_days(Schedule(f"{nth} {day} of the {period} at 07:00", "UTC"))

    assert found == [group[NTH[nth]] for group in groups.values()]


def test_the_last_day_is_the_last_whatever_the_month():
    found = due_days(Schedule("last day of the month at 18:00", "UTC"))
    assert found == [day for day in DAYS_OF_SIX_YEARS if day.day == monthrange(day.year, day.month)[1]]


@given(
    weeks=st.integers(2, 26), weekday=st.integers(0, 6), anchor=st.dates(date(2020, 1, 1), date(2030, 1, 1)),
    now=st.datetimes(datetime(2015, 1, 1), datetime(2035, 1, 1)),
)  # fmt: skip
def test_weeks_are_counted_from_the_anchor_for_ever_in_both_directions(
    weeks: int, weekday: int, anchor: date, now: datetime
):
    schedule = Schedule(f"every {weeks} weeks on {DAYS[weekday]} at 07:00", "UTC", anchor.isoformat())

    first, second, third = next_times(schedule, now.replace(tzinfo=UTC))

    monday = anchor - timedelta(days=anchor.weekday())
    assert first.weekday() == weekday
    assert (first.date() - timedelta(days=weekday) - monday).days % (7 * weeks) == 0
    assert second - first == third - second == timedelta(weeks=weeks)


def test_weeks_without_an_anchor_are_refused():
    with pytest.raises(RequestProblem, match="a date in a week that counts"):
        Schedule("every 2 weeks on mon at 07:00", "UTC").check()


def test_a_rule_meets_clock_changes_as_cron_does():
    gap = Schedule("last sun of the month at 02:30", "Europe/Berlin")
    assert list(gap.between(utc("2027-03-27 12:00"), utc("2027-03-28 12:00"))) == [utc("2027-03-28 01:00")]
    assert list(gap.between(utc("2026-10-24 12:00"), utc("2026-10-25 12:00"))) == [utc("2026-10-25 00:30")]


@pytest.mark.parametrize(
    ("when", "zone", "said"),
    [
        ("30 2 * * *", "Europe/Berlin", ("On Sun 28 Mar 2027 clocks change: there is no 02:30, so it runs at 03:00.",
                                         "On Sun 31 Oct 2027 clocks change: 02:30 comes twice and the first counts.")),
        ("0 0 * * *", "America/Santiago", ("On Sun 4 Apr 2027", "On Sun 5 Sep 2027")),
        ("0 * * * *", "Europe/Berlin", ("On Sun 28 Mar 2027 clocks change: it comes at each hour that really passes.",
                                        "On Sun 31 Oct 2027 clocks change: it comes at each hour that really passes.")),
        ("0 7 * * *", "Europe/Berlin", ()),
        ("30 2 * * mon", "Europe/Berlin", ()),
        ("30 2 * * *", "UTC", ()),
    ],
)  # fmt: skip
def test_a_change_of_clocks_that_matters_is_said_in_advance(when: str, zone: str, said: tuple[str, ...]):
    found = Schedule(when, zone).clock_changes(utc("2026-11-30 12:00"))

    if zone == "America/Santiago":  # midnight is skipped in spring; in autumn 23:00 comes twice, not midnight
        assert [words[:17] for words in found] == ["On Sun 5 Sep 2027"]
    else:
        assert found == said


NORWAY = {"17 May": date(2027, 5, 17), "Christmas": date(2026, 12, 25)}


def test_a_skipped_holiday_has_no_slot_and_a_shifted_one_comes_on_the_next_working_day():
    for day in NORWAY.values():
        assert holiday_on("NO", day)
    weekdays = Schedule("0 8 * * mon-fri", "Europe/Oslo", region="NO")
    fridays = Schedule("0 8 * * fri", "Europe/Oslo", region="NO", on_holiday=OnHoliday.SHIFT)

    around = next_times(weekdays, utc("2027-05-13 12:00"), 2)
    christmas = next_times(fridays, utc("2026-12-19 12:00"), 3)

    assert [one.date() for one in around] == [date(2027, 5, 14), date(2027, 5, 18)]
    assert [one.date() for one in christmas] == [date(2026, 12, 28), date(2027, 1, 4), date(2027, 1, 8)]


def test_a_business_day_is_no_holiday_of_the_region():
    plain = Schedule("first business day of the month at 07:00", "Europe/Oslo")
    norway = Schedule("first business day of the month at 07:00", "Europe/Oslo", region="NO")

    assert plain.after(utc("2026-12-15 12:00")).date() == date(2027, 1, 1)
    assert norway.after(utc("2026-12-15 12:00")).date() == date(2027, 1, 4)


@pytest.mark.parametrize(
    ("words", "region"),
    [("Norway and tell Bob", "NO"), ("the United States", "US"), ("DE-BY", "DE-BY"), ("Narnia", ""), ("ZZ", "")],
)
def test_a_country_is_known_by_its_name(words: str, region: str):
    assert region_named(words) == region


def test_a_region_is_said_by_its_name_and_an_unknown_one_is_refused():
    assert (region_words("NO"), region_words("DE-BY")) == ("Norway", "Germany (BY)")
    with pytest.raises(RequestProblem, match="no public holidays of 'DE-QQ'"):
        Schedule("0 7 * * mon", "UTC", region="DE-QQ").check()


@pytest.mark.parametrize(
    ("when", "anchor", "words"),
    [
        ("last fri of the month at 07:00", "", "Last Friday of the month, 07:00 Europe/Oslo"),
        ("first business day of the quarter at 07:00,12:00", "",
         "First business day of the quarter, 07:00 and 12:00 Europe/Oslo"),
        ("every 2 weeks on mon,thu at 07:00", "2026-12-07",
         "Every 2 weeks, Mondays and Thursdays, counted from the week of 7 Dec 2026, 07:00 Europe/Oslo"),
    ],
)  # fmt: skip
def test_a_rule_says_itself_in_words(when: str, anchor: str, words: str):
    assert Schedule(when, "Europe/Oslo", anchor).words() == words
