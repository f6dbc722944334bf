"""One line of a log to its level, its message and its stamp: by the place where they stand, never by a search."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .keyed import json_object, logfmt_pairs, value_at
from .line_kinds import begins_otherwise
from .log_reader import LogReader
from .stamps import BY_NAME

AROUND = " \t|:-"  # a message, which these part from its level
_WORD = re.compile(r"[^\s|]+")
BEFORE_A_LEVEL, AFTER_A_LEVEL = "[({<\"'", "])}>:;,\"'"
Split = tuple[str, str, str]  # level, message, stamp
Splitter = Callable[[str, LogReader], Split | None]


def splitter_of(reader: LogReader) -> Splitter:
    """What takes the lines of such a log apart; it gives None for a line that begins no record."""
    if reader.format != "text":
        return _KEYED[reader.format]
    return _plain_record if reader.stamp == "none" else _stamped_record


def _stamped_record(line: str, reader: LogReader) -> Split | None:
    stamp = BY_NAME[reader.stamp].pattern.match(line)
    return None if stamp is None else (*level_at(line[stamp.end() :], reader.level_word), stamp.group())


def _plain_record(line: str, reader: LogReader) -> Split | None:
    """Without stamps an indented line continues the record above; every other line is one, known level or not."""
    if not line.strip() or line[0].isspace() or begins_otherwise(line):
        return None
    return (*level_at(line, reader.level_word), "")


def level_at(rest: str, word: int) -> tuple[str, str]:
    """The word at this place without brackets and colons, and the text after it; ("", "") if the line is shorter."""
    for number, match in enumerate(_WORD.finditer(rest), 1):
        if number == word:
            return bare(match.group()), rest[match.end() :].strip(AROUND)
    return "", ""


def bare(word: str) -> str:
    """A level without the brackets and colons around it."""
    return word.lstrip(BEFORE_A_LEVEL).rstrip(AFTER_A_LEVEL)


def _json_record(line: str, reader: LogReader) -> Split | None:
    record = json_object(line)
    return None if record is None else _keyed(record, reader)


def _logfmt_record(line: str, reader: LogReader) -> Split | None:
    record = logfmt_pairs(line)
    return None if record is None else _keyed(record, reader)


_KEYED: Mapping[str, Splitter] = {"json": _json_record, "logfmt": _logfmt_record}


def _keyed(record: Mapping[str, Any], reader: LogReader) -> Split | None:
    level = value_at(record, reader.level_key)
    if isinstance(level, bool) or not isinstance(level, str | int):
        return None
    message, stamp = (value_at(record, key) if key else "" for key in (reader.message_key, reader.time_key))
    return str(level), str(message or ""), str(stamp or "")
