"""Log records, one by one: the level is read at its place, never searched for, and what does not fit is counted."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .given import Input, reader_for
from .stamps import BY_NAME, STAMPS
from .state import current
from .text_lines import text_lines

EVIDENCE_LINES = 3
UNKNOWN_NAMES = 50  # different unknown levels that are told apart; a file has six, not six hundred
_WORD = re.compile(r"[^\s|]+")
_BEFORE_A_LEVEL, _AFTER_A_LEVEL = "[({<\"'", "])}>:;,\"'"
_NUMBERS = re.compile(r"0x[0-9a-fA-F]+|\d+")


@dataclass(frozen=True)
class LogReader:
    """How to read one log, as plan.toml has it. `levels` maps each level as written to the name it is counted under."""

    format: str  # "text" or "json"
    levels: Mapping[str, str]
    stamp: str = "none"  # text: a name of kit.stamps, at the head of each record
    level_word: int = 1  # text: the level is this word after the stamp, counted from 1
    level_key: str = ""  # json: the key of the level, dots for nested ones
    message_key: str = ""  # json
    compression: str = "none"
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        if self.format not in ("text", "json"):
            raise ValueError(f'format = "{self.format}" is not known; it is "text" or "json".')
        if self.stamp != "none" and self.stamp not in BY_NAME:
            raise ValueError(f'stamp = "{self.stamp}" is not known; it is one of none, {", ".join(BY_NAME)}.')

    @property
    def expectation(self) -> str:
        known = ", ".join(self.levels)
        if self.format == "json":
            return f'JSON lines with a level ({known}) under the key "{self.level_key}"'
        start = "" if self.stamp == "none" else f" after a time stamp like {BY_NAME[self.stamp].example}"
        return f"text lines whose word {self.level_word}{start} is a level ({known})"


@dataclass(frozen=True, slots=True)
class LogRecord:
    level: str  # the name it is counted under
    message: str  # the first line's text after the level
    line: int


@dataclass
class LogFile:
    """Iterate it once for its records; then its counts stand. A check that names its file must look at the odd ones."""

    source: Input
    reader: LogReader
    lines: int = 0
    records: int = 0
    continuation_lines: int = 0
    unexplained_lines: int = 0
    unknown_levels: Counter[str] = field(default_factory=Counter)
    evidence: list[str] = field(default_factory=list)
    first_lines: list[str] = field(default_factory=list)
    is_finished: bool = False

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def explained_share(self) -> float:
        """Share of lines that belong to a record with a level or continue one; an empty file explains all it has."""
        odd = self.unexplained_lines + self.unknown_levels.total()
        return 1.0 if not self.lines else (self.lines - odd) / self.lines

    @property
    def evidence_text(self) -> str:
        names = ", ".join(f"{name} ({count:,})" for name, count in self.unknown_levels.most_common(5))
        levels = f"unknown levels: {names}; " if names else ""
        return f"{levels}{self.unexplained_lines:,} lines that are no record"

    def __iter__(self) -> Iterator[LogRecord]:
        split = _json_record if self.reader.format == "json" else _text_splitter(self.reader)
        reader, levels = self.reader, self.reader.levels
        for raw in text_lines(self.source.path, compression=reader.compression, encoding=reader.encoding):
            self.lines += 1
            line = raw.rstrip("\r\n")
            if self.lines <= EVIDENCE_LINES:
                self.first_lines.append(line)
            found = split(line, reader)
            if found is None:
                self._place(line)
            elif found[0] in levels:
                self.records += 1
                yield LogRecord(levels[found[0]], found[1], self.lines)
            else:
                self._note_unknown(found[0], line)
        self.is_finished = True

    def _place(self, line: str) -> None:
        """A line that starts no record continues the one above, unless it looks like a record of another kind."""
        continues = self.records and self.reader.format == "text" and not looks_like_a_record(line)
        if continues or not line.strip():
            self.continuation_lines += 1
        else:
            self.unexplained_lines += 1
            self._keep(line)

    def _note_unknown(self, level: str, line: str) -> None:
        known = level in self.unknown_levels or len(self.unknown_levels) < UNKNOWN_NAMES
        self.unknown_levels[level[:40] if known else "others"] += 1
        self._keep(line)

    def _keep(self, line: str) -> None:
        if len(self.evidence) < EVIDENCE_LINES:
            self.evidence.append(line)


def read_log(source: Input) -> LogFile:
    """The log of this file, by the reader that plan.toml has for its name."""
    log = LogFile(source, LogReader(**reader_for(source.name)))
    current().opened_logs.append(log)
    return log


def message_kind(message: str) -> str:
    """Messages that differ only in numbers are one kind: `retry 3 of 5` is `retry # of #`."""
    return _NUMBERS.sub("#", " ".join(message.split()))[:120]


def looks_like_a_record(line: str) -> bool:
    """True for a JSON object and for a line that begins with any known time stamp."""
    if line.startswith("{") and line.endswith("}"):
        return True
    return any(stamp.pattern.match(line) for stamp in STAMPS)


Splitter = Callable[[str, LogReader], tuple[str, str] | None]


def _text_splitter(reader: LogReader) -> Splitter:
    return _plain_record if reader.stamp == "none" else _stamped_record


def _stamped_record(line: str, reader: LogReader) -> tuple[str, str] | None:
    stamp = BY_NAME[reader.stamp].pattern.match(line)
    return None if stamp is None else level_at(line[stamp.end() :], reader.level_word)


def _plain_record(line: str, reader: LogReader) -> tuple[str, str] | None:
    """Without stamps an indented line continues the record above; every other line is one, known level or not."""
    if not line.strip() or line[0].isspace() or looks_like_a_record(line):
        return None
    return level_at(line, reader.level_word)


def level_at(rest: str, word: int) -> tuple[str, str]:
    """The word at this place without brackets and colons, and the text after it; ("", "") if the line is shorter."""
    for number, match in enumerate(_WORD.finditer(rest), 1):
        if number == word:
            word_alone = match.group().lstrip(_BEFORE_A_LEVEL).rstrip(_AFTER_A_LEVEL)
            return word_alone, rest[match.end() :].strip(" \t|:-")
    return "", ""


def _json_record(line: str, reader: LogReader) -> tuple[str, str] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    level = value_at(record, reader.level_key)
    if isinstance(level, bool) or not isinstance(level, str | int):
        return None
    message = value_at(record, reader.message_key) if reader.message_key else ""
    return str(level), str(message or "")


def value_at(record: Mapping[str, Any], key: str) -> Any:
    """The value under a key, as written or with dots for nested objects; None if there is none."""
    if key in record:
        return record[key]
    value: Any = record
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
