"""Drifts of a Parquet file's columns and rows. They need duckdb, which boxes have."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from .drift import PARQUET, Aim, DoesNotFit, FileChange, keeping, losing

_NUMBERS = ("DOUBLE", "FLOAT", "DECIMAL", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UINTEGER", "UBIGINT")
Types = Mapping[str, str]  # column -> its type


def _on_rows(question: Callable[[Types, Aim], str]) -> FileChange:
    """`question` is SQL over the table `rows`, whose answer is the file afterwards."""

    def changed(data: bytes, aim: Aim) -> bytes:
        duckdb = importlib.import_module("duckdb")
        with tempfile.TemporaryDirectory() as folder:
            before, after = Path(folder, "before"), Path(folder, "after")
            before.write_bytes(data)
            # One thread: rows keep their order, and whoever forks later has no other threads.
            with duckdb.connect(config={"threads": 1}) as connection:
                try:
                    connection.execute(f"CREATE VIEW rows AS FROM read_parquet('{before}')")
                    types = {str(one[0]): str(one[1]) for one in connection.execute("DESCRIBE rows").fetchall()}
                    connection.execute(f"COPY ({question(types, aim)}) TO '{after}' (FORMAT parquet)")
                except duckdb.Error as error:
                    raise DoesNotFit(f"{aim.name} is no Parquet file that can be changed so") from error
            return after.read_bytes()

    return changed


def _column(types: Types, aim: Aim, kinds: tuple[str, ...] = ()) -> str:
    """Quoted; one of these kinds, and one that the plan speaks of if it speaks of any. Raises DoesNotFit."""
    spoken = [name for name, kind in types.items() if not kinds or kind.startswith(kinds)]
    chosen = [name for name in spoken if not aim.columns or name in aim.columns]
    if not chosen:
        raise DoesNotFit(f"{aim.name} has no such column that the plan speaks of")
    return '"' + aim.chance.choice(chosen).replace('"', '""') + '"'


def _on_numbers(cell: str) -> FileChange:
    """A column of numbers, each changed; in `cell` it is {0} and its own type {1}."""

    def question(types: Types, aim: Aim) -> str:
        column = _column(types, aim, _NUMBERS)
        kind = types[column[1:-1].replace('""', '"')]
        return f"SELECT * REPLACE ({cell.format(column, kind)} AS {column}) FROM rows"

    return _on_rows(question)


def _renamed(types: Types, aim: Aim) -> str:
    column = _column(types, aim)
    return f'SELECT * RENAME ({column} AS "{column[1:-1]} (new)") FROM rows'


def _dropped(types: Types, aim: Aim) -> str:
    if len(types) < 2:
        raise DoesNotFit("one column cannot go")
    return f"SELECT * EXCLUDE ({_column(types, aim)}) FROM rows"


def _nulls(types: Types, aim: Aim) -> str:
    """In one row of twenty."""
    column, place = _column(types, aim, _NUMBERS), aim.chance.randrange(20)
    nulled = f"CASE WHEN row_number() OVER () % 20 <> {place} THEN {column} END"
    return f"SELECT * REPLACE ({nulled} AS {column}) FROM rows"


def _same(sql: str) -> Callable[[Types, Aim], str]:
    return lambda _types, _aim: sql


def _cut(data: bytes, _aim: Aim) -> bytes:
    return data[: len(data) * 6 // 10]


_keeps, _loses = keeping(PARQUET), losing(PARQUET)
PARQUET_DRIFTS = (
    _keeps("typed-numbers-as-text", "a typed column of numbers became text", _on_numbers("CAST({0} AS VARCHAR)")),
    _loses("typed-column-renamed", "a typed column got another name", _on_rows(_renamed)),
    _loses("typed-column-dropped", "a typed column was missing", _on_rows(_dropped)),
    _loses("typed-nulls", "some numbers of a typed column were missing", _on_rows(_nulls)),
    _loses(
        "typed-unit-changed",
        "a typed column came in a unit a thousand times smaller",
        _on_numbers("CAST({0} * 1000 AS {1})"),
    ),
    _loses(
        "typed-rows-twice", "each row of a typed table came twice", _on_rows(_same("FROM rows UNION ALL FROM rows"))
    ),
    _loses(
        "typed-first-page",
        "only the first page of a typed table came, a fifth of it",
        _on_rows(_same("FROM rows LIMIT (SELECT greatest(1, count(*) // 5) FROM rows)")),
    ),
    _loses("typed-cut", "a Parquet file was cut off in the middle", _cut),
)
