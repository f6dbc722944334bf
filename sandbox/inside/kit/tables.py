"""CSV rows, one by one: dialect and header are exactly what was agreed, and every row has every column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from itertools import islice
from typing import Any

from .cells import BadQuotes, in_other_quotes
from .csv_reader import CsvReader, odd_header
from .given import Input, reader_for
from .numbers import exact_number
from .plain_csv import plain_csv
from .row_counts import refuse_empty, refuse_row_cap
from .sql import query
from .state import current
from .surprise import Surprise
from .text_lines import garbled, text_lines
from .totals import is_total
from .window import Span

CELL_LINES = 1_000  # a quoted cell of more lines is no cell but a lost quote
_RAISED = (
    *("OddHeader", "RaggedRow", "BrokenQuotes", "BlankLine", "RepeatedHeader"),
    *("TotalRow", "OddNumber", "EmptyFile", "RowCap"),
)


@dataclass(slots=True)
class CsvRow:
    """One row. Each verb takes a role of the reader's `columns`, or a name of its header."""

    file: CsvFile
    line: int
    cells: list[str]

    def plain(self, place: int) -> str:
        return self.cells[place]

    def text(self, column: str) -> str:
        return self.cells[self.file.place(column)]

    def number(self, column: str) -> Decimal:
        """Exact, by the agreed marks. Raises Surprise OddNumber with the row."""
        reader, text = self.file.reader, self.text(column)
        number = exact_number(text, **reader.marks)
        if number is None:
            raise self._odd_cell(
                "OddNumber", column, "which is not {}", f"a number like 12{reader.decimal}5", reader.admits
            )
        digits = reader.exact_decimals.get(self.file.place(column))
        if digits is not None and -int(number.as_tuple().exponent) != digits:
            agreed = f"{digits} digit{'' if digits == 1 else 's'} behind its mark"
            raise self._odd_cell("OddNumber", column, "not with {}", agreed, '"decimals" admits it')
        return number

    def number_or_none(self, column: str) -> Decimal | None:
        """The same, and None for what the reader's `nulls` lists as meaning no value."""
        return None if self.text(column).strip() in self.file.reader.nulls else self.number(column)

    def moment(self, column: str) -> datetime:
        """By the layout agreed in `dates`, else ISO; without a zone where it has none. Raises Surprise OddDate."""
        reader, text = self.file.reader, self.text(column)
        layout = reader.layout(column)
        try:
            return datetime.strptime(text.strip(), layout)
        except ValueError:
            admits = 'the parameter "dates" admits another'
            raise self._odd_cell("OddDate", column, "which is not {}", f"a date like {layout}", admits) from None

    def moment_or_none(self, column: str) -> datetime | None:
        return None if self.text(column).strip() in self.file.reader.nulls else self.moment(column)

    def _odd_cell(self, name: str, column: str, words: str, agreed: str, admits: str) -> Surprise:
        """`words` say with {} that the cell is not what was agreed."""
        seen = self.text(column)
        message = f"{self.file.name} line {self.line:,}: {column} is {seen[:40]!r}, {words.format(agreed)}"
        row = self.file.reader.delimiter.join(self.cells)
        return Surprise(name, message, seen=seen, expected=f"{agreed} ({admits})", file=self.file.name, rows=[row])


@dataclass
class CsvFile:
    """Iterate it for its rows. Raises the Surprises of _RAISED, OddCode, and those of kit.text_lines."""

    source: Input
    reader: CsvReader
    rows: int = 0
    span: Span | None = None  # after sql(): from the first to the last of its dates, where one column tells them

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def names(self) -> Sequence[str]:
        return self.reader.header

    @property
    def places(self) -> Mapping[str, int]:
        return self.reader.places

    @property
    def dated(self) -> str:
        return self.reader.dated

    @property
    def totals(self) -> str:
        return self.reader.totals

    @cached_property
    def header(self) -> list[str]:
        """The first row as it is in the file; nothing where that cannot be read."""
        try:
            line = next(islice(self._lines(), self.reader.skip_lines, None), "")
            return self.reader.dialect.split(line) or []
        except BadQuotes:
            return []

    def place(self, column: str) -> int:
        try:
            return self.reader.places[column]
        except KeyError:
            named = ", ".join(self.reader.places)
            raise KeyError(f"{column!r} is no column or role of {self.name}; there are: {named}") from None

    def __iter__(self) -> Iterator[CsvRow]:
        self.note_checks()
        self.rows = 0
        records = self._records()
        _, header = next(records, (0, []))
        if not header:
            refuse_empty(self.name, 0, self.reader.empty, "lines")
            return
        if header != self.reader.header:
            raise odd_header(self.name, self.reader, header)
        width, codes, totals = len(header), self.reader.code_widths, self.reader.totals
        for line, cells in records:
            if len(cells) != width:
                self._fill_up(line, cells)
            if cells == header:
                raise self._odd("RepeatedHeader", line, cells, "repeats the header", "one header", "")
            if totals != "keep" and is_total(cells):
                if totals == "drop":
                    continue
                raise self._odd("TotalRow", line, cells, "is a total, not an entry", "entries", "totals")
            for place, digits in codes:
                if cells[place] and len(cells[place]) != digits:
                    name = header[place]
                    words = f"has {cells[place][:40]!r} as {name}, which had {digits} characters"
                    raise self._odd("OddCode", line, cells, words, f"{digits} characters", "codes")
            self.rows += 1
            yield CsvRow(self, line, cells)
        refuse_empty(self.name, self.rows, self.reader.empty, "rows below its header")
        refuse_row_cap(self.name, self.rows, self.reader.row_cap)

    def sql(self, question: str, numbers: Sequence[str] = ()) -> list[tuple[Any, ...]]:
        """Rows of an answer to SQL over the table `rows`, for millions of rows within the box's memory.

        Columns have the names of the header and of their roles. Those in `numbers` are exact decimals, NULL where the
        reader's `nulls` say so; all others are text. Raises what iterating and `number` raise, OddDate for the dates of
        the reader's `dated` column, and TotalRow where the last row adds up the others.
        """
        return query(self, question, numbers, plain_csv)

    def note_checks(self) -> None:
        """What is looked at by reading the rows, whichever way they are read."""
        for name in _RAISED:
            current().note_check(name, self.name)

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """Every record with the number of its last line."""
        reader, blank, footer = self.reader, 0, 0
        other = "'" if reader.quote == '"' else '"'
        numbered = enumerate(self._lines(), 1)
        for number, first in islice(numbered, reader.skip_lines, None):
            line = first
            if not line:
                blank = blank or number
                continue
            if reader.footer and line.startswith(tuple(reader.footer)):
                footer = number
                continue
            if footer:
                raise self._odd("RaggedRow", footer, [], "is no row, and rows follow it", "rows", "footer")
            if blank and not reader.blank_lines:
                raise self._odd("BlankLine", blank, [], "is empty, and rows follow it", "rows", "blank_lines = true")
            last, cells = number, self._split(line, number)
            while cells is None:
                last, line = self._longer(line, number, last, numbered)
                cells = self._split(line, number)
            if "\r" in line and not any("\r" in one for one in cells if "\n" in one):
                raise self._odd("OddLineEnd", number, cells, "holds a lone carriage return", "lines", "line_end")
            if not reader.single_quotes and other in line and any(in_other_quotes(cell, other) for cell in cells):
                words = f"has cells between {other}, as another dialect writes them"
                raise self._odd("BrokenQuotes", number, cells, words, "plain cells", 'quote", "single_quotes = true')
            if not reader.garbled and (seen := garbled(line)):
                words = f"has {seen}, so its letters were damaged before it was written"
                raise self._odd("OddEncoding", number, cells, words, "letters as they were", "garbled = true")
            yield last, cells

    def _split(self, line: str, number: int) -> list[str] | None:
        try:
            return self.reader.dialect.split(line)
        except BadQuotes as bad:
            words = f"has {bad}: the quotes do not match"
            raise self._odd("BrokenQuotes", number, [line], words, "matching quotes", "quote, escape") from bad

    def _longer(self, line: str, number: int, last: int, more: Iterator[tuple[int, str]]) -> tuple[int, str]:
        """The record with one more line, where a cell may hold line ends."""
        if self.reader.multiline and last - number < CELL_LINES:
            last, rest = next(more, (0, ""))
            if last:
                return last, f"{line}\n{rest}"
        raise self._odd(
            "BrokenQuotes",
            number,
            [line],
            "has a cell that runs over several lines, as after a stray quote",
            "cells on one line",
            "multiline = true",
        )

    def _lines(self) -> Iterator[str]:
        """Lines without their ends."""
        for line in text_lines(self.source.path, **self.reader.text):
            yield line.removesuffix("\n").removesuffix("\r")

    def _fill_up(self, line: int, cells: list[str]) -> None:
        """Makes a row as wide as the header where only empty cells are missing or too many. Raises RaggedRow."""
        width = len(self.reader.header)
        if any(cells[width:]) or not self.reader.ragged:
            words = f"has {len(cells)} cells, the header has {width}"
            raise self._odd("RaggedRow", line, cells, words, f"{width} cells", 'delimiter", "footer", "ragged = true')
        cells[:] = [*cells, *[""] * (width - len(cells))][:width]

    def _odd(self, name: str, line: int, cells: list[str], words: str, expected: str, admits: str) -> Surprise:
        row = self.reader.delimiter.join(cells)
        if admits:
            expected += f' (the reader parameter "{admits}" admits others)'
        message = f"{self.name} line {line:,} {words}"
        return Surprise(name, message, seen=row, expected=expected, file=self.name, rows=[row])


def read_csv(source: Input) -> CsvFile:
    """The rows of this file, by the reader that plan.toml has for its name."""
    return CsvFile(source, CsvReader(**reader_for(source.name)))
