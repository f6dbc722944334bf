"""One line that holds keys and values: a JSON object, or the key=value pairs called logfmt."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_PAIR = re.compile(r'([A-Za-z_@][\w.@/-]*)=("[^"\\]*(?:\\.[^"\\]*)*"|[^\s"=]*)(?: +|\Z)')
# How services say beside their records that these are one page of several; compared in small letters alone.
_MORE = frozenset({"next", "nextpage", "nextlink", "nextcursor", "nextpagetoken", "hasmore", "more", "istruncated"})
_COUNTS = frozenset({"count", "totalcount", "totalresults", "totalitems", "totalrecords", "numresults", "recordcount"})
_ESCAPED = re.compile(r"\\(.)")


class KeyTwice(ValueError):
    """An object has a key twice, so it is not said which value counts."""


def json_object(line: str) -> dict[str, Any] | None:
    """None for anything but one object with each key once: with a key twice, nobody knows which value counts."""
    try:
        record = json.loads(line, object_pairs_hook=once)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise KeyTwice("a key stands twice in one object")
    return record


def logfmt_pairs(line: str) -> dict[str, str] | None:
    """None unless the whole line is pairs, at least two of them, each key once."""
    record: dict[str, str] = {}
    place = 0
    while place < len(line):
        pair = _PAIR.match(line, place)
        if pair is None or pair[1] in record:
            return None
        value = pair[2]
        record[pair[1]] = _ESCAPED.sub(r"\1", value[1:-1]) if value.startswith('"') else value
        place = pair.end()
    return record if len(record) > 1 else None


def says_more(document: Any, records: int) -> str:
    """What a document says beside its records about there being more; "" where it says nothing of the kind."""
    beside = [document, *document.values()] if isinstance(document, dict) else []
    for table in beside:
        for key, value in table.items() if isinstance(table, dict) else ():
            name = re.sub("[^a-z]", "", str(key).lower().rpartition(".")[2])
            is_count = name in _COUNTS and isinstance(value, int) and not isinstance(value, bool) and value > records
            if is_count or (name in _MORE and value):
                return f"{key} is {value!r:.80}"
    return ""


def value_at(record: Mapping[str, Any], key: str) -> Any:
    """The value under a key, as written or with dots for nested objects; None if there is none."""
    if key in record:
        return record[key]
    value: Any = record
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
