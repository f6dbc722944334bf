"""The weekly logs of fourteen laboratory instruments: about 38,000 lines, the same for the same Monday, always."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from random import Random

from bot.desk.story_phrases import FAMILIES, Family, Phrase

WEEK_S = 7 * 86_400


class Format(StrEnum):
    """How an instrument writes its log."""

    TEXT = "text"  # 2026-11-23 08:14:02.113 INFO  lamp  Lamp warm-up finished in 94 s
    JSON_LINES = "json_lines"  # {"ts": "…", "level": "info", …}: what a firmware update made of it


@dataclass(frozen=True)
class Instrument:
    """One instrument: its family's words, how busy it is, and how often its lines are errors."""

    name: str
    family: str
    lines_per_week: int
    error_share: float


@dataclass(frozen=True)
class LogLine:
    """One entry, before it is written in some format."""

    at: datetime
    level: str
    module: str
    message: str


# freezer-01 is the healthy one: not a single ERROR, week after week.
INSTRUMENTS: tuple[Instrument, ...] = (
    Instrument("spectro-01", "spectrometer", 2_750, 0.004),
    Instrument("spectro-02", "spectrometer", 2_600, 0.003),
    Instrument("spectro-03", "spectrometer", 2_900, 0.006),
    Instrument("spectro-04", "spectrometer", 2_450, 0.002),
    Instrument("spectro-05", "spectrometer", 2_700, 0.009),
    Instrument("spectro-06", "spectrometer", 2_650, 0.003),
    Instrument("spectro-07", "spectrometer", 8_200, 0.005),
    Instrument("spectro-08", "spectrometer", 2_500, 0.004),
    Instrument("hplc-01", "chromatograph", 2_550, 0.007),
    Instrument("hplc-02", "chromatograph", 2_300, 0.004),
    Instrument("hplc-03", "chromatograph", 2_400, 0.012),
    Instrument("centrifuge-01", "centrifuge", 950, 0.006),
    Instrument("incubator-01", "incubator", 1_800, 0.002),
    Instrument("freezer-01", "freezer", 1_400, 0.0),
)


def week_of_logs(monday: date, formats: Mapping[str, Format] | None = None) -> dict[str, bytes]:
    """The fourteen files of the week that begins on `monday`, by name, in an order that varies from week to week.

    `formats` names the files that are not plain text, such as {"spectro-07.log": Format.JSON_LINES}.
    """
    order = list(INSTRUMENTS)
    _shuffle(order, Random(f"order {monday}"))
    chosen = formats or {}
    return {
        f"{one.name}.log": written(lines_of(one, monday), chosen.get(f"{one.name}.log", Format.TEXT)) for one in order
    }


def lines_of(instrument: Instrument, monday: date) -> list[LogLine]:
    """The entries of one instrument in one week, oldest first."""
    random = Random(f"{instrument.name} {monday}")
    family = FAMILIES[instrument.family]
    count = round(instrument.lines_per_week * (0.96 + 0.08 * random.random()))
    # Errors come in some weeks more than in others.
    share = instrument.error_share * (0.5 + random.random())
    start = datetime(monday.year, monday.month, monday.day)
    moments = sorted(random.random() * WEEK_S for _ in range(count))
    return [_line(random, family, share, start + timedelta(milliseconds=round(at * 1000))) for at in moments]


def written(lines: list[LogLine], format_: Format) -> bytes:
    """The bytes of a log file: UTF-8, LF, one entry a line."""
    write = _as_json if format_ is Format.JSON_LINES else _as_text
    return "".join(write(line) + "\n" for line in lines).encode()


def _line(random: Random, family: Family, error_share: float, at: datetime) -> LogLine:
    level = _level(random, error_share)
    phrases = family[level]
    phrase = phrases[int(random.random() * len(phrases))]
    return LogLine(at, level, phrase.module, _filled(phrase, random))


def _level(random: Random, error_share: float) -> str:
    drawn = random.random()
    if drawn < error_share:
        return "ERROR"
    if drawn < error_share + 0.03:
        return "WARN"
    return "DEBUG" if drawn < 0.35 else "INFO"


def _filled(phrase: Phrase, random: Random) -> str:
    """The phrase with a number drawn for each range in it: `{60..120}`, or with one decimal `{4.0..6.5}`."""

    def draw(found: re.Match[str]) -> str:
        low, high = float(found[1]), float(found[2])
        value = low + random.random() * (high - low)
        return f"{value:.1f}" if "." in found[1] else str(round(value))

    return re.sub(r"\{([\d.]+?)\.\.([\d.]+)\}", draw, phrase.words)


def _as_text(line: LogLine) -> str:
    return (
        f"{line.at:%Y-%m-%d %H:%M:%S}.{line.at.microsecond // 1000:03d} {line.level:<5} {line.module}  {line.message}"
    )


def _as_json(line: LogLine) -> str:
    stamp = f"{line.at:%Y-%m-%dT%H:%M:%S}.{line.at.microsecond // 1000:03d}Z"
    entry = {
        "ts": stamp,
        "level": line.level.lower(),
        "module": line.module,
        "msg": line.message,
        "fw": "5.0.2+r1187",
        "host": "spectro-07.lab.example.org",
    }
    return json.dumps(entry)


def _shuffle(items: list[Instrument], random: Random) -> None:
    # random.shuffle promises no order across Python versions; this one does.
    for last in range(len(items) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        items[last], items[other] = items[other], items[last]
