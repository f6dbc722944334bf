"""Drifts of a table's form: its delimiter, its marks, its header, and rows that are no entries."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from decimal import Decimal

from .drift import CSV, Aim, DoesNotFit, FileChange, Need, keeping, losing
from .table import NUMBER, Table, on_cells, on_table


def _delimiter(mark: str) -> FileChange:
    def changed(table: Table, _aim: Aim) -> bytes:
        table.delimiter = mark if table.delimiter != mark else ","
        return table.written()

    return on_table(changed)


def _decimal_comma(table: Table, aim: Aim) -> bytes:
    old, new = (".", ",") if table.decimal == "." else (",", ".")
    marked = re.compile(rf"[-+]?[0-9]+{re.escape(old)}[0-9]+")
    changed = [[cell.replace(old, new) if marked.fullmatch(cell) else cell for cell in row] for row in table.rows]
    if changed == table.rows:
        raise DoesNotFit(f"{aim.name} has no decimal number")
    table.rows = changed
    return table.written()


def _grouped(mark: str) -> FileChange:
    """Every number of four digits and more, with a thousands mark."""

    def cell_with(cell: str, decimal: str) -> str:
        if not NUMBER.fullmatch(cell):
            return cell
        whole, point, rest = cell.partition(decimal)
        sign = whole[:1] if whole[:1] in "+-" else ""
        return (
            f"{sign}{int(whole):,}".replace("-", "").replace(",", mark) + point + rest
            if abs(int(whole)) >= 1000
            else cell
        )

    def changed(table: Table, _aim: Aim) -> bytes:
        numbers = set(table.numbers())
        for row in table.body:
            for place in numbers:
                row[place] = cell_with(row[place], table.decimal)
        return table.written()

    return on_table(changed)


def _header(change: Callable[[Table, Aim], None]) -> FileChange:
    def changed(table: Table, aim: Aim) -> bytes:
        change(table, aim)
        return table.written()

    return on_table(changed)


def _renamed(table: Table, aim: Aim) -> None:
    """A column of numbers where there is one, since those are what a report adds up."""
    place = table.aimed(table.numbers() or range(len(table.header)), aim)
    table.header[place] = f"{table.header[place].replace('_', ' ').title()} (new)"


def _capitals(table: Table, aim: Aim) -> None:
    place = table.aimed(range(len(table.header)), aim)
    name = table.header[place]
    table.header[place] = name.upper() if name != name.upper() else name.lower()


def _moved(table: Table, _aim: Aim) -> None:
    if len(table.header) < 2:
        raise DoesNotFit("one column cannot move")
    table.rows = [[*row[1:], row[0]] for row in table.rows]


def _added(table: Table, _aim: Aim) -> None:
    place = max(1, len(table.header) // 2)
    table.rows = [[*row[:place], "status" if not at else "7", *row[place:]] for at, row in enumerate(table.rows)]


def _dropped(table: Table, aim: Aim) -> None:
    place = table.aimed(range(len(table.header)), aim)
    table.rows = [[cell for at, cell in enumerate(row) if at != place] for row in table.rows]


def _doubled(table: Table, aim: Aim) -> None:
    """A second column of a used name, empty, at the end."""
    place = table.aimed(range(len(table.header)), aim)
    table.rows = [[*row, table.header[place] if not at else ""] for at, row in enumerate(table.rows)]


def _lost(table: Table, _aim: Aim) -> None:
    table.rows = table.body


def _swapped_names(table: Table, aim: Aim) -> None:
    """Two columns of numbers changed places, and their names stayed."""
    numbers = table.numbers()
    if len(numbers) < 2:
        raise DoesNotFit("there are not two columns of numbers")
    first = table.aimed(numbers, aim)
    second = next(place for place in numbers if place != first)
    for row in table.body:
        row[first], row[second] = row[second], row[first]


def _units_row(table: Table, _aim: Aim) -> None:
    numbers = set(table.numbers())
    table.rows.insert(1, ["[unit]" if place in numbers else "" for place in range(len(table.header))])


def _repeated(table: Table, aim: Aim) -> None:
    table.rows.insert(aim.chance.randrange(2, len(table.rows) + 1), list(table.header))


def _total(table: Table, _aim: Aim) -> None:
    """Sums of all columns of numbers, under a word in the first column that has none."""
    numbers = table.numbers()
    sums = {at: sum(Decimal(row[at].replace(",", ".")) for row in table.body if row[at]) for at in numbers}
    free = next((at for at in range(len(table.header)) if at not in sums), -1)
    if free < 0:
        raise DoesNotFit("there is no column for the word")
    table.rows.append(
        [
            "Total" if at == free else str(sums[at]).replace(".", table.decimal) if at in sums else ""
            for at in range(len(table.header))
        ]
    )


def _above(text: str) -> FileChange:
    return lambda data, _aim: text.encode() + data


def _below(text: Callable[[Table], str]) -> FileChange:
    return on_table(lambda table, _aim: table.written() + text(table).encode())


def _second_table(table: Table) -> str:
    return (
        "\n" + "\n".join(table.delimiter.join(row[:2]) for row in (["group", "count"], ["a", "3"], ["b", "5"])) + "\n"
    )


def _row(change: Callable[[str, str], str]) -> FileChange:
    """One row below the header as written, changed."""

    def changed(table: Table, aim: Aim) -> bytes:
        lines = table.written().decode().splitlines(keepends=True)
        place = aim.chance.randrange(1, len(lines))
        lines[place] = change(lines[place], table.delimiter)
        return "".join(lines).encode()

    return on_table(changed)


def _rows_quoted(table: Table, aim: Aim) -> bytes:
    lines = table.written().decode().splitlines()
    for place in aim.chance.sample(range(1, len(lines)), max(1, len(lines) // 10)):
        lines[place] = '"' + lines[place].replace('"', '""') + '"'
    return ("\n".join(lines) + "\n").encode()


def _trailing_delimiter(table: Table, _aim: Aim) -> bytes:
    head, *rest = table.written().decode().splitlines()
    return ("\n".join([head, *(line + table.delimiter for line in rest)]) + "\n").encode()


def _header_only(table: Table, _aim: Aim) -> bytes:
    table.rows = [table.header]
    return table.written()


_keeps, _loses = keeping(CSV), losing(CSV)
TABLE_DRIFTS = (
    _keeps("delimiter-changed", "columns were separated by another mark", _delimiter(";")),
    _keeps("delimiter-tab", "columns were separated by tabs", _delimiter("\t")),
    _keeps("decimal-comma", "numbers were written with a decimal comma", on_table(_decimal_comma), Need.DECIMALS),
    _keeps("thousands-comma", "numbers got commas between thousands", _grouped(","), Need.NUMBERS),
    _keeps("thousands-narrow-space", "numbers got narrow spaces between thousands", _grouped("\u202f"), Need.NUMBERS),
    _keeps(
        "currency-mark",
        "a currency was written before each amount",
        on_cells("numbers", lambda cell: f"kr {cell}"),
        Need.NUMBERS,
    ),
    _keeps(
        "percent-mark",
        "a percent sign was written behind each number",
        on_cells("numbers", lambda cell: f"{cell} %"),
        Need.NUMBERS,
    ),
    _keeps(
        "all-quoted", "every cell was put in quotes", on_table(lambda table, _aim: table.written(quoting=csv.QUOTE_ALL))
    ),
    _keeps(
        "spaces-around",
        "a space was put after each separator",
        on_table(lambda table, _aim: table.written().replace(table.delimiter.encode(), f"{table.delimiter} ".encode())),
    ),
    _loses("column-renamed", "a column of numbers got another name", _header(_renamed)),
    _keeps("column-capitals", "a column's name was written in capitals", _header(_capitals)),
    _keeps("column-moved", "columns came in another order", _header(_moved)),
    _keeps("column-added", "a new column stood in the middle", _header(_added)),
    _loses("column-dropped", "a column was missing", _header(_dropped)),
    _loses("column-doubled", "a column's name stood there twice", _header(_doubled)),
    _loses("columns-swapped", "the values of two columns were swapped", _header(_swapped_names), Need.NUMBERS),
    _loses("header-missing", "the header was missing", _header(_lost)),
    _keeps(
        "preamble",
        "a title and a date stood above the table",
        _above("Weekly export\nCreated 2026-09-07 by the report service\n\n"),
    ),
    _keeps("units-row", "a row of units stood below the header", _header(_units_row), Need.NUMBERS),
    _keeps("header-repeated", "the header was repeated among the rows", _header(_repeated)),
    _keeps("total-row", "a row of totals stood at the end", _header(_total), Need.NUMBERS),
    _keeps(
        "footer",
        "a line about the export stood at the end",
        _below(lambda table: f"Exported by the report service, {len(table.body)} rows\n"),
    ),
    _keeps("second-table", "a second table stood below the first", _below(_second_table)),
    _loses("ragged-row", "a row lacked a cell", _row(lambda line, mark: line.replace(mark, "", 1))),
    _loses(
        "stray-quote",
        "a quote without an end stood in a row",
        _row(lambda line, mark: line.replace(mark, f'{mark}"', 1)),
    ),
    _loses("rows-quoted", "some rows were put in quotes as a whole", on_table(_rows_quoted)),
    _keeps("trailing-delimiter", "each row ended in one more separator", on_table(_trailing_delimiter)),
    _keeps(
        "line-break-in-cell",
        "a cell held a line break",
        on_cells("texts", lambda cell: f"{cell}\n(see note)", 0.02),
        Need.TEXTS,
    ),
    _loses("header-only", "a table came with its header and no rows", on_table(_header_only)),
)
