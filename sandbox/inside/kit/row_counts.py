"""Tables and logs that have no rows at all, and tables that end exactly where some program can hold no more."""

from __future__ import annotations

from .surprise import Surprise

# Rows of .xls and .xlsx sheets, with and without a header; a table of another program's cap is not known to us.
CAPS = frozenset({65_535, 65_536, 1_048_575, 1_048_576})


def refuse_empty(file: str, rows: int, is_admitted: bool, what: str = "rows") -> None:
    """Raises Surprise EmptyFile for none, unless `is_admitted`: nothing that comes out of it would be a finding."""
    if not rows and not is_admitted:
        raise Surprise(
            "EmptyFile",
            f"{file} has no {what}",
            seen=f"0 {what}",
            expected=f"{what} (the reader parameter empty = true admits a file without)",
            file=file,
        )


def refuse_row_cap(file: str, rows: int, is_admitted: bool) -> None:
    """Raises Surprise RowCap unless `is_admitted`."""
    if rows in CAPS and not is_admitted:
        raise Surprise(
            "RowCap",
            f"{file} has {rows:,} rows, exactly as many as a sheet can hold, so more may have been cut off",
            seen=rows,
            expected="another number of rows (the reader parameter row_cap = true admits it)",
            file=file,
        )
