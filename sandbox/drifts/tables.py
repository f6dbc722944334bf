"""Drifts of tables: the header, the delimiter, the decimal mark."""

from __future__ import annotations

import csv
import io
import random
import re

from .drift import CSV, DoesNotFit, Drift, Drifted

_DECIMAL = re.compile(r"[-+]?[0-9]+\.[0-9]+")
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
_DELIMITERS = (",", ";", "\t", "|")


def _column_renamed(name: str, data: bytes, seed: int) -> Drifted:
    """A column of numbers, since those are what a report adds up; chosen by the seed."""
    rows, delimiter = _table(name, data)
    numbers = [n for n, cell in enumerate(rows[1]) if _NUMBER.fullmatch(cell)] or list(range(len(rows[0])))
    column = random.Random(seed).choice(numbers)
    rows[0][column] = f"{rows[0][column].replace('_', ' ').title()} (new)"
    return name, _written(rows, delimiter)


def _delimiter_changed(name: str, data: bytes, _seed: int) -> Drifted:
    rows, delimiter = _table(name, data)
    return name, _written(rows, "," if delimiter == ";" else ";")


def _decimal_comma(name: str, data: bytes, _seed: int) -> Drifted:
    rows, delimiter = _table(name, data)
    changed = [[cell.replace(".", ",") if _DECIMAL.fullmatch(cell) else cell for cell in row] for row in rows]
    if changed == rows:
        raise DoesNotFit(f"{name} has no decimal number")
    return name, _written(changed, delimiter)


def _table(name: str, data: bytes) -> tuple[list[list[str]], str]:
    text = data.decode("utf-8")
    head = text.split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=head.count)
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    if len(rows) < 2:
        raise DoesNotFit(f"{name} has no rows")
    return rows, delimiter


def _written(rows: list[list[str]], delimiter: str) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


TABLE_DRIFTS = (
    Drift("column-renamed", "a column of numbers got another name", (CSV,), False, _column_renamed),
    Drift("delimiter-changed", "columns were separated by another mark", (CSV,), True, _delimiter_changed),
    Drift("decimal-comma", "numbers were written with a decimal comma", (CSV,), True, _decimal_comma),
)
