"""A table over all its rows: widths, kinds of columns, and everything about it that a person should hear of."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from kit.cells import BadQuotes, Dialect, in_other_quotes
from kit.numbers import exact_number
from kit.text_lines import LINE_ENDS, garbled
from kit.totals import is_total

from .columns_look import SMALL, Column, Marks, are_ambiguous, marks_of
from .dialect_look import RECORD_LINES, Found
from .few_values import with_values
from .secrets import MASK, masked, names_a_secret
from .text_look import TextLook

TYPED_ROWS = 50_000  # rows whose cells are looked at one by one; the rest is counted
COLUMNS = 200
SUMMED_ROWS = 4  # fewer rows add up to the last one by chance


def look_at_table(look: TextLook, found: Found) -> dict[str, Any]:
    """One pass over all rows."""
    table, number = _Table(found), 0
    for block in look.blocks():
        plain = table.plain_rows(block, LINE_ENDS[look.line_end])
        table.rows += plain
        for line in () if plain else look.lines_of(block):
            number += 1
            table.read(number, line)
        number += plain
    table.end()
    return table.facts()


class _Table:
    def __init__(self, found: Found) -> None:
        self.found = found
        self.header: list[str] = []
        self.columns: list[Column] = []
        self.rows = self.odd_rows = 0
        self.multiline = self.garbled = False
        self.odd: dict[str, tuple[int, int]] = {}  # words -> first line, times
        self.kept: list[list[str]] = []  # rows whose cells may be added up
        self._pending: list[str] = []  # lines of a record that is not at its end
        self._blank = self._start = 0  # numbers of lines: the first empty one, and where the pending record begins

    def read(self, number: int, line: str) -> None:
        """Notes each record by its first line's number; one that cannot be split has no cells."""
        if number <= self.found.skip_lines:
            return
        if not line and not self._pending:
            self._blank = self._blank or (number if self.header else 0)
            return
        if self._blank:
            self.note_odd("empty lines between its rows", self._blank)
            self._blank = 0
        self._start = self._start if self._pending else number
        self._pending.append(line)
        if garbled(line):
            self.garbled = True
            self.note_odd("letters such as a wrong encoding makes of others", number)
        cells = _split(self.found.dialect, "\n".join(self._pending))
        if cells is not None or len(self._pending) >= RECORD_LINES:
            self.note(self._start, cells or [])
            self._pending = []

    def end(self) -> None:
        if self._pending:
            self.note(self._start, [])

    def plain_rows(self, block: str, end: str) -> int:
        """How many rows a block of lines has, if they are only to be counted: none is odd, each is one line; else 0."""
        if self.rows < TYPED_ROWS or self._pending or self._blank:
            return 0
        if not block.isascii() or self.found.dialect.quote in block or not block.endswith(end):
            return 0
        lines = block.removesuffix(end).split(end)
        delimiters = {line.count(self.found.dialect.delimiter) for line in lines}
        return len(lines) if delimiters == {len(self.header) - 1} and len(self.header) > 1 else 0

    def note(self, line: int, cells: list[str]) -> None:
        if not self.header:
            self.header = cells[:COLUMNS]
            self.columns = [Column(name) for name in self.header]
            return
        self.rows += 1
        if len(cells) != len(self.header):
            self.odd_rows += 1
            self.note_odd(f"rows that are not {len(self.header)} cells wide", line)
        elif self.rows <= TYPED_ROWS:
            self._note_cells(line, cells)

    def _note_cells(self, line: int, cells: list[str]) -> None:
        if cells == self.header:
            self.note_odd("rows that repeat its header", line)
        elif is_total(cells):
            self.note_odd("rows that are totals", line)
        for column, cell in zip(self.columns, cells, strict=True):
            column.note(cell)
            if "\n" in cell:
                self.multiline = True
                if self.found.dialect.delimiter in cell:
                    self.note_odd("cells over several lines with delimiters in them, as after a stray quote", line)
            elif "\r" in cell:
                self.note_odd("lone carriage returns within lines", line)
            if in_other_quotes(cell, "'") and self.found.dialect.quote != "'":
                self.note_odd("cells in single quotes", line)
        self.kept.append(cells)

    def note_odd(self, words: str, line: int) -> None:
        first, times = self.odd.get(words, (line, 0))
        self.odd[words] = first, times + 1

    def facts(self) -> dict[str, Any]:
        marks = marks_of(self.columns)
        self._note_odd_cells(marks)
        if self._last_row_adds_up(marks):
            self.note_odd("a last row that adds up the others", self.rows + 1)
        dialect = self.found.dialect
        if self.found.rival:
            self.note_odd(f"rows that {self.found.rival!r} separates as well as {dialect.delimiter!r} does", 1)
        described = [self._described(column, marks) for column in self.columns]
        described = with_values(described, (column.values for column in self.columns))
        return {
            "delimiter": dialect.delimiter,
            "quote": dialect.quote,
            "escape": dialect.escape,
            "skip_lines": self.found.skip_lines,
            "multiline": self.multiline,
            "garbled": self.garbled,
            "rows": self.rows,
            "odd_rows": self.odd_rows,
            "columns": described,
            "decimal": marks[0],
            "thousands": marks[1],
            "has_marks": any(column.has_marks() for column in self.columns),
            "exponents": any(column.has_powers() for column in self.columns if column.kind(marks) == "number"),
            "numbers_are_ambiguous": are_ambiguous(self.columns),
            "oddities": [_sentence(words, *seen) for words, seen in self.odd.items()][:20],
        }

    def _described(self, column: Column, marks: Marks) -> dict[str, Any]:
        kind = column.kind(marks)
        described: dict[str, Any] = {"name": column.name, "kind": kind, "digits": column.digits()}
        if kind == "date":
            described["dates"] = layouts = column.date_formats()[:4]
            described["ends"] = [end for layout in layouts for end in column.ends(layout)]
        elif kind == "number":
            described["decimals"] = column.decimals(marks)
        return described

    def _note_odd_cells(self, marks: Marks) -> None:
        for column in self.columns:
            kind, cells, times = column.odd_cells(marks)
            if kind:
                shown = ", ".join(
                    repr(masked(f"{column.name}={cell}").removeprefix(f"{column.name}=")) for cell in cells
                )
                self.odd[f"cells of {column.name} that are no {kind}, unlike the others: {shown}"[:300]] = (0, times)
            if column.filled and column.dated == column.filled and not column.date_formats():
                self.odd[f"dates of {column.name} that are not all written in one way"] = (0, 1)

    def _last_row_adds_up(self, marks: Marks) -> bool:
        """Whether each number of the last row is the sum of all above it."""
        if len(self.kept) != self.rows or self.rows <= SUMMED_ROWS:
            return False
        sums = []
        for place in range(len(self.columns)):
            numbers = [_number(row[place], marks) for row in self.kept]
            if numbers[-1] and None not in numbers[:-1]:
                sums.append(sum(one for one in numbers[:-1] if one is not None) == numbers[-1])
        return bool(sums) and all(sums)


def without_secrets(line: str, dialect: Dialect, places: Iterable[int]) -> str:
    """A line to be shown, without texts in columns of secrets; nothing of one that cannot be taken apart."""
    cells = _split(dialect, line) or []
    for place in places:
        cell = cells[place] if place < len(cells) else ""
        if not cells or (cell and cell not in line):
            return MASK
        if cell.strip() and exact_number(cell) is None and not names_a_secret(cell):
            line = line.replace(cell, MASK)
    return line


def _number(cell: str, marks: Marks) -> Decimal | None:
    number: Decimal | None = exact_number(cell, decimal=marks[0], thousands=marks[1], exponents=SMALL in cell)
    return number


def _split(dialect: Dialect, text: str) -> list[str] | None:
    try:
        cells: list[str] | None = dialect.split(text)
        return cells
    except BadQuotes:
        return []


def _sentence(words: str, line: int, times: int) -> str:
    where = f", first in line {line:,}" if line else ""
    return f"it has {words} ({times:,} times{where})"
