"""A bounded look at an Excel workbook or a Parquet file: its sheets or columns, the kinds of them, the first rows."""

from __future__ import annotations

import importlib
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from kit.workbook import DAMAGED

from .dialect_look import is_header
from .few_values import MOST, FewValues, with_values
from .secrets import MASK, names_a_secret
from .text_look import Unreadable

ROWS = 50_000  # rows of the first sheet that are looked at
SHOWN_ROWS = 12
COLUMNS = 200


def is_workbook(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def is_parquet(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(4) == b"PAR1"


def look_at_workbook(path: Path) -> dict[str, Any]:
    """Facts about the first sheet that is not hidden and has rows, as about a table. Raises Unreadable."""
    openpyxl = importlib.import_module("openpyxl")
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        for sheet in sheets:
            sheet.reset_dimensions()
            rows = islice(sheet.iter_rows(values_only=True), ROWS)
            found = _table(rows)
            if found is not None:
                return _with_twins(found, sheet, sheets) | {"sheet": sheet.title, "kind": "excel"}
    except DAMAGED as error:
        raise Unreadable(f"it is a workbook that cannot be read ({error})") from error
    raise Unreadable(f"it is a workbook without a table; its sheets are {', '.join(book.sheetnames[:10])}")


def _with_twins(found: dict[str, Any], read: Any, sheets: list[Any]) -> dict[str, Any]:
    """Notes sheets that have the same columns, of which only one is read."""
    header = [column["name"] for column in found["csv"]["columns"]]
    at = found["csv"]["skip_lines"] + 1
    others = [sheet for sheet in sheets if sheet is not read]
    for sheet in others:
        sheet.reset_dimensions()
    heads = {sheet.title: list(sheet.iter_rows(min_row=at, max_row=at, values_only=True)) for sheet in others}
    twins = [title for title, rows in heads.items() if rows and _named(rows[0])[:COLUMNS] == header]
    if twins:
        words = f"it has the same columns in the sheets {', '.join(twins[:6])}, and only {read.title} is read"
        found["csv"]["oddities"].append(words)
        found["csv"]["has_twins"] = True
    return found


def look_at_parquet(path: Path) -> dict[str, Any]:
    """Names and types as the file has them, and its first rows. Raises Unreadable."""
    duckdb = importlib.import_module("duckdb")
    quoted = "'" + str(path).replace("'", "''") + "'"
    try:
        with duckdb.connect(":memory:") as connection:
            described = connection.execute(f"DESCRIBE FROM read_parquet({quoted})").fetchall()
            count = connection.execute(f"SELECT count(*) FROM read_parquet({quoted})").fetchall()[0][0]
            rows = connection.execute(f"FROM read_parquet({quoted}) LIMIT {SHOWN_ROWS}").fetchall()
            columns = [_typed(connection, quoted, str(one[0]), str(one[1])) for one in described[:COLUMNS]]
            columns = with_values(columns, [_few_of(connection, quoted, one) for one in columns])
    except duckdb.Error as error:
        raise Unreadable(f"it is a Parquet file that cannot be read ({str(error)[:200]})") from error
    header = [column["name"] for column in columns]
    return {
        "kind": "parquet",
        "shown": [_line(row, header) for row in [header, *rows]],
        "csv": _facts(columns, int(count), []),
    }


def _table(rows: Iterator[tuple[Any, ...]]) -> dict[str, Any] | None:
    """None for a sheet without anything. Rows above the header are told, like a preamble."""
    filled = [(number, row) for number, row in enumerate(rows, 1) if any(one is not None for one in row)]
    heads = [(at, row) for at, row in enumerate(filled[:20]) if is_header(_named(row[1])) and len(_named(row[1])) > 1]
    if not heads:
        return None
    at, (number, head) = heads[0]
    names = _named(head)[:COLUMNS]
    below = [row for _, row in filled[at + 1 :]]
    cells = [[row[place] for row in below if place < len(row)] for place in range(len(names))]
    columns = [_column(name, of_it) for name, of_it in zip(names, cells, strict=True)]
    columns = with_values(columns, map(_values, cells))
    oddities = [f"it has {number - 1} rows above its header"] if number > 1 else []
    if len(filled) - at - 1 != filled[-1][0] - number:
        oddities.append("it has empty rows between its rows")
    shown = [_line(row, names) for _, row in filled[:SHOWN_ROWS]]
    return {"shown": shown, "csv": _facts(columns, len(below), oddities) | {"skip_lines": number - 1}}


def _facts(columns: list[dict[str, Any]], rows: int, oddities: list[str]) -> dict[str, Any]:
    marks = {"delimiter": "", "decimal": ".", "thousands": ""}
    return {**marks, "columns": columns, "rows": rows, "odd_rows": 0, "oddities": oddities}


def _named(row: tuple[Any, ...]) -> list[str]:
    names = ["" if one is None else str(one).strip() for one in row]
    while names and not names[-1]:
        names.pop()
    return names


def _column(name: str, cells: list[Any]) -> dict[str, Any]:
    kinds = Counter(_kind(cell) for cell in cells if cell is not None)
    kind = "empty" if not kinds else next(iter(kinds)) if len(kinds) == 1 else "text"
    found: dict[str, Any] = {"name": name, "kind": kind, "empty": len(cells) - kinds.total()}
    codes = [cell for cell in cells if cell is not None] if set(kinds) == {"text"} else []
    if codes and all(isinstance(one, str) and one.isdigit() and len(one) == len(codes[0]) > 1 for one in codes):
        found["digits"] = len(codes[0])
        found["kind"] = f"code of {len(codes[0])} digits" if any(one[0] == "0" for one in codes) else kind
    if kind == "date":
        days = [_moment(cell) for cell in cells if cell is not None]
        found |= {"dates": ["excel"], "ends": [min(days).isoformat(), max(days).isoformat()]}
    return found


def _values(cells: Iterable[Any]) -> FewValues:
    found = FewValues()
    for cell in cells:
        if isinstance(cell, str):
            found.note(cell.strip())
    return found


def _moment(cell: date) -> datetime:
    moment = cell if isinstance(cell, datetime) else datetime(cell.year, cell.month, cell.day)
    return moment.replace(tzinfo=moment.tzinfo or UTC)


def _typed(connection: Any, quoted: str, name: str, kind: str) -> dict[str, Any]:
    """A column of a Parquet file; of dates and times also the first and the last."""
    column = '"' + name.replace('"', '""') + '"'
    empty = connection.execute(f"SELECT count(*) - count({column}) FROM read_parquet({quoted})").fetchone()[0]
    found: dict[str, Any] = {"name": name, "kind": kind, "empty": int(empty)}
    if kind == "DATE" or kind.startswith("TIMESTAMP"):
        asked = f"SELECT epoch(min({column})), epoch(max({column})) FROM read_parquet({quoted})"
        ends = [one for one in connection.execute(asked).fetchone() if one is not None]
        if ends:
            found |= {"dates": [kind], "ends": [datetime.fromtimestamp(one, UTC).isoformat() for one in ends]}
    return found


def _few_of(connection: Any, quoted: str, described: dict[str, Any]) -> FewValues:
    if described["kind"] != "VARCHAR":
        return FewValues()
    column = '"' + described["name"].replace('"', '""') + '"'
    asked = f"SELECT DISTINCT {column} FROM read_parquet({quoted}) WHERE {column} IS NOT NULL LIMIT {MOST + 1}"
    return _values(one for (one,) in connection.execute(asked).fetchall())


def _kind(cell: Any) -> str:
    if isinstance(cell, datetime | date):
        return "date"
    return "number" if isinstance(cell, int | float) and not isinstance(cell, bool) else "text"


def _line(row: Any, names: list[str]) -> str:
    """A row to be shown, without texts in columns of secrets."""
    secret = {place for place, name in enumerate(names) if names_a_secret(name)}
    hidden = (isinstance(one, str) and place in secret and not names_a_secret(one) for place, one in enumerate(row))
    shown = ("" if one is None else MASK if hide else str(one) for one, hide in zip(row, hidden, strict=True))
    return " | ".join(shown)
