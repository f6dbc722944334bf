"""A table's dialect, header and kinds of columns, found without trusting any single row."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from typing import Any

from kit.numbers import exact_number
from kit.stamps import STAMPS

TYPED_ROWS = 50_000  # rows whose cells are looked at one by one; the rest is counted
COLUMNS = 200
_DELIMITERS = (",", ";", "\t", "|")
# (decimal mark, thousands mark), plain ones first
_MARKS = ((".", ""), (",", ""), (".", ","), (",", "."), (",", "\u00a0"), (",", " "), (".", " "))
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


def csv_delimiter(head: list[str]) -> str | None:
    """The delimiter that gives all first rows the width of a real header, at least two columns; None if none does."""
    widths = [(_agreed_width(head, delimiter), delimiter) for delimiter in _DELIMITERS]
    width, delimiter = max(widths, key=lambda pair: pair[0])
    return delimiter if width >= 2 else None


def look_at_table(lines: Iterable[str], delimiter: str) -> dict[str, Any]:
    """One pass over all rows. `lines` come without line ends."""
    rows = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    header = next(rows)[:COLUMNS]
    columns = [_Column(name) for name in header]
    counts = {"rows": 0, "odd_rows": 0}
    multiline = False
    for cells in _readable(rows, counts):
        counts["rows"] += 1
        if len(cells) != len(header):
            counts["odd_rows"] += 1
        elif counts["rows"] <= TYPED_ROWS:
            multiline = multiline or any("\n" in cell for cell in cells)
            for column, cell in zip(columns, cells, strict=True):
                column.note(cell)
    return {"delimiter": delimiter, "multiline": multiline, **counts, **_typed(columns)}


def _readable(rows: Iterator[list[str]], counts: dict[str, int]) -> Iterator[list[str]]:
    """Rows that are not empty, up to the first that cannot be parsed; that one is counted as odd."""
    try:
        yield from (row for row in rows if row)
    except csv.Error:
        counts["odd_rows"] += 1


def _typed(columns: list[_Column]) -> dict[str, Any]:
    """One pair of marks for the whole file: the one that most columns fit, because a file is written by one program."""
    marks = max(_MARKS, key=lambda pair: sum(1 for column in columns if pair in column.marks and column.filled))
    fractions = [column for column in columns if column.filled and column.marks and column.has_mark]
    ambiguous = any((".", "") in one.marks and (",", ".") in one.marks for one in fractions)
    ambiguous = ambiguous or any((",", "") in one.marks and (".", ",") in one.marks for one in fractions)
    described = [{"name": column.name, "kind": column.kind(marks)} for column in columns]
    written = {"decimal": marks[0], "thousands": marks[1], "has_marks": bool(fractions)}
    return {"columns": described, **written, "numbers_are_ambiguous": ambiguous}


class _Column:
    def __init__(self, name: str) -> None:
        self.name = name
        self.filled = 0
        self.marks = set(_MARKS)
        self.has_mark = False
        self.dates = 0

    def note(self, cell: str) -> None:
        if not cell.strip():
            return
        self.filled += 1
        self.has_mark = self.has_mark or "." in cell or "," in cell
        self.marks = {pair for pair in self.marks if exact_number(cell, decimal=pair[0], thousands=pair[1]) is not None}
        self.dates += 1 if _DATE.fullmatch(cell.strip()) else 0

    def kind(self, marks: tuple[str, str]) -> str:
        if not self.filled:
            return "empty"
        if self.dates == self.filled:
            return "date"
        return "number" if marks in self.marks else "text"


def _agreed_width(head: list[str], delimiter: str) -> int:
    """Width of the header if it is one and every first row has it, else 0."""
    try:
        rows = [row for row in csv.reader((f"{line}\n" for line in head), delimiter=delimiter, strict=True) if row]
    except csv.Error:
        return 0
    if not rows or not _is_header(rows[0]):
        return 0
    # The last row may be cut by the end of the head, within quotes.
    same = sum(1 for row in rows if len(row) == len(rows[0]))
    return len(rows[0]) if same >= max(len(rows) * 0.95, 1) else 0


def _is_header(cells: list[str]) -> bool:
    names = [cell.strip() for cell in cells]
    numbers = any(exact_number(name) is not None or exact_number(name, decimal=",") is not None for name in names)
    stamps = any(stamp.pattern.match(name) for stamp in STAMPS for name in names) or any(map(_DATE.fullmatch, names))
    shown = all(name.isprintable() and name for name in names)
    return shown and len(set(names)) == len(names) and not numbers and not stamps
