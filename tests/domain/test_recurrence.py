"""When a request wants to come back: said for certain, or asked about; never guessed."""

import time

import pytest

from bot.domain.clock_words import zone_in
from bot.domain.cron import parse
from bot.domain.recurrence import is_lacked_by_some_months, when_of
from bot.domain.rules import parse_rule

DEFAULT = "06:30"

CERTAIN = {
    # days of the week
    "Every Monday compile last week's instrument logs and email the lab list": "30 6 * * mon",
    "each Monday morning at 7": "0 7 * * mon",
    "EVERY MONDAY AT 9": "0 9 * * mon",
    "Mondays and Thursdays at noon": "0 12 * * mon,thu",
    "every Monday and Thursday, 07:15": "15 7 * * mon,thu",
    "every Mon, Wed & Fri at 6 pm": "0 18 * * mon,wed,fri",
    "every Monday/Wednesday at 10": "0 10 * * mon,wed",
    "Every Monday and every Friday at 6": "0 6 * * mon,fri",
    "weekly on Fridays": "30 6 * * fri",
    "weekly on Friday at 16:30": "30 16 * * fri",
    "once a week, on Tuesday, at 5pm": "0 17 * * tue",
    "every week, Thursday 8:00": "0 8 * * thu",
    "Monday mornings": "30 6 * * mon",
    "every Sat & Sun at 10": "0 10 * * sat,sun",
    # spans of days
    "Mon-Fri 18:30": "30 18 * * mon-fri",
    "Mon – Fri, 18:30": "30 18 * * mon-fri",
    "Monday to Friday at 9am": "0 9 * * mon-fri",
    "every Tuesday to Thursday at 12:30": "30 12 * * tue,wed,thu",
    "every fri-mon": "30 6 * * mon,fri,sat,sun",
    "every weekday at 8": "0 8 * * mon-fri",
    "each working day at 17:45": "45 17 * * mon-fri",
    "weekdays 7:00": "0 7 * * mon-fri",
    # days
    "every day at 7:30 pm": "30 19 * * *",
    "daily at 19:00": "0 19 * * *",
    "07:00 every day": "0 7 * * *",
    "every morning": "30 6 * * *",
    "every evening at 7": "0 19 * * *",
    "every night at 2": "0 2 * * *",
    "every night at 11": "0 23 * * *",
    "nightly at 02:00": "0 2 * * *",
    "every day at 7am and 7pm": "0 7,19 * * *",
    # spoken times, places, and how often with which days
    "every Monday at quarter to nine in the morning": "45 8 * * mon",
    "every Tuesday at half past six pm": "30 18 * * tue",
    "every Friday at nine": "0 9 * * fri",
    "twice a week, Mondays and Thursdays at 7am": "0 7 * * mon,thu",
    "three times a week on mon, wed and fri at 8:30": "30 8 * * mon,wed,fri",
    "every Monday at 9am Oslo time": "0 9 * * mon",
    # dates
    "every 1st of the month": "30 6 1 * *",
    "on the 1st and 15th of every month at 6": "0 6 1,15 * *",
    "every month on the 15th": "30 6 15 * *",
    "monthly on the 3rd at 08:00": "0 8 3 * *",
    "on the first day of each month": "30 6 1 * *",
    "day 5 of every month": "30 6 5 * *",
    "every month": "30 6 1 * *",
    "every quarter": "30 6 1 jan,apr,jul,oct *",
    # hours and minutes
    "every hour": "0 * * * *",
    "every 15 minutes": "*/15 * * * *",
    "every 6 hours": "0 */6 * * *",
    "every two hours on weekdays": "0 */2 * * mon-fri",
    # what is said about the data is not said about the schedule
    "every Monday compile the monthly totals": "30 6 * * mon",
    "a daily breakdown every Friday": "30 6 * * fri",
    "every Monday look at 14 log files": "30 6 * * mon",
    "every Monday at 7 compile 14 log files": "0 7 * * mon",
    "every Monday at 8, compile the lines between 00:00 and 06:00": "0 8 * * mon",
    "every Monday compile everything except spectro-07": "30 6 * * mon",
    "every Friday list errors like 2026-11-30 07:00:12": "30 6 * * fri",
    # ways to write a time
    "every Monday at 7 o'clock": "0 7 * * mon",
    "every Monday @ 7am": "0 7 * * mon",
    "every Monday at 7 a.m.": "0 7 * * mon",
    "every weekday at 8.30": "30 8 * * mon-fri",
    "every Monday at 12am": "0 0 * * mon",
    "every Monday at midnight": "0 0 * * mon",
    "every Monday at 12 pm": "0 12 * * mon",
    "every Monday at 7 in the evening": "0 19 * * mon",
    "every Monday at 9:00 Europe/Berlin": "0 9 * * mon",
}  # fmt: skip

RULED = {
    "the first Monday of every month at 9": "first mon of the month at 09:00",
    "monthly on the second Tuesday": "second tue of the month at 06:30",
    "every month on the last Friday at 4 pm": "last fri of the month at 16:00",
    "last Friday of the month at 9": "last fri of the month at 09:00",
    "every last Friday at 16:00": "last fri of the month at 16:00",
    "first business day of the month at 9": "first business day of the month at 09:00",
    "on the first business day compile the monthly totals": "first business day of the month at 06:30",
    "every quarter on the last working day at 17:00": "last business day of the quarter at 17:00",
    "on the last day of every month": "last day of the month at 06:30",
    "every other Monday at 7": "every 2 weeks on mon at 07:00",
    "every two weeks": "every 2 weeks on mon at 06:30",
    "every other week on Mondays at 8": "every 2 weeks on mon at 08:00",
    "every 2 weeks on Monday and Thursday at 7 and 19": "every 2 weeks on mon,thu at 07:00,19:00",
    "every 3 weeks, Tuesday at 10": "every 3 weeks on tue at 10:00",
    "fortnightly on Fridays at 5pm": "every 2 weeks on fri at 17:00",
}

DOUBTFUL = {
    "no recurrence": "compute each net margin and rank them",
    "one Monday": "send me the summary on Monday",
    "a Monday that has passed": "compile last Mondays logs",
    "somebody's Monday": "compile each Monday's logs",
    "days of the data": "compile the logs from Monday to Friday",
    "biweekly": "bi-weekly",
    "twice a week": "twice weekly",
    "second or every other": "every second Monday",
    "a day of the data": "compile the first Monday of the month's logs",
    "a rule and another rhythm": "every 2 weeks and every Friday",
    "a rule and an end": "every other Monday until March",
    "more weeks than a year has halves": "every 40 weeks",
    "a fifth one that some months lack": "the fifth Monday of every month",
    "three times": "three times a week",
    "month's end": "at the end of every month",
    "a date some months lack": "every 31st of the month",
    "an exception": "every weekday except Friday",
    "holidays": "every day but not on public holidays",
    "an end": "every Monday until March",
    "a later start": "starting next week, every Monday",
    "a number of weeks": "every Monday for the next 3 weeks",
    "weekends": "every weekend, and a weekly summary",
    "two rhythms": "Every Monday do this. Every Friday do that.",
    "two adjectives": "the weekly email of the daily counts",
    "no such hour": "every Monday at 25:00",
    "no such afternoon": "every Monday at 13pm",
    "two minutes": "every Monday at 7:00 and 18:30",
    "times of two things": "every Monday at 7 and tell Bob at 9",
    "a window": "every Monday between 7 and 8",
    "only a time of the data": "every Monday compile the lines from 00:00 to 06:00",
    "four digits": "every Monday at 0700",
    "an evening without a time": "every evening",
    "a night without a time": "nightly",
    "minutes that do not divide the hour": "every 7 minutes",
    "hours that do not divide the day": "every 5 hours",
    "an hourly window": "every hour from 8 to 18",
    "hourly on some days": "hourly on weekdays",
    "letters for a zone": "every Monday at 9 CET",
    "a time of nowhere": "every Monday at 9am lunch time",
    "a spoken time of no half of the day": "every Friday at half past four",
    "a bare hour that it is to be done before": "every weekday morning before 9",
    "an hour in words that it is to be done before": "every morning before nine",
    "more times than days": "twice a week, Mondays at 7",
    "a date that some months lack": "31st of each month at noon New York time",
    "an offset": "every Monday at 9 UTC+2",
}


@pytest.mark.parametrize("words", CERTAIN)
def test_what_is_said_for_certain_becomes_a_schedule(words: str):
    assert when_of(words, DEFAULT) == CERTAIN[words]
    parse(CERTAIN[words])


@pytest.mark.parametrize("words", RULED)
def test_what_cron_cannot_say_becomes_a_rule(words: str):
    assert when_of(words, DEFAULT) == RULED[words]
    parse_rule(RULED[words], anchor="2026-12-07")


@pytest.mark.parametrize("why", DOUBTFUL)
def test_a_doubt_is_asked_about(why: str):
    assert when_of(DOUBTFUL[why], DEFAULT) is None


@pytest.mark.parametrize(
    ("words", "zone"),
    [
        ("every Monday at 9:00 Europe/Berlin", "Europe/Berlin"),
        ("every Monday at 9 America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("every Monday at 9 UTC", "UTC"),
        ("every Monday at 9am (GMT)", "UTC"),
        ("every Monday at 9", ""),
        ("every Monday at 9 CET", ""),
        ("compare GMT and CET, and and/or Either/Or", ""),
    ],
)
def test_a_zone_counts_where_it_is_named_as_one(words: str, zone: str):
    assert zone_in(words) == zone


LONG = """
every |mon, |every mon - mon |every day at 7, |1st, |on the 1st of |7:00 |at 7 |from 7 to |last day |Aa/Bb/|twice
|not the | |-|a
"""


@pytest.mark.parametrize("piece", LONG.strip().replace("\n", "").split("|"))
def test_forty_thousand_characters_are_read_without_delay(piece: str):
    began = time.process_time()
    when_of(piece * (40_000 // len(piece)), DEFAULT)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("every Monday at 9am Oslo time", "Europe/Oslo"),
        ("31st of each month at noon New York time", "America/New_York"),
        ("every day at 7, lunch time", ""),
        ("at the same time every day", ""),
    ],
)
def test_a_place_whose_time_is_named_is_a_zone(text: str, zone: str) -> None:
    assert zone_in(text) == zone


def test_a_date_that_some_months_lack_is_told_apart():
    assert is_lacked_by_some_months("31st of each month at noon")
    assert not is_lacked_by_some_months("every month on the 15th")


def test_a_spoken_time_goes_with_a_rule_too():
    assert (
        when_of("every other Wednesday at half past four in the afternoon", DEFAULT) == "every 2 weeks on wed at 16:30"
    )
