"""When a routine is due, also on the days on which clocks are changed."""

from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.errors import RequestProblem
from bot.domain.slots import Schedule, next_times
from tests.domain.walker import utc, walked, walls

# A zone, and the day around which its clocks do something.
CHANGES = {
    "Berlin forward": ("Europe/Berlin", "2027-03-28"),
    "Berlin back": ("Europe/Berlin", "2026-10-25"),
    "New York forward": ("America/New_York", "2027-03-14"),
    "New York back": ("America/New_York", "2026-11-01"),
    "Santiago forward, at midnight": ("America/Santiago", "2026-09-06"),
    "Santiago back, at midnight": ("America/Santiago", "2027-04-04"),
    "Lord Howe forward, by half an hour": ("Australia/Lord_Howe", "2026-10-04"),
    "Lord Howe back, by half an hour": ("Australia/Lord_Howe", "2027-04-04"),
    "Apia without a 30 December": ("Pacific/Apia", "2011-12-30"),
    "Casablanca back for Ramadan": ("Africa/Casablanca", "2026-02-15"),
    "Casablanca forward after it": ("Africa/Casablanca", "2026-03-22"),
    "Kathmandu, nothing": ("Asia/Kathmandu", "2026-06-15"),
}
CRONS = [
    "0 0 * * *", "30 0 * * *", "59 0 * * *", "0 1 * * *", "0 2 * * *", "15 2 * * *", "30 2 * * *", "0 3 * * *",
    "0 7 * * mon", "15 0 * * mon", "10 0 * * mon-fri", "30 23 * * sat,sun", "0 2,3 * * *", "*/20 1-3 * * *",
    "5 8-18/5 * * *", "0 * * * *", "*/20 * * * *", "17 */6 * * *", "30 */2 * * sun", "0 0 29-31 * *", "30 2 1-7 * *",
    "0 12 * feb,mar,apr,dec *", "45 23 30 dec *",
]  # fmt: skip


@cache
def around(zone: str, day: str) -> list[tuple[datetime, datetime]]:
    middle = utc(f"{day} 00:00")
    return walls(zone, middle - timedelta(days=3), middle + timedelta(days=4))


@cache
def fourteen_months(zone: str) -> list[tuple[datetime, datetime]]:
    return walls(zone, utc("2027-01-01 12:30"), utc("2028-03-02 12:30"))


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("cron", CRONS)
def test_slots_are_those_of_a_clock_on_the_wall(change: str, cron: str):
    zone, day = CHANGES[change]
    minutes = around(zone, day)

    found = list(Schedule(cron, zone).between(minutes[0][0] - timedelta(microseconds=1), minutes[-1][0]))

    assert found == walked(cron, minutes)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
@pytest.mark.parametrize("cron", ["0 0 1 * *", "30 2 1 * *", "0 7 1,15 * *", "0 0 31 * *", "0 12 29 feb *"])
def test_a_month_is_never_left_out(zone: str, cron: str):
    minutes = fourteen_months(zone)
    assert list(Schedule(cron, zone).between(minutes[0][0], minutes[-1][0])) == walked(cron, minutes)


def test_the_report_of_april_comes_although_march_had_a_change():
    # APScheduler's own trigger says 1 May here.
    due_at = Schedule("0 0 1 * *", "Europe/Berlin").after(utc("2027-03-01 12:00"))
    assert due_at == utc("2027-03-31 22:00")


def test_a_repeated_hour_is_met_once_at_its_first_pass():
    schedule = Schedule("30 2 * * *", "Europe/Berlin")
    assert list(schedule.between(utc("2026-10-24 12:00"), utc("2026-10-25 12:00"))) == [utc("2026-10-25 00:30")]


def test_a_skipped_hour_is_met_at_the_first_instant_after_it():
    schedule = Schedule("30 2 * * *", "Europe/Berlin")
    assert list(schedule.between(utc("2027-03-27 12:00"), utc("2027-03-28 12:00"))) == [utc("2027-03-28 01:00")]


def test_two_times_in_one_gap_are_one_slot():
    schedule = Schedule("0,30 2 * * *", "Europe/Berlin")
    assert list(schedule.between(utc("2027-03-27 12:00"), utc("2027-03-28 12:00"))) == [utc("2027-03-28 01:00")]


def test_every_hour_means_every_hour_that_passes():
    schedule = Schedule("0 * * * *", "Europe/Berlin")
    assert len(list(schedule.between(utc("2026-10-24 22:00"), utc("2026-10-25 23:00")))) == 25
    assert len(list(schedule.between(utc("2027-03-27 23:00"), utc("2027-03-28 22:00")))) == 23


def test_29_february_comes_after_a_century_without_one():
    assert Schedule("0 7 29 feb *", "UTC").after(utc("2096-03-01 00:00")) == utc("2104-02-29 07:00")


schedules = st.builds(
    Schedule, st.sampled_from(CRONS), st.sampled_from(sorted({zone for zone, _ in CHANGES.values()} | {"UTC"}))
)
instants = st.datetimes(datetime(2005, 1, 1), datetime(2040, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC))


@given(schedules, instants)
def test_after_goes_strictly_forward(schedule: Schedule, now: datetime):
    times = next_times(schedule, now, 5)
    assert all(earlier < later for earlier, later in pairwise((now, *times)))


@given(schedules, instants)
def test_between_is_after_again_and_again(schedule: Schedule, now: datetime):
    times = next_times(schedule, now, 4)
    assert tuple(schedule.between(now, times[-1])) == times
    assert tuple(islice(schedule.between(now, times[-1] + timedelta(days=4000)), 4)) == times


@given(schedules, instants)
def test_the_slot_before_is_the_one_whose_next_is_after(schedule: Schedule, now: datetime):
    last, following = schedule.at_or_before(now), schedule.after(now)

    assert last is not None and last <= now < following
    assert schedule.after(last) == following
    assert schedule.at_or_before(following) == following
    assert schedule.before(following) == last


@given(schedules, instants, st.sampled_from(["Asia/Tokyo", "America/New_York"]))
def test_the_zone_in_which_somebody_asks_changes_nothing(schedule: Schedule, now: datetime, zone: str):
    assert schedule.after(now.astimezone(ZoneInfo(zone))) == schedule.after(now)


@pytest.mark.parametrize(
    ("cron", "words"),
    [
        ("0 7 * * mon", "Mondays 07:00 Europe/Oslo"),
        ("30 18 * * mon-fri", "Weekdays 18:30 Europe/Oslo"),
        ("0 7 * * mon,thu", "Mondays and Thursdays 07:00 Europe/Oslo"),
        ("5 6 * * *", "Every day 06:05 Europe/Oslo"),
        ("0 7 15 * *", "Day 15 of every month 07:00 Europe/Oslo"),
        ("*/15 * * * *", "cron */15 * * * * Europe/Oslo"),
        ("0 7 1 jan,jul *", "cron 0 7 1 jan,jul * Europe/Oslo"),
    ],
)
def test_a_schedule_says_itself_in_words(cron: str, words: str):
    assert Schedule(cron, "Europe/Oslo").words() == words


def test_an_instant_is_told_as_the_clock_on_the_wall_shows_it():
    assert Schedule("0 7 * * mon", "Europe/Oslo").local(utc("2026-12-07 06:00")) == "Mon 7 Dec 2026 07:00"


@pytest.mark.parametrize("zone", ["Europe/Atlantis", "", "../etc/passwd", "CET ", "/usr/share/zoneinfo/UTC"])
def test_a_zone_that_is_none_is_named(zone: str):
    with pytest.raises(RequestProblem, match="is not a time zone I know; use a name like Europe/Oslo"):
        Schedule("0 7 * * mon", zone).check()


@pytest.mark.parametrize("cron", ["0 7 30 feb *", "0 7 31 apr,jun,sep,nov *"])
def test_a_day_that_never_comes_is_said(cron: str):
    with pytest.raises(RequestProblem, match="never comes"):
        Schedule(cron, "UTC").check()


def test_a_schedule_that_can_be_met_passes():
    Schedule("0 7 29 feb *", "Europe/Oslo").check()
