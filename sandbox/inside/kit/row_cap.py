"""Tables that end exactly where some program can hold no more rows."""

from __future__ import annotations

from .surprise import Surprise

# Rows of .xls and .xlsx sheets, with and without a header; a table of another program's cap is not known to us.
CAPS = frozenset({65_535, 65_536, 1_048_575, 1_048_576})


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
