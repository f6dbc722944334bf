"""What a workbook shows people and not scripts, or the other way round: rows and cells, other sheets, currencies."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .workbook import ExcelFile

_HIDDEN = re.compile(rb'<row\b[^>]*\b(?:hidden="(?:1|true)"|ht="0(?:\.0*)?")')
_MERGED = re.compile(rb'<mergeCell\b[^>]*\bref="[A-Z]+[0-9]+:[A-Z]+([0-9]+)"')
# In a format: [$kr-414], "kg", or a sign by itself. Of brackets, those with a dollar are no condition and no colour.
_SHOWN = re.compile(r'\[\$([^\]-]+)(?:-[^\]]*)?\]|"([^"]*)"|([%$€£¥])')
CHUNK = 1 << 20


def refuse_unseen(file: ExcelFile, sheet: Any) -> None:
    """Rows that a filter hides are summed by scripts and not seen by people; merged cells hide their twins."""
    with zipfile.ZipFile(file.source.path) as archive, archive.open(sheet._worksheet_path) as xml:
        before = b""
        while piece := xml.read(CHUNK):
            text, before = before + piece, piece[-1_000:]
            if _HIDDEN.search(text) and not file.reader.hidden_rows:
                raise file.odd("HiddenRows", "has rows that are hidden", "hidden", "all", "hidden_rows = true")
            # A title above the table may be as wide as it.
            is_merged = any(int(one[1]) > file.reader.skip_lines for one in _MERGED.finditer(text))
            if is_merged and not file.reader.merged_cells:
                raise file.odd("MergedCells", "has merged cells", "merged", "plain", "merged_cells = true")


def refuse_twins(file: ExcelFile, book: Any) -> None:
    """A table that goes on in another sheet, or has one for each month, would be read in part only."""
    at = file.reader.skip_lines + 1
    for sheet in book.worksheets if not file.reader.other_sheets else ():
        if sheet.title == file.reader.sheet:
            continue
        sheet.reset_dimensions()
        with closing(sheet.iter_rows(min_row=at, max_row=at, values_only=True)) as rows:
            heads = [[str(one).strip() for one in row if one is not None] for row in rows]
        if file.reader.header in heads:
            words = f"has the same columns in sheet {sheet.title} too, which is not read"
            raise file.odd("OddSheet", words, sheet.title, file.reader.sheet, "other_sheets = true")


def refuse_mixed(file: ExcelFile, row: Sequence[Any], shown: dict[int, frozenset[str]]) -> None:
    """Excel keeps a number's currency in how it is shown: 5 € below 5 kr make no column that can be added up.

    `shown` has what stood in each column so far.
    """
    for place, cell in enumerate(row):
        if not isinstance(cell.value, int | float) or not (unit := unit_of(cell.number_format)):
            continue
        before = shown.setdefault(place, unit)
        if unit != before:
            name = file.reader.header[place] if place < len(file.reader.header) else f"column {place + 1}"
            seen, above = " ".join(unit), " ".join(before)
            words = f"shows {name} in {seen} in row {cell.row:,}, and in {above} above"
            raise file.odd("MixedUnits", words, seen, above, "mixed_formats = true")


@cache
def unit_of(number_format: str | None) -> frozenset[str]:
    """What a format shows beside a number: a currency, a percent sign, or a word in quotes."""
    said = [one or two or three for one, two, three in _SHOWN.findall(number_format or "")]
    return frozenset(one.strip(" -") for one in said) - {""}
