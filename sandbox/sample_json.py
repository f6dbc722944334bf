"""Reads samples.json. Its bytes come out of a box that has just parsed a stranger's file, so all is measured first."""

from __future__ import annotations

import json
from typing import Any

from library.facts import ColumnFacts, CsvFacts, FileFacts, FileKind, LogFacts

_TEXT = 3_000  # characters; a shown line has 300, every one of which may be escaped as \U0001f600
_LINES = 20
_NAMES = 200
_VALUES = 40  # of one column

Found = tuple[FileFacts, tuple[str, ...], tuple[str, ...]]


class SampleUnreadable(ValueError):
    """samples.json is not what our sampler writes. The message names the key."""


def read_samples(data: bytes) -> list[Found]:
    """Facts, first lines and last lines of each file. Raises SampleUnreadable."""
    try:
        entries = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise SampleUnreadable(f"samples.json is not JSON: {error}.") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise SampleUnreadable("samples.json is no list of objects.")
    return [_found(_Entry(entry)) for entry in entries]


def _found(entry: _Entry) -> Found:
    log, csv = entry.part("log"), entry.part("csv")
    try:
        kind = FileKind(entry.text("kind"))
    except ValueError as error:
        raise SampleUnreadable(f"samples.json: kind is {entry.text('kind')!r}.") from error
    facts = FileFacts(
        name=entry.text("name"),
        size_bytes=entry.count("size_bytes"),
        kind=kind,
        compression=entry.text("compression", "none"),
        encoding=entry.text("encoding", "utf-8"),
        encoding_is_certain=entry.flag("encoding_is_certain", True),
        is_ascii=entry.flag("is_ascii", False),
        line_end=entry.text("line_end", "lf"),
        final_newline=entry.flag("final_newline", True),
        is_whole=entry.flag("is_whole", True),
        lines=entry.count("lines", 0),
        log=None if log is None else _log(log),
        csv=None if csv is None else _csv(csv),
        sheet=entry.text("sheet", ""),
        problem=entry.text("problem", ""),
        first_at="" if log is None else log.text("first_at", ""),
        last_at="" if log is None else log.text("last_at", ""),
        hidden=entry.count("hidden", 0),
    )
    return facts, entry.texts("head", _LINES), entry.texts("tail", _LINES)


def _log(entry: _Entry) -> LogFacts:
    return LogFacts(
        levels=entry.counts("levels"),
        records=entry.count("records"),
        stamp=entry.text("stamp", "none"),
        level_word=entry.count("level_word", 0),
        level_key=entry.text("level_key", ""),
        message_key=entry.text("message_key", ""),
        time_key=entry.text("time_key", ""),
        keys=entry.texts("keys", _NAMES),
        continuation_lines=entry.count("continuation_lines"),
        unexplained_lines=entry.count("unexplained_lines"),
    )


def _csv(entry: _Entry) -> CsvFacts:
    columns = entry.value("columns", list, [])
    if len(columns) > _NAMES or not all(isinstance(column, dict) for column in columns):
        raise SampleUnreadable("samples.json: columns is no short list of objects.")
    entries = [_Entry(column) for column in columns]
    return CsvFacts(
        delimiter=entry.text("delimiter"),
        columns=tuple(map(_column, entries)),
        rows=entry.count("rows"),
        decimal=entry.text("decimal"),
        thousands=entry.text("thousands"),
        numbers_are_ambiguous=entry.flag("numbers_are_ambiguous", False),
        has_marks=entry.flag("has_marks", False),
        multiline=entry.flag("multiline", False),
        exponents=entry.flag("exponents", False),
        garbled=entry.flag("garbled", False),
        has_twins=entry.flag("has_twins", False),
        odd_rows=entry.count("odd_rows"),
        quote=entry.text("quote", '"'),
        escape=entry.text("escape", ""),
        skip_lines=entry.count("skip_lines", 0),
        oddities=entry.texts("oddities", _LINES),
        negative=entry.text("negative", "minus"),
        json_form=entry.text("json_form", ""),
        json_records=entry.text("json_records", ""),
    )


def _pairs(texts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(zip(texts[::2], texts[1::2], strict=True)) if len(texts) % 2 == 0 else ()


def _column(entry: _Entry) -> ColumnFacts:
    return ColumnFacts(
        entry.text("name"),
        entry.text("kind"),
        entry.texts("dates", _LINES),
        _pairs(entry.texts("ends", 2 * _LINES)),
        entry.count("decimals", 0),
        entry.count("empty", 0),
        entry.texts("nulls", _LINES),
        entry.texts("symbols", _LINES),
        entry.count("digits", 0),
        entry.flag("is_optional", False),
        entry.flag("is_unit", False),
        entry.flag("is_money", False),
        entry.texts("values", _VALUES),
    )


class _Entry:
    """One JSON object being read; each door checks type and size."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    def value(self, key: str, kind: type, default: Any = None) -> Any:
        value = self.values.get(key, default)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise SampleUnreadable(f"samples.json: {key} should be of type {kind.__name__}.")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        value: str = self.value(key, str, default)
        if len(value) > _TEXT:
            raise SampleUnreadable(f"samples.json: {key} has {len(value)} characters.")
        return value

    def texts(self, key: str, limit: int) -> tuple[str, ...]:
        values = self.value(key, list, [])
        if len(values) > limit or not all(isinstance(one, str) and len(one) <= _TEXT for one in values):
            raise SampleUnreadable(f"samples.json: {key} should be at most {limit} short texts.")
        return tuple(values)

    def count(self, key: str, default: int | None = None) -> int:
        value: int = self.value(key, int, default)
        if not 0 <= value < 10**15:
            raise SampleUnreadable(f"samples.json: {key} is {value}.")
        return value

    def flag(self, key: str, default: bool) -> bool:
        value: bool = self.value(key, bool, default)
        return value

    def counts(self, key: str) -> dict[str, int]:
        values = self.value(key, dict, {})
        if len(values) > _NAMES or not all(isinstance(one, int) and one >= 0 for one in values.values()):
            raise SampleUnreadable(f"samples.json: {key} should be at most {_NAMES} counts.")
        return dict(values)

    def part(self, key: str) -> _Entry | None:
        return _Entry(self.value(key, dict)) if key in self.values else None
