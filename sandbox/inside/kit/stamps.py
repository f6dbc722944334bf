"""Time stamps as they stand at the head of log lines: a closed table of shapes, each with a name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_CLOCK = r"\d\d:\d\d:\d\d"
_ZONE = r"(?:Z|[+-]\d\d:?\d\d)"


@dataclass(frozen=True)
class Stamp:
    """One shape. `example` is what a person recognises it by."""

    name: str
    example: str
    pattern: re.Pattern[str]
    moment: Callable[[str], datetime] | None  # None where the year is not written


def _iso(text: str) -> datetime:
    return datetime.fromisoformat(re.sub(r"\s+(?=[+-]\d)", "", text.strip("[]").replace(",", ".")))


def _by(layout: str) -> Callable[[str], datetime]:
    return lambda text: datetime.strptime(text.strip("[]"), layout)


def _slashed(text: str) -> datetime:
    date = text.strip("[]").split(".")[0]
    return datetime.strptime(date, "%Y/%m/%d %H:%M:%S" if date[2] != "/" else "%y/%m/%d %H:%M:%S")


def _compact(text: str) -> datetime:
    return datetime.strptime(f"{text[:8]} {text[9:17]}", "%Y%m%d %H:%M:%S")


def _epoch(text: str) -> datetime:
    seconds = float(text) / 1000 if len(text) == 13 and "." not in text else float(text)
    return datetime.fromtimestamp(seconds, UTC)


# The order decides where two fit: the more particular shape stands first.
STAMPS = (
    Stamp(
        "iso",
        "2026-09-07 03:12:44,123",
        re.compile(rf"\[?\d{{4}}-\d\d-\d\d[T ]{_CLOCK}(?:[.,]\d{{1,9}})?(?: ?{_ZONE})?\]?(?=[\s|,;:\]]|$)"),
        _iso,
    ),
    Stamp(
        "slashed date",
        "26/09/07 03:12:44",
        re.compile(rf"\[?\d{{2}}(?:\d\d)?/\d\d/\d\d {_CLOCK}(?:\.\d+)?\]?(?=[\s|])"),
        _slashed,
    ),
    Stamp(
        "apache error log",
        "[Mon Sep 07 03:12:44 2026]",
        re.compile(rf"\[{_DAY} {_MONTH} [ \d]\d {_CLOCK}(?:\.\d+)? \d{{4}}\]"),
        _by("%a %b %d %H:%M:%S %Y"),
    ),
    Stamp(
        "access log",
        "[07/Sep/2026:03:12:44 +0200]",
        re.compile(rf"\[?\d\d/{_MONTH}/\d{{4}}:{_CLOCK}(?: [+-]\d{{4}})?\]?(?=\s|$)"),
        _by("%d/%b/%Y:%H:%M:%S %z"),
    ),
    Stamp("syslog", "Sep  7 03:12:44", re.compile(rf"{_MONTH} [ \d]\d {_CLOCK}(?=\s)"), None),
    Stamp("compact", "20260907-03:12:44:123", re.compile(rf"\d{{8}}[-T ]{_CLOCK}(?:[:.,]\d+)?(?=[\s|])"), _compact),
    Stamp("epoch", "1788750764", re.compile(r"1\d{9}(?:\.\d+|\d{3})?(?=\s)"), _epoch),
    Stamp("clock", "03:12:44.123", re.compile(rf"\[?{_CLOCK}(?:[.,]\d+)?\]?(?=\s)"), None),
)
BY_NAME = {stamp.name: stamp for stamp in STAMPS}


def moment_of(stamp: Stamp, text: str) -> datetime | None:
    """The time a stamp means, without a zone where none is written; None where it cannot be told."""
    if stamp.moment is None:
        return None
    try:
        return stamp.moment(text)
    except ValueError:
        return None


def any_moment(text: str) -> datetime | None:
    """The same for a value that stands alone, as JSON has it: in ISO form, or as seconds or milliseconds."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        text = f"{text}T00:00:00"
    named = "epoch" if re.fullmatch(r"1\d{9}(?:\.\d+|\d{3})?", text) else "iso"
    return moment_of(BY_NAME[named], text)
