"""A table's dialect and where its header is, found from its first lines without trusting any single row."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kit.cells import BadQuotes, Dialect, in_other_quotes
from kit.numbers import exact_number
from kit.stamps import STAMPS

DELIMITERS = (",", ";", "\t", "|", ", ", "; ", "||")
_LAST_RESORT = (" ",)  # words stand between spaces as well, so it is tried only where nothing else fits
_QUOTES = (('"', ""), ('"', "\\"), ("'", ""))
HEAD_ROWS = 200
PREAMBLE_LINES = 20
RECORD_LINES = 50
SAME = 0.95  # share of the first rows that must be as wide as the header
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}([T ]\d\d:\d\d.*)?")


@dataclass(frozen=True)
class Found:
    dialect: Dialect
    width: int
    skip_lines: int = 0  # lines of a preamble above the header
    rival: str = ""  # another delimiter that would fit as well


def find_dialect(head: list[str]) -> Found | None:
    """The dialect under which all first rows are as wide as a real header, at least two columns; None if none is.

    Delimiters are tried before other quotes, and the first line as header before lines further down.
    """
    for delimiters in (DELIMITERS, _LAST_RESORT):
        for skip in range(min(PREAMBLE_LINES, max(len(head) - 1, 1))):
            # A header alone is a table where its place and delimiter are the usual ones, and prose otherwise.
            rows = 3 if skip or delimiters is _LAST_RESORT else 1
            for quote, escape in _QUOTES:
                found = _widest(head[skip:], [Dialect(one, quote, escape) for one in delimiters], rows)
                if found is not None:
                    return Found(found.dialect, found.width, skip, found.rival)
    return None


def _widest(head: list[str], dialects: list[Dialect], least_rows: int) -> Found | None:
    """Among equals the longer delimiter: where commas always have a space behind them, the space belongs to them."""
    widths = [(agreed_width(head, one, least_rows), len(one.delimiter), one) for one in dialects]
    fitting = sorted((one for one in widths if one[0] >= 2), key=lambda one: one[:2], reverse=True)
    if not fitting:
        return None
    width, _, best = fitting[0]
    rivals = [one.delimiter for _, _, one in fitting[1:] if one.delimiter.strip() != best.delimiter.strip()]
    return Found(best, width, rival=rivals[0] if rivals else "")


def agreed_width(head: list[str], dialect: Dialect, least_rows: int = 1) -> int:
    """Width of the header if it is one and nearly every first row has it, else 0."""
    rows = _rows(head, dialect)
    if not rows or not is_header(rows[0]):
        return 0
    if dialect.quote != '"' and any(in_other_quotes(cell, '"') for cell in rows[0]):
        return 0
    width = len(rows[0])
    same = sum(1 for row in rows if len(row) == width)
    return width if same >= max(len(rows) * SAME, least_rows) else 0


def _rows(head: list[str], dialect: Dialect) -> list[list[str]]:
    """Records of the head; one that cannot be split counts as a row without cells. The last may be cut by the head."""
    rows: list[list[str]] = []
    pending: list[str] = []
    for line in head[: HEAD_ROWS * 2]:
        if not line and not pending:
            continue
        pending.append(line)
        try:
            cells = dialect.split("\n".join(pending))
        except BadQuotes:
            cells = []
        if cells is None and len(pending) < RECORD_LINES:
            continue
        rows.append(cells or [])
        pending = []
        if len(rows) == 1 and not is_header(rows[0]):
            return []
        if len(rows) == HEAD_ROWS:
            break
    return rows


def is_header(cells: list[str]) -> bool:
    """Names, each once: no numbers, no dates, none empty or with signs that cannot be shown."""
    names = [cell.strip() for cell in cells]
    numbers = any(exact_number(name) is not None or exact_number(name, decimal=",") is not None for name in names)
    stamps = any(stamp.pattern.match(name) for stamp in STAMPS for name in names) or any(map(is_date, names))
    if len(names) > 2:  # what a program writes above its row numbers, or behind a last delimiter
        names = names[1:] if not names[0] else names[:-1] if not names[-1] else names
    shown = all(name.isprintable() and name and len(name) <= 200 for name in names)
    return shown and len(set(names)) == len(names) and not numbers and not stamps


def is_date(text: str) -> bool:
    return _DATE.fullmatch(text) is not None
