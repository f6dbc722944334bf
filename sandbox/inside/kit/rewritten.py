"""Rows of any table, read by its strict reader, written once in a form that duckdb reads without a choice."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

from .surprise import Surprise
from .totals import adds_up
from .window import Span

NARROW, WIDE = 18, 38  # digits of a decimal that fits a machine word, and of the widest that is computed exactly
UNNAMED = "(unnamed)"  # in SQL, of the column without a name that a program writes row numbers in
LINE_BYTES = 8_000_000  # of one row at most


class TableRow(Protocol):
    """A row of a strict reader; its verbs raise a Surprise for what is not as agreed."""

    def plain(self, place: int) -> str:
        """The cell as text, "" where it is empty."""

    def number_or_none(self, column: str) -> Decimal | None: ...

    def moment_or_none(self, column: str) -> datetime | None: ...


class AnyTable(Protocol):
    """A file of a table, whatever its kind."""

    rows: int
    span: Span | None

    @property
    def name(self) -> str: ...

    @property
    def names(self) -> Sequence[str]:
        """Of its columns, in order."""

    @property
    def places(self) -> Mapping[str, int]:
        """Of each name, and of each role that a script has for a column."""

    @property
    def dated(self) -> str:
        """The column that says when an entry was, or ""."""

    @property
    def totals(self) -> str:
        """refuse, drop or keep."""

    def __iter__(self) -> Iterator[Any]: ...


@dataclass(frozen=True)
class Rows:
    """Rows that duckdb can read without a choice."""

    source: str  # in SQL
    count: int
    size_bytes: int  # of the file that it reads
    span: Span | None = None


@dataclass
class _Numbers:
    """Of one number column."""

    before: int = 1  # characters in front of the mark
    behind: int = 0
    total: Decimal = Decimal(0)
    last: Decimal | None = None

    def note(self, number: Decimal | None) -> str:
        text = "" if number is None else f"{number:f}"
        before, _, behind = text.partition(".")
        self.before, self.behind = max(self.before, len(before)), max(self.behind, len(behind))
        self.total += number or 0
        self.last = number
        return text

    @property
    def characters(self) -> int:
        return self.before + self.behind


@dataclass
class _Ends:
    first_at: datetime | None = None
    last_at: datetime | None = None

    def note(self, moment: datetime | None) -> None:
        """Raises TypeError where some moments have a zone and others none."""
        if moment is not None:
            self.first_at = moment if self.first_at is None else min(self.first_at, moment)
            self.last_at = moment if self.last_at is None else max(self.last_at, moment)

    @property
    def span(self) -> Span | None:
        ends = [one for one in (self.first_at, self.last_at) if one is not None]
        return Span.over(ends) if ends else None


def rewritten(file: AnyTable, numbers: Sequence[str], path: Path) -> Rows:
    """Every cell in quotes, numbers as plain decimals. Raises what reading row by row raises, and Surprise TotalRow."""
    columns = {file.places[name]: (name, _Numbers()) for name in numbers}
    ends = _Ends()
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(file.names)
        for row in file:
            cells = [
                columns[place][1].note(row.number_or_none(columns[place][0])) if place in columns else row.plain(place)
                for place in range(len(file.names))
            ]
            if file.dated:
                _note_moment(ends, file, row)
            writer.writerow(cells)
    found = [columns[file.places[name]][1] for name in numbers]
    if file.totals != "keep" and adds_up([one.last for one in found], [one.total for one in found], file.rows):
        raise _last_is_total(file, numbers, found)
    for name, one in zip(numbers, found, strict=True):
        if one.characters > WIDE:
            raise _too_long(file, name, one)
    kinds = {place: decimal(one.characters, one.behind) for place, (_, one) in columns.items()}
    return Rows(typed_source(path, file.names, ",", '"', kinds), file.rows, path.stat().st_size, ends.span)


def decimal(digits: int, behind: int) -> str:
    """The type of numbers of at most these digits, in SQL."""
    return f"DECIMAL({NARROW if digits <= NARROW else WIDE}, {behind})"


def plain_source(path: Path, names: Sequence[str], delimiter: str, quote: str) -> str:
    """A CSV file as a table of texts, in duckdb's words; nothing is left to find out."""
    never_null = f"force_not_null = [{', '.join(text_in_sql(name or UNNAMED) for name in names)}]"
    return _read_csv(path, dict.fromkeys(names, "VARCHAR"), delimiter, quote, never_null)


def typed_source(
    path: Path, names: Sequence[str], delimiter: str, quote: str, kinds: Mapping[int, str], mark: str = "."
) -> str:
    """The same with columns of these types at these places, NULL where they are empty, with this decimal mark."""
    columns = {name: kinds.get(place, "VARCHAR") for place, name in enumerate(names)}
    source = _read_csv(path, columns, delimiter, quote, f"decimal_separator = '{mark}'")
    # Of some columns alone duckdb 2.0 takes force_not_null for other columns than it names.
    cells = [name if place in kinds else f"coalesce({name}, '')" for place, name in enumerate(map(name_in_sql, names))]
    chosen = ", ".join(f"{cell} AS {name_in_sql(name)}" for cell, name in zip(cells, names, strict=True))
    return f"(SELECT {chosen} FROM {source})"


def _read_csv(path: Path, columns: Mapping[str, str], delimiter: str, quote: str, also: str) -> str:
    typed = ", ".join(f"{text_in_sql(name or UNNAMED)}: '{kind}'" for name, kind in columns.items())
    return (
        f"read_csv({text_in_sql(str(path))}, auto_detect = false, header = true, columns = {{{typed}}}, "
        f"delim = {text_in_sql(delimiter)}, quote = {text_in_sql(quote)}, escape = {text_in_sql(quote)}, comment = '', "
        f"strict_mode = true, null_padding = false, ignore_errors = false, {also}, max_line_size = {LINE_BYTES}, "
        f"buffer_size = {LINE_BYTES})"  # its own choice would be sixteen times as much memory
    )


def text_in_sql(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def name_in_sql(name: str) -> str:
    return '"' + (name or UNNAMED).replace('"', '""') + '"'


def _note_moment(ends: _Ends, file: AnyTable, row: TableRow) -> None:
    moment = row.moment_or_none(file.dated)
    try:
        ends.note(moment)
    except TypeError:
        words = f"some times of {file.name} in {file.dated} name a zone and others do not"
        raise Surprise("OddDate", words, seen=moment, expected="all with a zone, or none", file=file.name) from None


def _too_long(file: AnyTable, name: str, one: _Numbers) -> Surprise:
    words = f"{file.name} has numbers of {one.characters} characters in {name}"
    expected = f"at most {WIDE} characters, which are computed exactly"
    return Surprise("OddNumber", words, seen=f"{one.characters} characters", expected=expected, file=file.name)


def _last_is_total(file: AnyTable, numbers: Sequence[str], found: Sequence[_Numbers]) -> Surprise:
    seen = ", ".join(f"{name} {one.last}" for name, one in zip(numbers, found, strict=True))
    words = f"the last row of {file.name} is the sum of all rows above it: a total, not an entry"
    expected = 'entries (the reader parameter totals = "keep" admits it)'
    return Surprise("TotalRow", words, seen=seen, expected=expected, file=file.name, rows=[seen])
