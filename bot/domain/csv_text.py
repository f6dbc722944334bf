"""A table as CSV that no spreadsheet takes for formulas."""

import csv
import io
import re

from bot.domain.views import Table

# What a spreadsheet reads as a number and nothing else, also behind a sign.
PLAIN = re.compile(r"[-+]?[0-9][0-9.,]*(?:e[-+]?[0-9]+)? ?%?")
# Controls, and characters that hide or turn round what follows; line breaks and tabs stay.
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")

# Where a cell begins for one spreadsheet or another, whichever of these it takes for the delimiter, and what is in it.
_CELL = re.compile(rb"(?m)(?:^|(?<=[,;\t|\r]))(\"?)([=+@-][^,;\t|\"\r\n]*)")


def as_delivered(name: str, data: bytes) -> bytes:
    """A script's own file as it is sent: in a table as text, a cell that looks like a formula gets its apostrophe.

    What stands behind any usual delimiter counts as a cell, because the reader's spreadsheet chooses which one splits.
    """
    if not name.lower().endswith((".csv", ".tsv")):
        return data
    return _CELL.sub(lambda cell: cell[0] if _is_plain(cell[2]) else cell[1] + b"'" + cell[2], data)


def _is_plain(cell: bytes) -> bool:
    return PLAIN.fullmatch(cell.decode("utf-8", "replace").strip()) is not None


def csv_file(table: Table, number: int) -> tuple[str, bytes]:
    """Name and bytes of the whole table; a cell that looks like a formula begins with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([safe(name) for name in table.columns])
    writer.writerows([safe(cell) for cell in row] for row in table.rows)
    stem = re.sub(r"[^a-z0-9]+", "-", table.title.lower()).strip("-")[:60] or f"table-{number}"
    return f"{stem}.csv", out.getvalue().encode("utf-8", "replace")


def safe(cell: str) -> str:
    """A cell without what cannot be seen, and without what a spreadsheet would carry out."""
    cell = _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", cell.replace("\r\n", "\n"))
    is_formula = cell[:1] in ("=", "+", "-", "@", "\t", "\n") and not PLAIN.fullmatch(cell)
    return f"'{cell}" if is_formula else cell
