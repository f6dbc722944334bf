"""Rows of a Parquet file, whose columns have names and types of their own: both must be the agreed ones."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .csv_reader import difference
from .given import Input, reader_for
from .sql import database, name_in_sql, text_in_sql
from .state import current
from .surprise import Surprise


@dataclass(frozen=True)
class ParquetReader:
    """How to read one Parquet file, as plan.toml has it."""

    types: Mapping[str, str]  # column -> its type in duckdb's words, such as VARCHAR or DECIMAL(18,2), in order
    columns: Mapping[str, str] = field(default_factory=dict)  # role in the script -> name of the column


@dataclass
class ParquetFile:
    """Ask it in SQL. Raises Surprise: OddParquet, OddHeader, OddType."""

    source: Input
    reader: ParquetReader
    rows: int = 0

    @property
    def name(self) -> str:
        return self.source.name

    def sql(self, question: str) -> list[tuple[Any, ...]]:
        """Rows of an answer to SQL over the table `rows`; columns have their own names and those of their roles."""
        for name in ("OddParquet", "OddHeader", "OddType"):
            current().note_check(name, self.name)
        source = f"read_parquet({text_in_sql(str(self.source.path))})"
        with database() as connection:
            try:
                seen = {str(row[0]): str(row[1]) for row in connection.execute(f"DESCRIBE FROM {source}").fetchall()}
                self._check_types(seen)
                roles = (f"{name_in_sql(name)} AS {name_in_sql(role)}" for role, name in self.reader.columns.items())
                connection.execute(f"CREATE VIEW rows AS SELECT {', '.join(['*', *roles])} FROM {source}")
                self.rows = int(connection.execute("SELECT count(*) FROM rows").fetchall()[0][0])
            except importlib.import_module("duckdb").Error as error:
                raise self._odd("OddParquet", "is no Parquet file that can be read", error, "Parquet") from error
            answers: list[tuple[Any, ...]] = connection.execute(question).fetchall()
            return answers

    def _check_types(self, seen: Mapping[str, str]) -> None:
        agreed = self.reader.types
        if list(seen) != list(agreed):
            words = f"has other columns: {difference(list(agreed), list(seen))}"
            raise self._odd("OddHeader", words, list(seen), list(agreed))
        other = [name for name in agreed if agreed[name] != seen[name]]
        if other:
            words = f"has {other[0]} as {seen[other[0]]}, which was {agreed[other[0]]}"
            raise self._odd("OddType", words, seen, agreed)

    def _odd(self, name: str, words: str, seen: object, expected: object) -> Surprise:
        admits = f'{expected} (the reader parameter "types" admits others)'
        return Surprise(name, f"{self.name} {words}", seen=seen, expected=admits, file=self.name)


def read_parquet(source: Input) -> ParquetFile:
    """The rows of this file, by the reader that plan.toml has for its name."""
    return ParquetFile(source, ParquetReader(**reader_for(source.name)))
