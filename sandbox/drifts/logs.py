"""Drifts of levels in logs. They search for levels, unlike the kit's readers, so that both are not wrong alike."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from .drift import JSON_LINES, LOGS, TEXT_LOG, Aim, Drift, Files, Need, keeping, lines_of, losing

LEVEL = re.compile(r"\b(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|CRIT|FATAL|SEVERE)\b", re.IGNORECASE)
_OTHER_NAMES = {"WARN": "WARNING", "WARNING": "WARN", "ERROR": "ERR", "ERR": "ERROR"}
_SYSLOG = {"CRITICAL": 2, "CRIT": 2, "FATAL": 2, "ERROR": 3, "ERR": 3, "SEVERE": 3, "WARN": 4, "WARNING": 4}
_SYSLOG |= {"NOTICE": 5, "INFO": 6, "DEBUG": 7, "TRACE": 7}
BAD = frozenset(name for name, number in _SYSLOG.items() if number <= 3)
HEAD = 120  # characters in which a level is looked for; later it is a word in a message


def level_in(line: str) -> re.Match[str] | None:
    return LEVEL.search(line, 0, HEAD)


def _log_to_json(data: bytes, _aim: Aim) -> bytes:
    """Each record becomes one object; lines that continue one become part of its message, as JSON loggers do it."""
    records: list[dict[str, str]] = []
    for line in lines_of(data):
        found = level_in(line)
        if found is None and records:
            records[-1]["msg"] += "\n" + line.rstrip("\r\n")
        else:
            records.append(_record(line.rstrip("\r\n"), found))
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def _half_to_json(data: bytes, aim: Aim) -> bytes:
    """From the middle on, at a record."""
    lines = lines_of(data)
    middle = next((at for at in range(len(lines) // 2, len(lines)) if level_in(lines[at])), len(lines))
    return "".join(lines[:middle]).encode() + _log_to_json("".join(lines[middle:]).encode(), aim)


def _record(line: str, level: re.Match[str] | None) -> dict[str, str]:
    if level is None:
        return {"msg": line}
    time, message = line[: level.start()].strip(" []<>|-,"), line[level.end() :].strip(" []:|-")
    return {"time": time, "level": level.group().lower(), "msg": message}


def _with_levels(change: Callable[[str], str]) -> Callable[[bytes, Aim], bytes]:
    """The first level near the head of each line, changed."""

    def changed(data: bytes, _aim: Aim) -> bytes:
        return "".join(_with_level(line, change) for line in lines_of(data)).encode()

    return changed


def _with_level(line: str, change: Callable[[str], str]) -> str:
    found = level_in(line)
    return line if found is None else line[: found.start()] + change(found.group()) + line[found.end() :]


def _other_name(level: str) -> str:
    other = _OTHER_NAMES.get(level.upper(), level.upper())
    return level if other == level.upper() else (other if level.isupper() else other.lower())


def _some_unknown(data: bytes, aim: Aim) -> bytes:
    """One in twenty, and one at least, of the levels that count, else of all."""
    lines = lines_of(data)
    found = [(at, one.group()) for at, line in enumerate(lines) if (one := level_in(line))]
    chosen = [at for at, level in found if level.upper() in BAD] or [at for at, _ in found]
    for at in aim.chance.sample(chosen, max(1, len(chosen) // 20)) if chosen else []:
        lines[at] = _with_level(lines[at], lambda _level: "PROBLEM")
    return "".join(lines).encode()


def _silence(files: Files, aim: Aim) -> dict[str, bytes]:
    """Every bad record is now an INFO, in all files: as many lines, and nothing to count."""
    calmed = _with_levels(_calmed)
    return {name: calmed(data, aim) for name, data in files.items()}


def _calmed(level: str) -> str:
    if level.upper() not in BAD:
        return level
    return "INFO" if level.isupper() else "info"


def _word_in_message(data: bytes, aim: Aim) -> bytes:
    """In a few healthy records: the words are there and nothing happened."""
    lines = lines_of(data)
    healthy = [
        at for at, line in enumerate(lines) if (one := level_in(line)) and one.group().upper() in ("INFO", "DEBUG")
    ]
    for at in aim.chance.sample(healthy, max(1, len(healthy) // 20)) if healthy else []:
        lines[at] = _with_words(lines[at])
    return "".join(lines).encode()


def _with_words(line: str) -> str:
    words = "ERROR rate ok, 0 ERRORs found, CRITICAL alarms none"
    if line.lstrip().startswith("{"):
        record = json.loads(line)
        key = next((one for one in ("msg", "message", "text") if one in record), "note")
        return json.dumps({**record, key: words}) + "\n"
    found = level_in(line)
    assert found is not None, "chosen because it has one"
    return f"{line[: found.end()]} {words}\n"


def _level_key_renamed(data: bytes, _aim: Aim) -> bytes:
    """In every object, the key whose value is a level; its new name is one that nobody expects."""
    return "".join(_with_key_renamed(line) for line in lines_of(data)).encode()


def _with_key_renamed(line: str) -> str:
    record = json.loads(line) if line.strip() else {}
    if not isinstance(record, dict):
        return line
    renamed = {f"{key}_label" if _is_level(value) else key: value for key, value in record.items()}
    return line if renamed == record else json.dumps(renamed) + "\n"


def _is_level(value: object) -> bool:
    return isinstance(value, str) and LEVEL.fullmatch(value) is not None


_keeps, _text_keeps, _loses = keeping(*LOGS), keeping(TEXT_LOG), losing(*LOGS)
LOG_DRIFTS = (
    keeping(JSON_LINES)("level-key-renamed", "the key of the level got another name", _level_key_renamed, Need.LEVELS),
    _text_keeps("log-to-json", "the log was written as JSON lines", _log_to_json, Need.LEVELS),
    _text_keeps("half-to-json", "a log changed to JSON lines half way", _half_to_json, Need.LEVELS),
    _keeps("level-lower-case", "levels were written in lower case", _with_levels(str.lower), Need.LEVELS),
    _keeps("level-title-case", "levels were written with one capital, as Error", _with_levels(str.title), Need.LEVELS),
    _keeps(
        "level-renamed",
        "levels got another common name, such as WARNING for WARN and ERR for ERROR",
        _with_levels(_other_name),
        Need.LEVELS,
    ),
    _keeps("level-one-letter", "levels were cut to one letter", _with_levels(lambda level: level[0]), Need.LEVELS),
    _text_keeps(
        "level-numeric",
        "levels were written as numbers",
        _with_levels(lambda level: str(_SYSLOG[level.upper()])),
        Need.LEVELS,
    ),
    _text_keeps(
        "level-with-module",
        "a module's name was put before each level, as core:error",
        _with_levels(lambda level: f"core:{level.lower()}"),
        Need.LEVELS,
    ),
    _text_keeps(
        "level-coloured",
        "levels were wrapped in colour codes",
        _with_levels(lambda level: f"\x1b[31m{level}\x1b[0m"),
        Need.LEVELS,
    ),
    _loses("level-unknown", "some records got a level nobody has heard of", _some_unknown, Need.LEVELS),
    _keeps("word-in-message", "healthy records spoke of errors in their text", _word_in_message, Need.LEVELS),
    Drift(
        "silent-while-busy",
        "no file had a bad record any more, with as many lines as ever",
        LOGS,
        False,
        change_set=_silence,
        needs=(Need.LEVELS,),
    ),
)
