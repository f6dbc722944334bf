"""Five fields, weekdays by name; a line that is wrong is refused by its field."""

from datetime import date

import pytest

from bot.domain.cron import parse
from bot.domain.errors import RequestProblem


def test_each_field_becomes_the_values_it_admits():
    cron = parse("0,30 8-10 * JAN-mar tue,thu-sat")

    assert cron.minutes == (0, 30)
    assert cron.hours == (8, 9, 10)
    assert cron.days == frozenset(range(1, 32))
    assert cron.months == {1, 2, 3}
    assert cron.weekdays == {1, 3, 4, 5}
    assert not cron.is_every_hour


@pytest.mark.parametrize(
    ("field", "minutes"),
    [
        ("*/20", (0, 20, 40)),
        ("5-20/5", (5, 10, 15, 20)),
        ("50/4", (50, 54, 58)),
        ("*", tuple(range(60))),
        ("7,7", (7,)),
    ],
)
def test_steps_count_from_where_they_begin(field: str, minutes: tuple[int, ...]):
    assert parse(f"{field} 7 * * *").minutes == minutes


@pytest.mark.parametrize(("hour", "is_every_hour"), [("*", True), ("*/2", True), ("0-23", False), ("7", False)])
def test_only_a_star_is_every_hour(hour: str, is_every_hour: bool):
    assert parse(f"0 {hour} * * *").is_every_hour is is_every_hour


def test_a_day_is_admitted_when_month_day_and_weekday_agree():
    assert parse("0 7 * * mon").admits(date(2026, 12, 7))
    assert not parse("0 7 * * mon").admits(date(2026, 12, 8))
    assert not parse("0 7 * jan *").admits(date(2026, 12, 7))


BAD = {
    "": "needs five fields",
    "0 7 * *": "needs five fields .* it has 4",
    "0 7 * * mon extra": "it has 6",
    "60 7 * * *": "The minute '60' of the schedule is not between 0 and 59",
    "0 24 * * *": "The hour '24' of the schedule is not between 0 and 23",
    "0 7 0 * *": "The day '0' of the schedule is not between 1 and 31",
    "0 7 32 * *": "The day '32'",
    "0 7 * 13 *": "The month '13'",
    "0 7 * foo *": "The month 'foo'",
    "0 7 * * 1": "The weekday '1' is not a name; use mon, tue",
    "0 7 * * 0-4": "The weekday '0' is not a name",
    "0 7 * * monday": "The weekday 'monday' is not a name",
    "0 7 1 * mon": "names both days of the month and weekdays",
    "30-10 7 * * *": "The minute '30-10' of the schedule makes no range",
    "0 7 * * fri-mon": "The weekday 'fri-mon' of the schedule makes no range",
    "*/0 7 * * *": "makes no range",
    "*/x 7 * * *": "makes no range",
    "*/ 7 * * *": "makes no range",
    "5- 7 * * *": "The minute '' of the schedule",
    "1,,2 7 * * *": "The minute '' of the schedule",
    "-5 7 * * *": "The minute",
    "+5 7 * * *": "The minute",
    "\u0665 7 * * *": "The minute",
    "\u00b2 7 * * *": "The minute",
    "*/\u00b2 7 * * *": "makes no range",
    "9999999999999999999999 7 * * *": "The minute",
    "@daily": "needs five fields",
    "0 7 L * *": "The day 'l'",
    "0 7 * * mon#1": "The weekday 'mon#1' is not a name",
    "0 7 ? * mon": "both days of the month and weekdays",
}


@pytest.mark.parametrize("line", BAD)
def test_a_bad_line_is_refused_by_its_field(line: str):
    with pytest.raises(RequestProblem, match=BAD[line]):
        parse(line)
