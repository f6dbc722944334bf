"""Columns of a Parquet file, which have names and types of their own: both must be the agreed ones."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from .csv_reader import difference
from .given import Input, reader_for
from .rewritten import WIDE, name_in_sql, text_in_sql
from .row_counts import refuse_empty
from .sql import database
from .state import current
from .surprise import Surprise
from .totals import LIKE_A_TOTAL, adds_up, is_total
from .window import Span

_RAISED = ("OddParquet", "OddHeader", "OddType", "OddNumber", "TotalRow", "EmptyFile")
SUSPECTS = 10_000  # rows that may be totals, which are looked at
_FLOATS = ("DOUBLE", "FLOAT")
_EXACT = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")


@dataclass(frozen=True)
class ParquetReader:
    """How to read one Parquet file, as plan.toml has it."""

    types: Mapping[str, str]  # column -> its type in duckdb's words, such as VARCHAR or DECIMAL(18,2), in order
    columns: Mapping[str, str] = field(default_factory=dict)  # role in the script -> name of the column
    dated: str = ""  # the column of dates or times that says when each entry was; "" if none does
    units: Mapping[str, Sequence[str]] = field(
        default_factory=dict
    )  # column of currencies or units -> those it may have
    totals: str = "refuse"  # rows that add up others: or keep
    empty: bool = False  # whether it may have no rows


@dataclass
class ParquetFile:
    """Ask it in SQL. Raises the Surprises of _RAISED."""

    source: Input
    reader: ParquetReader
    rows: int = 0
    span: Span | None = None  # after sql()

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def names(self) -> Sequence[str]:
        return list(self.reader.types)

    @property
    def dated(self) -> str:
        return self.reader.dated

    def sql(self, question: str, numbers: Sequence[str] = ()) -> list[tuple[Any, ...]]:
        """Rows of an answer to SQL over the table `rows`; columns have their own names and those of their roles.

        Floats among `numbers` are the shortest decimals that stand for them, as people see them. Other roles are text,
        as in every kind of file, and columns by their own names have the file's own types.
        """
        for name in _RAISED:
            current().note_check(name, self.name)
        source = f"read_parquet({text_in_sql(str(self.source.path))})"
        with database() as connection:
            try:
                seen = {str(row[0]): str(row[1]) for row in connection.execute(f"DESCRIBE FROM {source}").fetchall()}
                self._check_types(seen)
                columns = ", ".join(self._columns(connection, source, numbers))
                connection.execute(f"CREATE VIEW rows AS SELECT {columns} FROM {source}")
                self._look(connection, numbers)
            except importlib.import_module("duckdb").Error as error:
                raise self._odd("OddParquet", "is no Parquet file that can be read", error, "Parquet") from error
            answers: list[tuple[Any, ...]] = connection.execute(question).fetchall()
            return answers

    def _columns(self, connection: Any, source: str, numbers: Sequence[str]) -> Iterator[str]:
        """Each under its name, and under its role where it has one."""
        roles = {**{name: name for name in self.reader.types}, **self.reader.columns}
        wanted = {roles[name] for name in numbers}
        numbered = {name: self._cell(connection, source, name) for name in wanted}
        for role, name in roles.items():
            text = f"coalesce(CAST({name_in_sql(name)} AS VARCHAR), '')"
            plain = text if role in self.reader.columns else name_in_sql(name)
            yield f"{numbered.get(name, plain)} AS {name_in_sql(role)}"

    def _cell(self, connection: Any, source: str, name: str) -> str:
        """A number column as exact decimals. Raises Surprise OddNumber."""
        cell, kind = name_in_sql(name), self.reader.types[name]
        if kind in _EXACT or kind.startswith("DECIMAL"):
            return cell
        if kind not in _FLOATS:
            raise self._odd("OddNumber", f"has {name} as {kind}, which is no number", kind, "numbers")
        text = f"CAST({cell} AS VARCHAR)"
        plain, power = f"split_part({text}, 'e', 1)", f"coalesce(TRY_CAST(split_part({text}, 'e', 2) AS INTEGER), 0)"
        behind = f"CASE WHEN contains({plain}, '.') THEN length({plain}) - instr({plain}, '.') ELSE 0 END - {power}"
        asked = f"max(length(split_part({plain}, '.', 1)) + greatest({power}, 0)), max(greatest({behind}, 0))"
        odd = f"count(*) FILTER (WHERE NOT isfinite({cell}))"
        before, most, odds = connection.execute(f"SELECT {asked}, {odd} FROM {source}").fetchone()
        if odds:
            raise self._odd("OddNumber", f"has {odds:,} cells of {name} that are no number", odds, "numbers")
        if (before or 0) + (most or 0) > WIDE:
            seen = f"{before} digits before the mark and {most} behind it"
            words = f"has numbers of {seen} in {name}"
            raise self._odd("OddNumber", words, seen, f"at most {WIDE} digits, which are computed exactly")
        return f"CAST({text} AS DECIMAL({WIDE}, {most or 0}))"

    def _look(self, connection: Any, numbers: Sequence[str]) -> None:
        """How many rows, from when to when, and whether the last adds up the others."""
        moment = name_in_sql(self.reader.dated) if self.reader.dated else "NULL"
        ends = ", ".join(f"epoch({which}({moment}))" if self.reader.dated else "NULL" for which in ("min", "max"))
        cells = [name_in_sql(name) for name in numbers]
        sums = "".join(f", sum({cell})" for cell in cells)
        count, first, last, *totals = connection.execute(f"SELECT count(*), {ends}{sums} FROM rows").fetchone()
        self.rows = int(count)
        refuse_empty(self.name, self.rows, self.reader.empty)
        if first is not None:
            self.span = Span(*(datetime.fromtimestamp(one, UTC) for one in (first, last)))
        if self.reader.totals != "keep":
            self._refuse_totals(connection)
        if cells and self.rows and self.reader.totals != "keep":
            row = connection.execute(f"SELECT {', '.join(cells)} FROM rows OFFSET {self.rows - 1}").fetchone()
            exact = [[None if one is None else Decimal(one) for one in ones] for ones in (row, totals)]
            if adds_up(exact[0], [one or Decimal(0) for one in exact[1]], self.rows):
                words = "has a last row that is the sum of all rows above it: a total, not an entry"
                raise self._odd("TotalRow", words, row, "entries", "totals")

    def _refuse_totals(self, connection: Any) -> None:
        """Rows in which a word says that they add up others."""
        texts = [name_in_sql(name) for name, kind in self.reader.types.items() if kind == "VARCHAR"]
        if texts:
            names = ", ".join(map(name_in_sql, self.reader.types))
            like = " OR ".join(f"regexp_matches({text}, {text_in_sql(LIKE_A_TOTAL)})" for text in texts)
            for row in connection.execute(f"SELECT {names} FROM rows WHERE {like}").fetchmany(SUSPECTS):
                if is_total(["" if cell is None else str(cell) for cell in row]):
                    raise self._odd("TotalRow", "has a row that is a total, not an entry", row, "entries", "totals")

    def _check_types(self, seen: Mapping[str, str]) -> None:
        agreed = self.reader.types
        if list(seen) != list(agreed):
            words = f"has other columns: {difference(list(agreed), list(seen))}"
            raise self._odd("OddHeader", words, list(seen), list(agreed))
        other = [name for name in agreed if agreed[name] != seen[name]]
        if other:
            words = f"has {other[0]} as {seen[other[0]]}, which was {agreed[other[0]]}"
            raise self._odd("OddType", words, seen, agreed)

    def _odd(self, name: str, words: str, seen: object, expected: object, admits: str = "types") -> Surprise:
        said = f'{expected} (the reader parameter "{admits}" admits others)'
        return Surprise(name, f"{self.name} {words}", seen=seen, expected=said, file=self.name)


def read_parquet(source: Input) -> ParquetFile:
    """The rows of this file, by the reader that plan.toml has for its name."""
    return ParquetFile(source, ParquetReader(**reader_for(source.name)))
