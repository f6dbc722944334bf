"""Rows of one sheet of an Excel workbook: its cells have types of their own, and each must be the agreed one."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import Any

from .csv_reader import difference
from .given import Input, reader_for
from .numbers import TEXT_NUMBERS, text_number
from .row_counts import refuse_empty, refuse_row_cap
from .sql import query
from .state import current
from .surprise import Surprise
from .totals import is_total
from .unseen import refuse_mixed, refuse_twins, refuse_unseen
from .window import Span

_RAISED = (
    "OddWorkbook",
    "OddSheet",
    "OddHeader",
    "HiddenRows",
    "MergedCells",
    "ExcelError",
    "OddNumber",
    "OddDate",
    "OddCode",
    "MixedUnits",
    "EmptyFile",
    "RowCap",
)
# What openpyxl raises for a workbook that is damaged; broken XML is a SyntaxError to it.
DAMAGED = (zipfile.BadZipFile, KeyError, ValueError, OSError, AttributeError, TypeError, IndexError, SyntaxError)
_ERRORS = (
    *("#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#N/A", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#FIELD!", "#BLOCKED!"),
    *("#CONNECT!", "#BUSY!", "#UNKNOWN!", "#EXTERNAL!", "#PYTHON!", "#GETTING_DATA"),
)


@dataclass(frozen=True)
class ExcelReader:
    """How to read one workbook, as plan.toml has it."""

    header: list[str]
    sheet: str  # its name
    columns: Mapping[str, str] = field(default_factory=dict)  # role in the script -> name in the header
    dated: str = ""  # the column that says when each entry was; "" if none does
    skip_lines: int = 0  # rows above the header
    nulls: Sequence[str] = ("",)
    codes: Mapping[str, int] = field(default_factory=dict)  # column -> its number of characters, always
    units: Mapping[str, Sequence[str]] = field(
        default_factory=dict
    )  # column of currencies or units -> those it may have
    totals: str = "refuse"  # rows that add up others: or drop, keep
    blank_lines: bool = False  # whether empty rows may stand between rows
    hidden_rows: bool = False  # whether rows that nobody sees count
    merged_cells: bool = False  # whether cells may be merged; only the first of them has the value
    other_sheets: bool = False  # whether other sheets may have the same columns, though they are not read
    mixed_formats: bool = False  # whether numbers of one column may be shown in several currencies or units
    serial_dates: bool = False  # whether a plain number may be a date, counted in days
    number_texts: bool = False  # whether a number may stand where text is read; its leading zeros are gone
    text_numbers: bool = False  # whether numbers may be written as text, with the marks that follow
    decimal: str = "."
    thousands: str = ""
    symbols: Sequence[str] = ()  # what may stand beside a number, such as $ or %
    negative: str = "minus"  # or: parentheses, trailing minus, long minus
    empty: bool = False  # whether it may have no rows
    row_cap: bool = False  # whether the table may have exactly as many rows as some program can hold


@dataclass(slots=True)
class ExcelRow:
    """One row. Each verb takes a role of the reader's `columns`, or a name of its header."""

    file: ExcelFile
    line: int
    cells: list[Any]

    def text(self, column: str) -> str:
        """A cell that is text, or "". Raises Surprise OddText for a number or a date: it may once have been a code."""
        value = self._value(column)
        if value is None or isinstance(value, str):
            return value or ""
        if self.file.reader.number_texts and isinstance(value, int | float):
            return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
        raise self._odd_cell("OddText", column, "text", "number_texts = true")

    def number(self, column: str) -> Decimal:
        """The shortest decimal that the cell's number stands for. Raises Surprise OddNumber."""
        value, reader = self._value(column), self.file.reader
        if isinstance(value, int | float) and not isinstance(value, bool):
            return Decimal(repr(value))
        number = text_number(value, reader) if isinstance(value, str) else None
        if number is not None:
            return number
        raise self._odd_cell("OddNumber", column, "a number", TEXT_NUMBERS)

    def number_or_none(self, column: str) -> Decimal | None:
        value = self._value(column)
        empty = value is None or (isinstance(value, str) and value.strip() in self.file.reader.nulls)
        return None if empty else self.number(column)

    def moment(self, column: str) -> datetime:
        """A cell that is a date. Raises Surprise OddDate, also for a plain number unless `serial_dates` admits it."""
        value = self._value(column)
        if isinstance(value, datetime):
            return value
        if isinstance(value, date):
            return datetime(value.year, value.month, value.day)
        if self.file.reader.serial_dates and isinstance(value, int | float) and not isinstance(value, bool):
            return self.file.from_serial(value)
        raise self._odd_cell("OddDate", column, "a date", "serial_dates = true")

    def moment_or_none(self, column: str) -> datetime | None:
        value = self._value(column)
        empty = value is None or (isinstance(value, str) and value.strip() in self.file.reader.nulls)
        return None if empty else self.moment(column)

    def plain(self, place: int) -> str:
        """Any cell as text: numbers as the shortest decimal, dates in ISO form."""
        value = self.cells[place]
        if isinstance(value, float):
            return f"{Decimal(repr(value)):f}"
        if isinstance(value, datetime | date):
            return value.isoformat()
        return "" if value is None else str(value)

    def _value(self, column: str) -> Any:
        return self.cells[self.file.places[column]]

    def _odd_cell(self, name: str, column: str, kind: str, admits: str) -> Surprise:
        value = self._value(column)
        words = f"row {self.line:,} has {str(value)[:40]!r} ({type(value).__name__}) as {column}, which is not {kind}"
        return self.file.odd(name, words, value, kind, admits, self.cells)


@dataclass
class ExcelFile:
    """Iterate it for its rows. Raises the Surprises of _RAISED, and BlankLine, TotalRow, RowCap."""

    source: Input
    reader: ExcelReader
    rows: int = 0
    span: Span | None = None  # after sql()

    @property
    def name(self) -> str:
        return self.source.name

    @cached_property
    def places(self) -> Mapping[str, int]:
        names = {name: place for place, name in enumerate(self.reader.header)}
        return names | {role: names[name] for role, name in self.reader.columns.items()}

    @property
    def names(self) -> Sequence[str]:
        return self.reader.header

    @property
    def dated(self) -> str:
        return self.reader.dated

    @property
    def totals(self) -> str:
        return self.reader.totals

    def sql(self, question: str, numbers: Sequence[str] = ()) -> list[tuple[Any, ...]]:
        """As of CsvFile."""
        return query(self, question, numbers)

    def from_serial(self, days: float) -> datetime:
        from openpyxl.utils.datetime import from_excel  # noqa: PLC0415  # slow to import

        moment = from_excel(days, self._epoch)
        assert isinstance(moment, datetime)
        return moment

    def __iter__(self) -> Iterator[ExcelRow]:
        for name in _RAISED:
            current().note_check(name, self.name)
        header, blank = self.reader.header, 0
        self.rows = 0
        for line, (cells, formulas) in enumerate(self._cells(), 1):
            if line <= self.reader.skip_lines:
                continue
            if line == self.reader.skip_lines + 1:
                self._check_header(cells)
                continue
            if all(cell is None for cell in cells) and not any(formulas):
                blank = blank or line
                continue
            if blank and not self.reader.blank_lines:
                raise self.odd("BlankLine", f"row {blank:,} is empty, and rows follow it", "", "", "blank_lines = true")
            self._check_row(line, cells, formulas)
            self._check_codes(line, cells)
            row = (cells + [None] * len(header))[: len(header)]
            if row == header:
                raise self.odd("RepeatedHeader", f"row {line:,} repeats the header", row, "one header", "", row)
            if self.reader.totals != "keep" and is_total(["" if one is None else str(one) for one in row]):
                if self.reader.totals == "drop":
                    continue
                raise self.odd("TotalRow", f"row {line:,} is a total", row, "entries", "totals", row)
            self.rows += 1
            yield ExcelRow(self, line, row)
        refuse_empty(self.name, self.rows, self.reader.empty, "rows below its header")
        refuse_row_cap(self.name, self.rows, self.reader.row_cap)

    def _check_codes(self, line: int, cells: list[Any]) -> None:
        for name, digits in self.reader.codes.items():
            place = self.places[name]
            cell = cells[place] if place < len(cells) else None
            if cell is not None and not (isinstance(cell, str) and len(cell) in (0, digits)):
                seen = f"{str(cell)[:40]!r} ({type(cell).__name__})"
                words = f"row {line:,} has {seen} as {name}, which had {digits} characters"
                raise self.odd("OddCode", words, cell, f"text of {digits} characters", "codes", cells)

    def _check_header(self, cells: list[Any]) -> None:
        seen = [str(one).strip() if one is not None else "" for one in cells]
        while seen and not seen[-1]:
            seen.pop()
        if seen != self.reader.header:
            words = f"has other columns: {difference(self.reader.header, seen)}"
            raise self.odd("OddHeader", words, seen, self.reader.header, 'header", "sheet", "skip_lines', seen)

    def _check_row(self, line: int, cells: list[Any], formulas: list[bool]) -> None:
        if any(one is not None for one in cells[len(self.reader.header) :]):
            width = len(self.reader.header)
            raise self.odd(
                "RaggedRow", f"row {line:,} is wider than the header", cells, f"{width} cells", "header", cells
            )
        for place, cell in enumerate(cells):
            if isinstance(cell, str) and cell in _ERRORS:
                raise self.odd("ExcelError", f"row {line:,} holds {cell}", cell, "values", "", cells)
            if formulas[place] and cell is None:
                words = f"row {line:,} holds a formula whose result was never stored"
                raise self.odd("ExcelError", words, "a formula", "values; open and save the file in Excel", "", cells)

    def _cells(self) -> Iterator[tuple[list[Any], list[bool]]]:
        """Values of each row, and which of them are formulas."""
        import openpyxl  # noqa: PLC0415  # slow to import, and only workbooks need it
        from openpyxl.utils.exceptions import InvalidFileException  # noqa: PLC0415  # the same

        try:
            values = openpyxl.load_workbook(self.source.path, read_only=True, data_only=True)
            written = openpyxl.load_workbook(self.source.path, read_only=True, data_only=False)
        except (*DAMAGED, InvalidFileException) as bad:
            raise self.odd("OddWorkbook", "is no workbook that can be read", bad, "an .xlsx file", "") from bad
        try:
            yield from self._rows_of(values, written)
        except SyntaxError as bad:
            raise self.odd("OddWorkbook", "has a sheet that breaks off", bad, "a whole sheet", "") from bad
        finally:
            values.close()
            written.close()

    def _rows_of(self, values: Any, written: Any) -> Iterator[tuple[list[Any], list[bool]]]:
        self._epoch = values.epoch
        if self.reader.sheet not in values.sheetnames:
            seen = ", ".join(values.sheetnames)
            raise self.odd("OddSheet", f"has no sheet {self.reader.sheet}", seen, self.reader.sheet, "sheet")
        sheets = values[self.reader.sheet], written[self.reader.sheet]
        refuse_unseen(self, sheets[0])
        refuse_twins(self, values)
        shown: dict[int, frozenset[str]] = {}
        for sheet in sheets:
            sheet.reset_dimensions()  # what the file says of its size may be wrong
        with closing(sheets[0].iter_rows()) as rows, closing(sheets[1].iter_rows()) as formulas:
            for row, formula in zip(rows, formulas, strict=True):
                if not self.reader.mixed_formats:
                    refuse_mixed(self, row, shown)
                marks = [one.data_type == "f" for one in formula]
                yield [one.value for one in row], marks + [False] * (len(row) - len(marks))

    def odd(
        self, name: str, words: str, seen: object, expected: object, admits: str, row: Sequence[Any] = ()
    ) -> Surprise:
        said = f'{expected} (the reader parameter "{admits}" admits others)' if admits else expected
        rows = [", ".join("" if one is None else str(one) for one in row)] if row else []
        return Surprise(name, f"{self.name} {words}", seen=seen, expected=said, file=self.name, rows=rows)


def read_excel(source: Input) -> ExcelFile:
    """The rows of this workbook's sheet, by the reader that plan.toml has for its name."""
    return ExcelFile(source, ExcelReader(**reader_for(source.name)))
