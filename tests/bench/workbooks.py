"""Pollutions of workbooks, made with a library that people make workbooks with."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from io import BytesIO
from typing import Any

import openpyxl

from tests.bench.pollution import EXCEL, Pollution

EPOCH = datetime(1899, 12, 30)


def workbook(rows: list[list[Any]]) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Data"
    for row in rows:
        sheet.append(row)
    return _saved(book)


def _saved(book: Any) -> bytes:
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def _change(change: Callable[[Any, Any, random.Random], None]) -> Callable[[bytes, random.Random], bytes]:
    """A change of (workbook, its sheet)."""

    def apply(data: bytes, chance: random.Random) -> bytes:
        book = openpyxl.load_workbook(BytesIO(data))
        change(book, book["Data"], chance)
        return _saved(book)

    return apply


def _cell(sheet: Any, chance: random.Random, column: int) -> Any:
    return sheet.cell(chance.randint(2, sheet.max_row), column)


def _set(column: int, value: Callable[[Any], Any]) -> Callable[[bytes, random.Random], bytes]:
    def change(_book: Any, sheet: Any, chance: random.Random) -> None:
        cell = _cell(sheet, chance, column)
        cell.value = value(cell.value)

    return _change(change)


def _serials(_book: Any, sheet: Any, _chance: random.Random) -> None:
    for row in range(2, sheet.max_row + 1):
        cell = sheet.cell(row, 1)
        cell.value, cell.number_format = (cell.value - EPOCH).days, "General"


def _cover(book: Any, _sheet: Any, _chance: random.Random) -> None:
    book.create_sheet("Cover", 0).append(["Report of the lab"])


def _hide(_book: Any, sheet: Any, chance: random.Random) -> None:
    sheet.row_dimensions[chance.randint(2, sheet.max_row)].hidden = True


def _rename_sheet(_book: Any, sheet: Any, _chance: random.Random) -> None:
    sheet.title = "Data (2)"


def _merge(_book: Any, sheet: Any, chance: random.Random) -> None:
    row = chance.randint(2, sheet.max_row - 1)
    sheet.merge_cells(start_row=row, end_row=row + 1, start_column=3, end_column=3)


def _row(values: list[Any]) -> Callable[[bytes, random.Random], bytes]:
    return _change(lambda _book, sheet, _chance: sheet.append(values))


def _blank(_book: Any, sheet: Any, chance: random.Random) -> None:
    sheet.insert_rows(chance.randint(3, sheet.max_row))


def _preamble(_book: Any, sheet: Any, _chance: random.Random) -> None:
    sheet.insert_rows(1, 2)
    sheet["A1"] = "Sales report"


def _in_1904(book: Any, _sheet: Any, _chance: random.Random) -> None:
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904


def _two_months(book: Any, sheet: Any, _chance: random.Random) -> None:
    book.copy_worksheet(sheet).title = "September"


def _two_currencies(_book: Any, sheet: Any, chance: random.Random) -> None:
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, 4).number_format = "[$kr-414] #,##0.00"
    _cell(sheet, chance, 4).number_format = "[$€-2] #,##0.00"


EXCEL_CLASSES = tuple(
    Pollution(EXCEL, name, change, alone=False)
    for name, change in (
        ("healthy", lambda data, _: data),
        ("serial dates", _change(_serials)),
        ("1904 dates", _change(_in_1904)),
        ("a second sheet of the same columns", _change(_two_months)),
        ("two currencies in its formats", _change(_two_currencies)),
        ("a cover sheet first", _change(_cover)),
        ("sheet renamed", _change(_rename_sheet)),
        ("a hidden row", _change(_hide)),
        ("merged cells", _change(_merge)),
        ("an error cell", _set(4, lambda _: "#REF!")),
        ("a formula without a result", _set(4, lambda x: f"={x}+0")),
        ("a number as text", _set(4, str)),
        ("a date as text", _set(1, lambda x: f"{x:%d.%m.%Y}")),
        ("an empty number", _set(4, lambda _: None)),
        ("a null spelling", _set(4, lambda _: "n/a")),
        ("codes as numbers", _set(2, int)),
        ("a total row", _row(["Total", None, None, 99_999.0, None])),
        ("a footer", _row(["Exported by ACME", None, None, None, None])),
        ("an empty row", _change(_blank)),
        ("a preamble", _change(_preamble)),
        ("header renamed", _change(lambda _b, sheet, _c: sheet.__setitem__("D1", "amount (NOK)"))),
        ("a column too many", _change(lambda _b, sheet, _c: sheet.__setitem__("F9", "note"))),
        ("cut short", lambda data, _: data[: len(data) * 6 // 10]),
        ("an old Office file", lambda _d, _c: b"\xd0\xcf\x11\xe0" + b"\0" * 600),
        ("a web page instead", lambda _d, _c: b"<html><body>Log in</body></html>\n"),
    )
)
