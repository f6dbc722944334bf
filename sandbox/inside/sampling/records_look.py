"""Records of JSON as a table: their keys, the kinds of their values, and where in a document they stand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from itertools import islice
from typing import Any

from kit.keyed import json_object, once
from kit.stamps import any_moment

from .few_values import FewValues, with_values
from .text_look import DOCUMENT_CHARACTERS

RECORDS = 50_000  # that are looked at key by key
KEYS = 200
DEPTH = 3  # of objects that a list of records may stand in


@dataclass
class _Key:
    present: int = 0
    kinds: set[str] = field(default_factory=set)
    first_at: datetime | None = None
    last_at: datetime | None = None
    values: FewValues = field(default_factory=FewValues)

    def note(self, value: Any) -> None:
        if value is None:
            return
        if isinstance(value, str):
            self.values.note(value)
        self.present += 1
        kind, moment = _kind(value)
        self.kinds.add(kind)
        if moment is not None:
            self.first_at = min(self.first_at or moment, moment)
            self.last_at = max(self.last_at or moment, moment)

    def described(self, name: str, records: int) -> dict[str, Any]:
        kind = "empty" if not self.kinds else next(iter(self.kinds)) if len(self.kinds) == 1 else "text"
        found: dict[str, Any] = {"name": name, "kind": kind, "empty": records - self.present}
        found["is_optional"] = self.present < records
        if kind == "date" and self.first_at and self.last_at:
            found |= {"dates": ["iso"], "ends": [self.first_at.isoformat(), self.last_at.isoformat()]}
        return found


def records_of_lines(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        record = json_object(line)
        if record is not None:
            yield record


def look_at_records(records: Iterable[Mapping[str, Any]], form: str, under: str = "") -> dict[str, Any]:
    """As about a table; nested keys are written with dots."""
    keys: dict[str, _Key] = {}
    count = 0
    for record in islice(records, RECORDS):
        count += 1
        for name, value in _flat(record):
            if name in keys or len(keys) < KEYS:
                keys.setdefault(name, _Key()).note(value)
    columns = [key.described(name, count) for name, key in keys.items()]
    columns = with_values(columns, (key.values for key in keys.values()))
    plain = {"delimiter": "", "decimal": ".", "thousands": "", "odd_rows": 0}
    return {**plain, "columns": columns, "rows": count, "json_form": form, "json_records": under}


def look_at_document(lines: Iterable[str]) -> tuple[dict[str, Any], list[Mapping[str, Any]]] | None:
    """Facts and first records of a document that is a list of objects or holds exactly one; None for any other."""
    text = "".join(f"{line}\n" for line in lines)
    if not text.lstrip().startswith(("[", "{")) or len(text) > DOCUMENT_CHARACTERS:
        return None
    try:
        document = json.loads(text, object_pairs_hook=once, parse_float=Decimal)
    except (ValueError, RecursionError):
        return None
    found = [("", document)] if _is_records(document) else list(_lists(document, "", DEPTH))
    if len(found) != 1:
        return None
    under, records = found[0]
    return look_at_records(records, "object" if under else "list", under), records


def _lists(value: Any, path: str, depth: int) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    for key, inner in value.items() if isinstance(value, dict) and depth else ():
        name = f"{path}.{key}" if path else key
        if _is_records(inner):
            yield name, inner
        else:
            yield from _lists(inner, name, depth - 1)


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _flat(record: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in record.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}"[:200], value


def _kind(value: Any) -> tuple[str, datetime | None]:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        return "text", None
    if not isinstance(value, str):
        return "number", None
    moment = any_moment(value) if len(value) <= 40 and not value.isdigit() else None
    if moment is None:
        return "text", None
    return "date", moment if moment.tzinfo else moment.replace(tzinfo=UTC)
