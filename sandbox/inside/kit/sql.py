"""Questions in SQL to a table's rows, at duckdb's speed and by the kit's rules.

A plain CSV file is read by duckdb itself (plain_csv.py). Of everything else the kit reads the rows one by one and hands
them on in one form that needs no reading skill. Rows that are needed more than once are kept: most scripts ask several
questions, and check_steady's reads the table many times.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .rewritten import AnyTable, Rows, name_in_sql, rewritten, text_in_sql

KEPT_BYTES = 500_000_000  # of a file whose rows are kept, in memory or on the box's disk; a larger one is read again
KEPT = "kept"  # the table of rows that are
Plain = Callable[[Any, Any, Sequence[str]], Rows | None]
_READS = re.compile(r"\brows\b", re.IGNORECASE)


@dataclass
class _Opened:
    """A file that was asked, with its answers' rows."""

    file: AnyTable
    numbers: Sequence[str]
    connection: Any
    rows: Rows
    was_asked: bool = False

    def answers(self, sql: str) -> list[tuple[Any, ...]]:
        if self.rows.source != KEPT and (self.was_asked or len(_READS.findall(sql)) > 1):
            keep(self.connection, self.rows)
            self._show(KEPT)
        elif not self.was_asked:
            self._show(self.rows.source)
        self.was_asked = True
        self.connection.begin()
        try:
            answers: list[tuple[Any, ...]] = self.connection.execute(sql).fetchall()
            return answers
        finally:
            self.connection.rollback()  # a question leaves nothing behind for the next

    def _show(self, source: str) -> None:
        """As the table `rows`, each column under its name, and under its role where it has one."""
        names = self.file.names
        columns = ", ".join(f"{name_in_sql(names[at])} AS {name_in_sql(name)}" for name, at in self.file.places.items())
        self.connection.execute(f"CREATE OR REPLACE TEMP VIEW rows AS SELECT {columns} FROM {source}")


_opened: list[_Opened] = []  # the last, so that the memory that kept rows take does not grow with the files


def query(file: AnyTable, sql: str, numbers: Sequence[str], plain: Plain | None = None) -> list[tuple[Any, ...]]:
    """Answers of `sql`, which speaks of the table `rows`: columns by name, `numbers` as exact decimals, others text.

    `plain` may read the file as it is; where it gives None, the file's rows are read one by one.
    """
    if not (_opened and _opened[0].file is file and _opened[0].numbers == list(numbers)):
        close()
        _opened.append(_open(file, numbers, plain))
    file.rows, file.span = _opened[0].rows.count, _opened[0].rows.span
    return _opened[0].answers(sql)


def close() -> None:
    """Lets the rows go that were kept."""
    while _opened:
        _opened.pop().connection.close()


def _open(file: AnyTable, numbers: Sequence[str], plain: Plain | None) -> _Opened:
    if plain is not None:
        connection = connected()
        try:
            if (rows := plain(connection, file, numbers)) is not None:
                return _Opened(file, list(numbers), connection, rows)
        except BaseException:
            connection.close()
            raise
        connection.close()
    rows = rewritten(file, numbers, scratch() / f"{file.name}.rows")
    return _Opened(file, list(numbers), connected(), rows)


def keep(connection: Any, rows: Rows) -> None:
    """As a table, unless it is too large, or there is no room for it."""
    error = importlib.import_module("duckdb").Error
    for kind in ("TABLE", "VIEW"):
        with suppress(error):
            connection.execute(f"DROP {kind} IF EXISTS {KEPT}")
    if rows.size_bytes <= KEPT_BYTES:
        with suppress(error):
            connection.execute(f"CREATE TEMP TABLE {KEPT} AS SELECT * FROM {rows.source}")
            return
    connection.execute(f"CREATE TEMP VIEW {KEPT} AS SELECT * FROM {rows.source}")


@contextmanager
def database() -> Iterator[Any]:
    connection = connected()
    try:
        yield connection
    finally:
        connection.close()


def connected() -> Any:
    """In half of the box's memory; what does not fit spills to its disk."""
    memory_mb, threads = int(os.environ.get("BOX_MEMORY_MB", "1024")), int(os.environ.get("BOX_THREADS", "2"))
    connection = importlib.import_module("duckdb").connect(":memory:")
    connection.execute(f"SET memory_limit = '{max(128, memory_mb // 2)}MB'")
    connection.execute("SET enable_progress_bar = false")  # it would be taken for the script's words
    connection.execute(f"SET threads = {threads}")
    connection.execute("SET TimeZone = 'UTC'")  # the same days wherever a script runs
    connection.execute(f"SET temp_directory = {text_in_sql(str(scratch() / 'spill'))}")
    return connection


def scratch() -> Path:
    folder = Path("scratch").absolute()
    folder.mkdir(exist_ok=True)
    return folder
