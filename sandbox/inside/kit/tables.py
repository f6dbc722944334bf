"""CSV rows, one by one: dialect and header are exactly what was agreed, and every row has every column."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from .given import Input, reader_for
from .numbers import exact_number
from .state import current
from .surprise import Surprise
from .text_lines import text_lines


@dataclass(frozen=True)
class CsvReader:
    """How to read one CSV file, as plan.toml has it."""

    header: list[str]  # the exact names, in order
    columns: Mapping[str, str] = field(default_factory=dict)  # role in the script -> name in the header
    delimiter: str = ","
    decimal: str = "."
    thousands: str = ""
    multiline: bool = False  # whether a quoted cell may hold a line break
    compression: str = "none"
    encoding: str = "utf-8"


@dataclass(frozen=True)
class CsvRow:
    """One row. `text` and `number` take a role of the reader's `columns`, or a name of its header."""

    file: CsvFile
    line: int
    cells: list[str]

    def text(self, column: str) -> str:
        return self.cells[self.file.place(column)]

    def number(self, column: str) -> Decimal:
        """Exact, by the agreed decimal mark. Raises Surprise OddNumber with the row."""
        reader, text = self.file.reader, self.text(column)
        number = exact_number(text, decimal=reader.decimal, thousands=reader.thousands)
        if number is None:
            raise Surprise(
                "OddNumber",
                f"{self.file.name} line {self.line:,}: {column} is {text[:40]!r}, which is no number",
                seen=text,
                expected=f'numbers like 12{reader.decimal}5 (the parameters "decimal", "thousands" admit others)',
                file=self.file.name,
                rows=[reader.delimiter.join(self.cells)],
            )
        return number


@dataclass
class CsvFile:
    """Iterate it for its rows. Raises Surprise: OddHeader, RaggedRow, BrokenQuotes, and those of kit.text_lines."""

    source: Input
    reader: CsvReader
    rows: int = 0

    @property
    def name(self) -> str:
        return self.source.name

    @cached_property
    def header(self) -> list[str]:
        """The first row as it is in the file."""
        return next(csv.reader(self._lines(), delimiter=self.reader.delimiter), [])

    @property
    def header_difference(self) -> str:
        return _difference(self.reader.header, self.header)

    def place(self, column: str) -> int:
        return self.reader.header.index(self.reader.columns.get(column, column))

    def __iter__(self) -> Iterator[CsvRow]:
        for name in ("OddHeader", "RaggedRow", "BrokenQuotes", "OddNumber"):
            current().note_check(name, self.name)
        reader = csv.reader(self._lines(), delimiter=self.reader.delimiter, strict=True)
        try:
            self._check_header(next(reader, []))
            for cells in reader:
                if cells:  # an empty line between rows holds no row
                    self._check_row(cells, reader.line_num)
                    self.rows += 1
                    yield CsvRow(self, reader.line_num, cells)
        except csv.Error as error:
            raise Surprise(
                "BrokenQuotes",
                f"{self.name} line {reader.line_num:,}: the quotes do not match",
                seen=error,
                expected="cells with line breaks or delimiters in double quotes",
                file=self.name,
            ) from error

    def _lines(self) -> Iterator[str]:
        return text_lines(self.source.path, compression=self.reader.compression, encoding=self.reader.encoding)

    def _check_header(self, seen: list[str]) -> None:
        agreed = self.reader.header
        if seen != agreed:
            mark = self.reader.delimiter
            raise Surprise(
                "OddHeader",
                f"{self.name} has other columns: {_difference(agreed, seen)}",
                seen=mark.join(seen),
                expected=f'{mark.join(agreed)} (the reader parameters "header" and "delimiter" admit others)',
                file=self.name,
                rows=[mark.join(seen)],
            )

    def _check_row(self, cells: list[str], line: int) -> None:
        if len(cells) != len(self.reader.header):
            raise self._odd_row(
                "RaggedRow",
                f"has {len(cells)} cells, the header has {len(self.reader.header)}",
                f"{len(self.reader.header)} cells",
                cells,
                line,
            )
        if not self.reader.multiline and any("\n" in cell for cell in cells):
            raise self._odd_row(
                "BrokenQuotes",
                "has a cell that runs over several lines, as after a stray quote",
                "cells on one line (the reader parameter multiline = true admits others)",
                cells,
                line,
            )

    def _odd_row(self, name: str, words: str, expected: str, cells: list[str], line: int) -> Surprise:
        row = self.reader.delimiter.join(cells)
        message = f"{self.name} line {line:,} {words}"
        return Surprise(name, message, seen=row, expected=expected, file=self.name, rows=[row])


def read_csv(source: Input) -> CsvFile:
    """The rows of this file, by the reader that plan.toml has for its name."""
    return CsvFile(source, CsvReader(**reader_for(source.name)))


def _difference(agreed: list[str], seen: list[str]) -> str:
    gone = [name for name in agreed if name not in seen]
    new = [name for name in seen if name not in agreed]
    said = []
    if gone:
        said.append(f"without {', '.join(gone[:6])}")
    if new:
        said.append(f"new are {', '.join(name[:60] for name in new[:6])}")
    return "; ".join(said) or "the same names in another order"
