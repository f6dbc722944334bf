"""When a row of a table was, in SQL: the same question whatever kind of file the table is in."""

from __future__ import annotations

from typing import Any

from .documents import JsonFile
from .rewritten import name_in_sql, text_in_sql
from .tables import CsvFile

MILLISECONDS = 13  # digits of a time since 1970 that counts them; one of seconds has ten


def moment_in_sql(rows: Any) -> str:
    """A TIMESTAMP by the reader's `dated` column, for questions to `rows.sql`; NULL where that says nothing.

    Text of a CSV has the layout agreed for it, JSON has times in ISO form or since 1970, other kinds have dates.
    """
    if not rows.dated:
        return "CAST(NULL AS TIMESTAMP)"
    cell = name_in_sql(rows.dated)
    if isinstance(rows, CsvFile):
        return f"try_strptime({cell}, {text_in_sql(rows.reader.layout(rows.dated))})"
    if isinstance(rows, JsonFile):
        since_1970 = f"TRY_CAST({cell} AS DOUBLE) * CASE length({cell}) WHEN {MILLISECONDS} THEN 1 ELSE 1000 END"
        iso = f"TRY_CAST(replace({cell}, ',', '.') AS TIMESTAMP)"
        return f"coalesce({iso}, epoch_ms(CAST({since_1970} AS BIGINT)))"
    return f"TRY_CAST({cell} AS TIMESTAMP)"
