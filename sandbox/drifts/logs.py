"""Drifts of logs. They search for levels, unlike the kit's readers, so that both are not wrong in the same way."""

from __future__ import annotations

import json
import re

from .drift import JSON_LINES, TEXT_LOG, Drift, Drifted, lines_of

_LEVEL = re.compile(r"\b(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|CRIT|FATAL|SEVERE)\b", re.IGNORECASE)
_OTHER_NAMES = {"WARN": "WARNING", "WARNING": "WARN", "ERROR": "ERR", "ERR": "ERROR"}
_HEAD = 120  # characters in which a level is looked for; later it is a word in a message


def _log_to_json(name: str, data: bytes, _seed: int) -> Drifted:
    """Each record becomes one object; lines that continue one become part of its message, as JSON loggers do it."""
    records: list[dict[str, str]] = []
    for line in lines_of(data):
        found = _LEVEL.search(line, 0, _HEAD)
        if found is None and records:
            records[-1]["msg"] += "\n" + line.rstrip("\r\n")
        else:
            records.append(_record(line.rstrip("\r\n"), found))
    return name, "".join(json.dumps(record) + "\n" for record in records).encode()


def _record(line: str, level: re.Match[str] | None) -> dict[str, str]:
    if level is None:
        return {"msg": line}
    time, message = line[: level.start()].strip(" []<>|-,"), line[level.end() :].strip(" []:|-")
    return {"time": time, "level": level.group().lower(), "msg": message}


def _lower_case(name: str, data: bytes, _seed: int) -> Drifted:
    return name, _with_levels(data, str.lower)


def _renamed(name: str, data: bytes, _seed: int) -> Drifted:
    return name, _with_levels(data, _other_name)


def _other_name(level: str) -> str:
    other = _OTHER_NAMES.get(level.upper(), level.upper())
    return level if other == level.upper() else (other if level.isupper() else other.lower())


def _with_levels(data: bytes, change) -> bytes:  # type: ignore[no-untyped-def]  # str to str
    """The first level near the head of each line, changed."""
    changed = []
    for line in lines_of(data):
        found = _LEVEL.search(line, 0, _HEAD)
        changed.append(line if found is None else line[: found.start()] + change(found.group()) + line[found.end() :])
    return "".join(changed).encode()


def _level_key_renamed(name: str, data: bytes, _seed: int) -> Drifted:
    """In every object, the key whose value is a level; its new name is one that nobody expects."""
    return name, "".join(_with_key_renamed(line) for line in lines_of(data)).encode()


def _with_key_renamed(line: str) -> str:
    record = json.loads(line) if line.strip() else {}
    if not isinstance(record, dict):
        return line
    renamed = {f"{key}_label" if _is_level(value) else key: value for key, value in record.items()}
    return line if renamed == record else json.dumps(renamed) + "\n"


def _is_level(value: object) -> bool:
    return isinstance(value, str) and _LEVEL.fullmatch(value) is not None


LOG_DRIFTS = (
    Drift("level-key-renamed", "the key of the level got another name", (JSON_LINES,), True, _level_key_renamed),
    Drift("log-to-json", "the log was written as JSON lines", (TEXT_LOG,), True, _log_to_json),
    Drift("level-lower-case", "levels were written in lower case", (TEXT_LOG, JSON_LINES), True, _lower_case),
    Drift(
        "level-renamed",
        "levels got another common name, such as WARNING for WARN and ERR for ERROR",
        (TEXT_LOG, JSON_LINES),
        True,
        _renamed,
    ),
)
