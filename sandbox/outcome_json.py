"""Reads outcome.json. Its bytes come out of a box, so nothing in them is believed before it is measured."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from sandbox.outcome import (
    KINDS,
    Attachment,
    Cell,
    Chart,
    CheckTally,
    Crashed,
    Intermediate,
    Number,
    Outcome,
    Report,
    Series,
    Surprised,
    Table,
)

T = TypeVar("T")

OUTCOME_LIMIT_BYTES = 16_000_000
TABLE_ROWS = 2_000
_TEXT = 200_000  # characters of a report's text
_SHORT = 4_000  # characters of any other text
_LIST = 200  # items of any other list
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_POINTS = 10_000  # values of a chart


class OutcomeUnreadable(ValueError):
    """outcome.json is not what our runner writes, so the run counts as lost. The message names the key."""


def read_outcome(data: bytes) -> Outcome:
    """Raises OutcomeUnreadable for anything too large, of the wrong type, or unknown."""
    if len(data) > OUTCOME_LIMIT_BYTES:
        raise OutcomeUnreadable(f"outcome.json has {len(data)} bytes; at most {OUTCOME_LIMIT_BYTES} are read.")
    try:
        keys = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise OutcomeUnreadable(f"outcome.json is not JSON: {error}.") from error
    outcome = _Keys("outcome", keys)
    readers: dict[type, Callable[[_Keys], Outcome]] = {Report: _report, Surprised: _surprise, Crashed: _crash}
    by_word = {word: readers[kind] for kind, word in KINDS.items()}
    word = outcome.text("kind")
    if word not in by_word:
        raise outcome.wrong("kind", " or ".join(by_word))
    return by_word[word](outcome)


def _report(keys: _Keys) -> Report:
    return Report(
        markdown=keys.text("markdown", _TEXT),
        tables=keys.each("tables", _table),
        charts=keys.each("charts", _chart),
        attachments=keys.each("attachments", _attachment),
        metrics=keys.numbers("metrics"),
        intermediates=keys.each("intermediates", _intermediate),
        checks=keys.each("checks", _check),
        seconds=float(keys.number("seconds")),
    )


def _surprise(keys: _Keys) -> Surprised:
    return Surprised(
        name=keys.text("name"),
        message=keys.text("message"),
        seen=keys.text("seen"),
        expected=keys.text("expected"),
        file=keys.text("file"),
        rows=tuple(_as_text(keys, row) for row in keys.list("rows", 3)),
        intermediates=keys.each("intermediates", _intermediate),
        checks=keys.each("checks", _check),
    )


def _crash(keys: _Keys) -> Crashed:
    return Crashed(keys.text("error"), keys.text("message"), keys.text("traceback", 20_000), keys.whole("line"))


def _table(keys: _Keys) -> Table:
    columns = tuple(_as_text(keys, name) for name in keys.list("columns", _LIST))
    rows = tuple(_cells(keys, row, len(columns)) for row in keys.list("rows", TABLE_ROWS))
    return Table(keys.text("title"), columns, rows)


def _cells(keys: _Keys, row: Any, width: int) -> tuple[Cell, ...]:
    if not isinstance(row, list) or len(row) != width or not all(_is_cell(cell) for cell in row):
        raise keys.wrong("rows", f"rows of {width} texts or numbers")
    return tuple(row)


def _is_cell(cell: Any) -> bool:
    return cell is None or _is_number(cell) or _is_text(cell, _SHORT)


def _chart(keys: _Keys) -> Chart:
    labels = tuple(_as_text(keys, label) for label in keys.list("labels", _POINTS))
    kind = keys.text("kind")
    if kind not in ("bar", "line"):
        raise keys.wrong("kind", "bar or line")
    series = keys.each("series", _series)
    if any(len(one.values) != len(labels) for one in series):
        raise keys.wrong("series", f"as many values as labels ({len(labels)})")
    # Kits from before there were pictures, which approved plans keep, do not name one.
    picture = keys.text("picture") if "picture" in keys.values else ""
    return Chart(keys.text("title"), kind, labels, series, picture)


def _series(keys: _Keys) -> Series:
    values = keys.list("values", _POINTS)
    if not all(_is_number(value) for value in values):
        raise keys.wrong("values", "numbers")
    return Series(keys.text("name"), tuple(values))


def _attachment(keys: _Keys) -> Attachment:
    path = keys.text("path")
    parts = path.split("/")
    if parts[0] != "outputs" or len(parts) < 2 or any(part in ("", ".", "..") for part in parts) or "\\" in path:
        raise keys.wrong("path", "a path inside outputs/")
    return Attachment(keys.text("name"), path, keys.whole("bytes"), keys.text("sha256"))


def _intermediate(keys: _Keys) -> Intermediate:
    return Intermediate(keys.text("name"), keys.number("count"), keys.text("unit"))


def _check(keys: _Keys) -> CheckTally:
    return CheckTally(keys.text("name"), keys.whole("times"))


def _as_text(keys: _Keys, value: Any) -> str:
    if not _is_text(value, _SHORT):
        raise keys.wrong("a list", f"texts of at most {_SHORT} characters")
    return str(value)


def _is_text(value: Any, limit: int) -> bool:
    """Text that a database keeps and a terminal survives: no NUL, no half of a surrogate pair."""
    return isinstance(value, str) and len(value) <= limit and not _UNSTORABLE.search(value)


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) else abs(value) < 10**30


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


class _Keys:
    """One JSON object being read; each door checks type and size."""

    def __init__(self, path: str, values: Any) -> None:
        if not isinstance(values, dict):
            raise OutcomeUnreadable(f"outcome.json: {path} is no object.")
        self.path = path
        self.values = values

    def wrong(self, key: str, wanted: str) -> OutcomeUnreadable:
        return OutcomeUnreadable(f"outcome.json: {self.path}.{key} should be {wanted}.")

    def text(self, key: str, limit: int = _SHORT) -> str:
        value = self.values.get(key)
        if not _is_text(value, limit):
            raise self.wrong(key, f"a text of at most {limit} characters")
        assert isinstance(value, str)
        return value

    def number(self, key: str) -> Number:
        value = self.values.get(key)
        if not _is_number(value):
            raise self.wrong(key, "a finite number")
        assert isinstance(value, int | float)
        return value

    def whole(self, key: str) -> int:
        value = self.number(key)
        if not isinstance(value, int) or value < 0:
            raise self.wrong(key, "a whole number, not negative")
        return value

    def list(self, key: str, limit: int) -> list[Any]:
        value = self.values.get(key)
        if not isinstance(value, list) or len(value) > limit:
            raise self.wrong(key, f"a list of at most {limit}")
        return value

    def each(self, key: str, read: Callable[[_Keys], T]) -> tuple[T, ...]:
        return tuple(read(_Keys(f"{self.path}.{key}", item)) for item in self.list(key, _LIST))

    def numbers(self, key: str) -> dict[str, Number]:
        value = self.values.get(key)
        if not isinstance(value, dict) or len(value) > _LIST or not all(map(_is_number, value.values())):
            raise self.wrong(key, f"at most {_LIST} numbers by name")
        if not all(_is_text(name, _SHORT) for name in value):
            raise self.wrong(key, "numbers by name")
        return dict(value)
