"""The generated files: the same for the same Monday, different from week to week, and as the story tells them."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.desk.clock import evening_before_monday
from bot.desk.story import CHANGED, SETS, ZONE
from bot.desk.story_books import year_of_books
from bot.desk.story_logs import Format, week_of_logs
from tests.desk_client import Desk, DeskRefused

MONDAY = date(2026, 11, 23)
LINE = re.compile(rb"^2026-11-2\d \d\d:\d\d:\d\d\.\d{3} (DEBUG|INFO |WARN |ERROR) \w+  \S.*$")


def errors_in(data: bytes) -> int:
    return sum(line.split()[2] == b"ERROR" for line in data.splitlines())


def test_a_week_is_fourteen_files_and_about_38_000_lines() -> None:
    week = week_of_logs(MONDAY)
    assert len(week) == 14
    assert 37_000 < sum(data.count(b"\n") for data in week.values()) < 39_500
    assert all(LINE.match(line) for data in week.values() for line in data.splitlines())


def test_lines_are_in_the_order_of_time() -> None:
    for data in week_of_logs(MONDAY).values():
        stamps = [line[:23] for line in data.splitlines()]
        assert stamps == sorted(stamps)


def test_exactly_one_instrument_is_healthy_and_it_too_writes_of_errors() -> None:
    week = week_of_logs(MONDAY)
    assert [name for name, data in week.items() if not errors_in(data)] == ["freezer-01.log"]
    assert b"no error" in week["freezer-01.log"]


def test_the_same_monday_gives_the_same_bytes_and_another_does_not() -> None:
    assert week_of_logs(MONDAY) == week_of_logs(MONDAY)
    other = week_of_logs(date(2026, 11, 30))
    assert set(other) == set(week_of_logs(MONDAY))
    assert list(other) != list(week_of_logs(MONDAY))
    assert all(other[name] != data for name, data in week_of_logs(MONDAY).items())


def test_after_the_update_one_file_is_json_of_1_4_mb_that_says_the_same() -> None:
    week, changed = week_of_logs(MONDAY), week_of_logs(MONDAY, {CHANGED: Format.JSON_LINES})
    assert {name for name in week if week[name] != changed[name]} == {CHANGED}
    assert 1_350_000 < len(changed[CHANGED]) < 1_450_000
    entries = [json.loads(line) for line in changed[CHANGED].splitlines()]
    assert {entry["level"] for entry in entries} == {"debug", "info", "warn", "error"}
    assert sum(entry["level"] == "error" for entry in entries) == errors_in(week[CHANGED])


def test_the_books_are_thirty_files_of_72_000_rows() -> None:
    books = year_of_books(2025)
    rows = [data.decode().splitlines() for data in books.values()]
    assert (len(books), sum(len(one) - 1 for one in rows)) == (30, 72_000)
    assert {one[0] for one in rows} == {"date,invoice,revenue,costs"}
    assert books == year_of_books(2025)


def test_asking_brings_last_week_and_posting_brings_the_week_that_is_due_next_monday() -> None:
    thursday = datetime(2026, 11, 26, 12, tzinfo=UTC)
    assert SETS["request"].files(thursday)["hplc-01.log"].startswith(b"2026-11-16")
    assert SETS["quiet"].files(thursday)["hplc-01.log"].startswith(b"2026-11-23")
    monday_morning_in_oslo = datetime(2026, 11, 30, 6, tzinfo=UTC)
    assert SETS["changed"].files(monday_morning_in_oslo)["hplc-01.log"].startswith(b"2026-11-30")


def test_what_is_posted_for_monday_is_posted_on_the_evening_before(desk: Desk) -> None:
    desk.move_clock_to_weekday()
    monday = desk.now()
    posted = desk.send("/story", json={"person": "Alice", "channel": "#lab", "set": "changed", "on_sunday": True})
    local = desk.now().astimezone(ZONE)
    assert (local.weekday(), local.hour, local.date() - monday.date()) == (6, 20, timedelta(days=6))
    log = next(file for file in posted["message"]["files"] if file["name"] == "hplc-01.log")
    assert desk.download(log).startswith(str(monday.date()).encode())
    assert float(posted["message"]["ts"]) >= datetime.combine(local.date(), local.min.time(), ZONE).timestamp()
    assert desk.move_clock_to_weekday().date() - monday.date() == timedelta(days=7)


def test_on_that_evening_the_clock_stays_where_it_is() -> None:
    assert evening_before_monday(datetime(2026, 12, 13, 21, tzinfo=ZONE), ZONE) is None
    monday_at_night = datetime(2026, 12, 14, 3, tzinfo=ZONE)
    assert evening_before_monday(monday_at_night, ZONE) == datetime(2026, 12, 20, 20, tzinfo=ZONE)


def test_a_wall_clock_time_is_that_of_its_zone(desk: Desk) -> None:
    local = (desk.now() + timedelta(days=2)).astimezone(ZONE).replace(hour=20, minute=0, second=0, microsecond=0)
    desk.send("/clock", json={"to": f"{local:%Y-%m-%dT%H:%M}", "zone": "Europe/Oslo"})
    assert timedelta(0) <= desk.now() - local < timedelta(seconds=30)
    with pytest.raises(DeskRefused, match="There is no time zone 'Europe/Olso'"):
        desk.send("/clock", json={"to": "2050-01-01T20:00", "zone": "Europe/Olso"})
