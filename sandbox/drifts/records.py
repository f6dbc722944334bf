"""Drifts of a JSON document that holds a list of records: where they stand, their keys, and their values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from .drift import JSON, Aim, DoesNotFit, FileChange, keeping, losing

Record = dict[str, Any]
DEPTH = 3  # of objects that the list may stand in
_RAW = re.compile(r'"\\u0001([^"\\]*)\\u0001"')
_ERROR = {"error": {"code": 503, "message": "The export is not available at the moment, try again later."}}


def _parsed(data: bytes) -> Any:
    """Fractions as the text that they were written as, so that writing them changes none."""
    try:
        return json.loads(data, parse_float=lambda text: f"\x01{text}\x01")
    except ValueError as error:
        raise DoesNotFit("it is no JSON document") from error


def _written(document: Any) -> bytes:
    return (_RAW.sub(r"\1", json.dumps(document)) + "\n").encode()


def _records(value: Any, depth: int = DEPTH) -> list[Record] | None:
    """The first list of objects in a document."""
    if isinstance(value, list):
        return value if value and all(isinstance(one, dict) for one in value) else None
    if isinstance(value, dict) and depth:
        return next((found for one in value.values() if (found := _records(one, depth - 1))), None)
    return None


def _records_of(document: Any, aim: Aim) -> list[Record]:
    records = _records(document)
    if records is None:
        raise DoesNotFit(f"{aim.name} holds no list of records")
    return records


def _on_records(change: Callable[[list[Record], Aim], None]) -> FileChange:
    """Changes the records where they stand."""

    def changed(data: bytes, aim: Aim) -> bytes:
        document = _parsed(data)
        change(_records_of(document, aim), aim)
        return _written(document)

    return changed


def _key(records: list[Record], aim: Aim, fits: Callable[[Any], bool]) -> str:
    """A key with such values only, one that the plan speaks of if it speaks of any. Raises DoesNotFit."""
    keys = [
        key
        for key in records[0]
        if (not aim.columns or key in aim.columns) and all(fits(record[key]) for record in records if key in record)
    ]
    if not keys:
        raise DoesNotFit(f"{aim.name} has no such key that the plan speaks of")
    return aim.chance.choice(keys)


def _is_number(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or str(value).startswith("\x01")


def _on_numbers(change: Callable[[str], Any], share: float = 1.0) -> FileChange:
    """Values of one key of numbers, a seeded share of them; `change` gets the number as it is written."""

    def changed(records: list[Record], aim: Aim) -> None:
        key = _key(records, aim, _is_number)
        struck = [record for record in records if key in record]
        for record in struck if share == 1.0 else aim.chance.sample(struck, max(1, round(len(struck) * share))):
            record[key] = change(str(record[key]).strip("\x01"))

    return _on_records(changed)


def _scaled(number: str) -> str:
    return f"\x01{Decimal(number) * 1000:f}\x01"


def _key_renamed(records: list[Record], aim: Aim) -> None:
    key = _key(records, aim, lambda _value: True)
    for record in records:
        renamed = {f"{name}_new" if name == key else name: value for name, value in record.items()}
        record.clear()
        record.update(renamed)


def _key_missing(records: list[Record], aim: Aim) -> None:
    key = _key(records, aim, lambda _value: True)
    for record in aim.chance.sample(records, max(1, len(records) // 10)):
        record.pop(key, None)


def _nested(records: list[Record], _aim: Aim) -> None:
    records[:] = [{"data": record} for record in records]


def _twice(records: list[Record], _aim: Aim) -> None:
    records.extend([dict(record) for record in records])


def _first_page(records: list[Record], _aim: Aim) -> None:
    del records[max(1, len(records) // 5) :]


def _as_lines(data: bytes, aim: Aim) -> bytes:
    return b"".join(map(_written, _records_of(_parsed(data), aim)))


def _wrapped(data: bytes, aim: Aim) -> bytes:
    records = _records_of(_parsed(data), aim)
    return _written({"count": len(records), "items": records})


def _cut(data: bytes, _aim: Aim) -> bytes:
    return data[: len(data) * 6 // 10]


_keeps, _loses = keeping(JSON), losing(JSON)
RECORD_DRIFTS = (
    _keeps("records-as-lines", "records came one in a line instead of in a list", _as_lines),
    _keeps("records-wrapped", "the list of records stood in an object, under items", _wrapped),
    _keeps("records-nested", "each record stood one level deeper, under data", _on_records(_nested)),
    _keeps("record-numbers-as-text", "numbers of the records came in quotes", _on_numbers(str)),
    _loses("record-key-renamed", "a key of the records got another name", _on_records(_key_renamed)),
    _loses("record-key-missing", "a key was missing in some records", _on_records(_key_missing)),
    _loses("record-nulls", "some numbers of the records were null", _on_numbers(lambda _number: None, 0.05)),
    _loses("record-unit-changed", "a key's numbers came in a unit a thousand times smaller", _on_numbers(_scaled)),
    _loses("records-twice", "the list held each record twice", _on_records(_twice)),
    _loses("records-first-page", "only the first page of the records came, a fifth of them", _on_records(_first_page)),
    _loses("document-cut", "the document was cut off in the middle", _cut),
    _loses("document-error", "a message about an error came instead of the document", lambda *_: _written(_ERROR)),
)
