"""Drifts of log lines: their time stamps, what stands around them, how many there are."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from .drift import JSON_LINES, LOGS, Aim, FileChange, Need, keeping, lines_of, losing
from .stamped import STAMP, days_of, moment, shifted, without_days

_VERSION_TWO = 2


def _reprinted(write: Callable[[datetime], str]) -> FileChange:
    """The first stamp of each line, in another layout."""

    def changed(data: bytes, _aim: Aim) -> bytes:
        return "".join(STAMP.sub(lambda found: write(moment(found)), line, count=1) for line in lines_of(data)).encode()

    return changed


def _access_log(at: datetime) -> str:
    return f"{at:%d/%b/%Y:%H:%M:%S} +0000"


def _epoch(at: datetime) -> str:
    return str(int(at.replace(tzinfo=UTC).timestamp() * 1000))


def _no_year(at: datetime) -> str:
    return f"{at:%b} {at.day:>2} {at:%H:%M:%S}"


def _american(at: datetime) -> str:
    return f"{at:%m/%d/%Y %I:%M:%S %p}"


def _prefixed(data: bytes, _aim: Aim) -> bytes:
    return "".join(f"2026-09-07T00:00:00.000000001Z stdout F {line}" for line in lines_of(data)).encode()


def _some_at_epoch(data: bytes, aim: Aim) -> bytes:
    """One line in fifty is of 1970, as from a device whose clock was reset."""
    lines = lines_of(data)
    for at in aim.chance.sample(range(len(lines)), max(1, len(lines) // 50)):
        lines[at] = STAMP.sub("1970-01-01 00:00:07", lines[at], count=1)
    return "".join(lines).encode()


def _sampled(data: bytes, aim: Aim) -> bytes:
    """About one line in ten; the first is kept."""
    return "".join(line for at, line in enumerate(lines_of(data)) if not at or aim.chance.random() < 0.1).encode()


def _a_year_ahead(data: bytes, _aim: Aim) -> bytes:
    return shifted(data, timedelta(days=364))


def _a_week_back(data: bytes, _aim: Aim) -> bytes:
    return shifted(data, timedelta(days=-7))


def _days_missing(which: Callable[[list[str]], set[str]]) -> FileChange:
    return lambda data, _aim: without_days(data, which(days_of(data)))


def _middle(days: list[str]) -> set[str]:
    return set(days[len(days) // 3 : len(days) // 3 + max(1, len(days) // 4)]) if len(days) > 2 else set()


def _last(days: list[str]) -> set[str]:
    return set(days[-max(2, len(days) // 3) :]) if len(days) > 3 else set()


def _overlap(data: bytes, _aim: Aim) -> bytes:
    """The end of the week before stands above this one."""
    lines, days = lines_of(data), days_of(data)
    last = "".join(line for line in lines if (found := STAMP.search(line)) and found.group()[:10] in days[-2:])
    return shifted(last.encode(), timedelta(days=-7)) + data


def _twice(data: bytes, _aim: Aim) -> bytes:
    return data + data


def _each_record(change: Callable[[dict[str, Any]], dict[str, Any]], share: float = 1.0) -> FileChange:
    """The last `share` of the records, changed."""

    def changed(data: bytes, _aim: Aim) -> bytes:
        lines = lines_of(data)
        start = round(len(lines) * (1 - share))
        return "".join(
            [*lines[:start], *(json.dumps(change(json.loads(one))) + "\n" for one in lines[start:])]
        ).encode()

    return changed


def _array(data: bytes, _aim: Aim) -> bytes:
    return ("[\n" + ",\n".join(line.rstrip("\n") for line in lines_of(data)) + "\n]\n").encode()


def _half_record(data: bytes, aim: Aim) -> bytes:
    """A record in the middle is torn, as by two writers at once."""
    lines = lines_of(data)
    place = aim.chance.randrange(1, len(lines))
    lines[place] = lines[place][: len(lines[place]) // 2] + "\n"
    return "".join(lines).encode()


def _shuffled(data: bytes, aim: Aim) -> bytes:
    lines = lines_of(data)
    aim.chance.shuffle(lines)
    return "".join(lines).encode()


_log_keeps, _log_loses = keeping(*LOGS), losing(*LOGS)
_json_keeps, _json_loses = keeping(JSON_LINES), losing(JSON_LINES)
LINE_DRIFTS = (
    _log_keeps(
        "stamps-as-access-log", "time stamps were written as 07/Sep/2026:03:12:44", _reprinted(_access_log), Need.STAMPS
    ),
    _log_keeps(
        "stamps-as-milliseconds", "time stamps were written as milliseconds since 1970", _reprinted(_epoch), Need.STAMPS
    ),
    _log_keeps("stamps-without-year", "time stamps lost their year", _reprinted(_no_year), Need.STAMPS),
    _log_keeps(
        "stamps-twelve-hours",
        "time stamps were written the American way with AM and PM",
        _reprinted(_american),
        Need.STAMPS,
    ),
    _log_keeps("prefix-added", "a collector put a prefix before each line", _prefixed),
    _log_loses(
        "stamps-at-epoch", "a device's clock was reset, and some lines are of 1970", _some_at_epoch, Need.STAMPS
    ),
    _log_loses("stamps-a-year-ahead", "a device's clock ran a year ahead", _a_year_ahead, Need.STAMPS),
    _log_loses("log-of-the-week-before", "a file held the week before instead of this one", _a_week_back, Need.STAMPS),
    _log_loses("lines-sampled", "only one line in ten was logged", _sampled),
    _log_loses("log-days-missing", "days in the middle of a file were missing", _days_missing(_middle), Need.STAMPS),
    _log_loses("log-ends-early", "the last days of a file were missing", _days_missing(_last), Need.STAMPS),
    _log_loses("log-overlaps", "a file also held two days of the week before", _overlap, Need.STAMPS),
    _log_loses("log-twice-in-one", "the content of a file stood in it twice", _twice),
    _json_keeps("json-nested", "all fields moved into an inner object", _each_record(lambda one: {"data": one})),
    _json_keeps("json-array", "the JSON lines became one JSON list", _array),
    _json_loses("json-half-record", "a record in the middle was torn", _half_record),
    _json_keeps(
        "json-keys-capital",
        "keys were written with a capital",
        _each_record(lambda one: {key.title(): value for key, value in one.items()}),
    ),
    _json_loses(
        "json-version-two",
        "the newest records came in a second form with other keys",
        _each_record(lambda one: {"v": _VERSION_TWO, **{f"{key}2": value for key, value in one.items()}}, 0.2),
    ),
    _json_keeps("json-shuffled", "records came in another order", _shuffled),
)
