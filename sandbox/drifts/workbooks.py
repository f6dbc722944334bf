"""Drifts of Excel workbooks. They need openpyxl, which boxes have."""

from __future__ import annotations

import importlib
import io
import re
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from .drift import EXCEL, Aim, DoesNotFit, FileChange, Need, keeping, losing

_EPOCH = datetime(1899, 12, 30)
_STAMP = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")


def _on_book(change: Callable[[Any, Any, Aim], None]) -> FileChange:
    """`change` gets the workbook and its first visible sheet."""

    def changed(data: bytes, aim: Aim) -> bytes:
        book = importlib.import_module("openpyxl").load_workbook(io.BytesIO(data))
        sheet = next(one for one in book.worksheets if one.sheet_state == "visible")
        change(book, sheet, aim)
        out = io.BytesIO()
        book.save(out)
        return _same_always(out.getvalue())

    return changed


def _same_always(data: bytes) -> bytes:
    """The same bytes for the same content: openpyxl writes when it saved."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist()):
            new.writestr(zipfile.ZipInfo(name), _STAMP.sub(rb"\g<1>2026-01-01T00:00:00Z", old.read(name)))
    return out.getvalue()


def _cover(book: Any, _sheet: Any, _aim: Aim) -> None:
    cover = book.create_sheet("Cover", 0)
    cover["A1"], cover["A2"] = "Weekly export", "made by the report service"
    book.active = 0


def _renamed_sheet(_book: Any, sheet: Any, _aim: Aim) -> None:
    sheet.title = f"{sheet.title} (2)"[:31]


def _columns(sheet: Any, aim: Aim, kind: type | tuple[type, ...]) -> list[int]:
    """Columns (from 1) with cells of this kind only, of those that the plan speaks of if it speaks of any."""
    found = []
    for cells in sheet.iter_cols():
        values = [cell.value for cell in cells[1:] if cell.value is not None]
        spoken = not aim.columns or cells[0].value in aim.columns
        if values and spoken and all(isinstance(value, kind) and not isinstance(value, bool) for value in values):
            found.append(cells[0].column)
    if not found:
        raise DoesNotFit(f"{aim.name} has no such column that the plan speaks of")
    return found


def _column(sheet: Any, aim: Aim, kind: type | tuple[type, ...]) -> int:
    return aim.chance.choice(_columns(sheet, aim, kind))


def _cells(sheet: Any, column: int) -> list[Any]:
    return [row[column - 1] for row in sheet.iter_rows(min_row=2) if row[column - 1].value is not None]


def _each_number(change: Callable[[Any], Any], share: float = 1.0) -> FileChange:
    def changed(_book: Any, sheet: Any, aim: Aim) -> None:
        cells = _cells(sheet, _column(sheet, aim, (int, float)))
        for cell in cells if share == 1.0 else aim.chance.sample(cells, max(1, round(len(cells) * share))):
            cell.value = change(cell.value)

    return _on_book(changed)


def _header_renamed(_book: Any, sheet: Any, aim: Aim) -> None:
    cell = sheet.cell(1, _column(sheet, aim, (int, float)))
    cell.value = f"{cell.value} (new)"


def _total(_book: Any, sheet: Any, aim: Aim) -> None:
    last = sheet.max_row
    for column in _columns(sheet, Aim(aim.name, aim.chance), (int, float)):
        sheet.cell(last + 1, column).value = sum(cell.value for cell in _cells(sheet, column))
    free = next((at for at in range(1, sheet.max_column + 1) if sheet.cell(last + 1, at).value is None), 0)
    if not free:
        raise DoesNotFit("there is no column for the word")
    sheet.cell(last + 1, free).value = "Total"


def _hidden(_book: Any, sheet: Any, _aim: Aim) -> None:
    for row in range(3, max(4, sheet.max_row // 2)):
        sheet.row_dimensions[row].hidden = True


def _formulas(_book: Any, sheet: Any, aim: Aim) -> None:
    """Formulas without the values they came to, as some programs save them."""
    for cell in _cells(sheet, _column(sheet, aim, (int, float))):
        cell.value = f"={cell.value}*1"


def _serials(_book: Any, sheet: Any, aim: Aim) -> None:
    for cell in _cells(sheet, _column(sheet, aim, (datetime, date))):
        day = cell.value if isinstance(cell.value, datetime) else datetime(*cell.value.timetuple()[:3])
        cell.value, cell.number_format = (day - _EPOCH).days, "General"


def _title_above(_book: Any, sheet: Any, _aim: Aim) -> None:
    sheet.insert_rows(1, 2)
    sheet.cell(1, 1).value = "Weekly export"


_keeps, _loses = keeping(EXCEL), losing(EXCEL)
WORKBOOK_DRIFTS = (
    _keeps("sheet-cover", "a cover sheet stood first in the workbook", _on_book(_cover)),
    _keeps("sheet-renamed", "the sheet got another name", _on_book(_renamed_sheet)),
    _keeps("sheet-title-above", "a title stood above the sheet's table", _on_book(_title_above)),
    _loses("sheet-column-renamed", "a column of the sheet got another name", _on_book(_header_renamed), Need.NUMBERS),
    _keeps("sheet-total-row", "a row of totals stood at the end of the sheet", _on_book(_total), Need.NUMBERS),
    _keeps("sheet-hidden-rows", "rows of the sheet were hidden by a filter", _on_book(_hidden)),
    _loses("sheet-formulas", "a column held formulas without their values", _on_book(_formulas), Need.NUMBERS),
    _loses("sheet-errors", "some cells held #REF!", _each_number(lambda _value: "#REF!", 0.05), Need.NUMBERS),
    _keeps("sheet-numbers-as-text", "numbers were stored as text", _each_number(str), Need.NUMBERS),
    _loses(
        "sheet-unit-changed",
        "a column of the sheet came in a unit a thousand times smaller",
        _each_number(lambda value: value * 1000),
        Need.NUMBERS,
    ),
    _keeps("sheet-dates-as-numbers", "dates of the sheet were stored as plain numbers", _on_book(_serials), Need.DATES),
)
