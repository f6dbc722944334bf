"""The rows of one read-only question to a PostgreSQL database, written as one Parquet file with exact types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

from bot.settings import PREFIX, Settings
from bot.source_settings import SourceSettings
from bot.sources.errors import SourceError, SourceNotAllowed, SourceRefused, SourceTooLarge, SourceUnreachable
from library.manifest_source import PLACEHOLDER

if TYPE_CHECKING:
    import polars

CONNECT_S = 15
ROWS_AT_ONCE = 50_000
MB = 1_000_000
# Of numeric without a scale of its own: what its values are widest in practice, kept exact as text instead.
_EXACT_DIGITS = 38


@dataclass(frozen=True)
class Question:
    """A query with the moments of a slot."""

    query: str
    slot: datetime
    since: datetime

    @property
    def words(self) -> tuple[str, Mapping[str, datetime]]:
        """As the driver takes it: the moments travel beside the text, never in it."""
        text = PLACEHOLDER.sub(lambda found: f"%({found[1]})s", self.query.replace("%", "%%"))
        return text, {"slot": self.slot, "since": self.since, "until": self.slot}


def require_connection(settings: Settings, name: str) -> SourceSettings:
    """Raises SourceNotAllowed with the very setting that an admin would add."""
    found = settings.sources.get(name)
    if found is None or found.scheme != "postgresql":
        raise SourceNotAllowed(
            f"Settings know no database called {name}, so nothing was asked. An admin allows it by adding this to "
            f'{PREFIX}SOURCES: {{"{name}": {{"root": "postgresql://HOST:5432/DATABASE", "user": …, "password": …}}}}, '
            "with a user who can only read."
        )
    return found


def export(settings: Settings, name: str, question: Question, into: Path) -> int:
    """Write the rows to `into` as Parquet; their number. Raises SourceError, and then nothing of it counts."""
    source = require_connection(settings, name)
    try:
        with connected(source, settings.query_timeout_s) as connection:
            return _export(settings, connection, name, question, into)
    except psycopg.errors.QueryCanceled:
        raise SourceTooLarge(
            f"{name} did not finish the query within {settings.query_timeout_s} s and ended it, so there is no report. "
            "Ask for less, or let an admin raise STANDBY_QUERY_TIMEOUT_S."
        ) from None
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction) as error:
        raise SourceRefused(f"{name} refuses the query: {_said(source, error)}. Only what reads is asked.") from None
    except (psycopg.errors.OperationalError, psycopg.errors.AdminShutdown) as error:
        raise _away(name, source, error) from None
    except psycopg.Error as error:
        raise SourceError(
            f"{name} cannot answer the query, so there is no report: {_said(source, error)}. It is one SELECT, in "
            "PostgreSQL's words; correct it in the plan."
        ) from None


def connected(source: SourceSettings, timeout_s: int) -> psycopg.Connection[tuple[Any, ...]]:
    """A session that cannot write. Raises psycopg.Error."""
    return psycopg.connect(
        source.root,
        user=source.user or None,
        password=source.password.get_secret_value() or None,
        connect_timeout=CONNECT_S,
        application_name="standby",
        keepalives_idle=30,
        options=f"-c default_transaction_read_only=on -c statement_timeout={timeout_s * 1000} "
        f"-c idle_in_transaction_session_timeout={timeout_s * 1000} -c TimeZone=UTC",
    )


def _export(
    settings: Settings, connection: psycopg.Connection[tuple[Any, ...]], name: str, question: Question, into: Path
) -> int:
    import polars  # noqa: PLC0415  slow to load, and most runs need none

    connection.read_only = True
    connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    text, moments = question.words
    rows = size_bytes = 0
    # A named cursor takes one SELECT and nothing else: `select 1; drop …` is two statements, which it refuses.
    with connection.cursor(name="standby") as cursor, TemporaryDirectory(prefix="standby-", dir=into.parent) as folder:
        cursor.execute(sql.SQL(text), moments)
        schema = _schema(polars, name, connection, cursor.description or ())
        parts: list[Path] = []
        for batch in _batches(cursor, settings.source_rows, name):
            part = Path(folder) / f"{len(parts):06}.parquet"
            _frame(polars, schema, batch).write_parquet(part)
            parts.append(part)
            rows, size_bytes = rows + len(batch), size_bytes + part.stat().st_size
            if size_bytes > settings.source_file_mb * MB:
                raise SourceTooLarge(
                    f"{name} gives more than {settings.source_file_mb:,} MB, which is the most that is taken, so there "
                    "is no report. Ask for less, or let an admin raise STANDBY_SOURCE_FILE_MB."
                )
        if not parts:
            _frame(polars, schema, []).write_parquet(into)
        else:
            polars.scan_parquet(parts).sink_parquet(into, row_group_size=ROWS_AT_ONCE)
    return rows


def _batches(cursor: psycopg.ServerCursor[tuple[Any, ...]], most: int, name: str) -> Iterator[list[tuple[Any, ...]]]:
    count = 0
    while batch := cursor.fetchmany(ROWS_AT_ONCE):
        count += len(batch)
        if count > most:
            raise SourceTooLarge(
                f"{name} gives more than {most:,} rows, which is the most that is taken, so there is no report. "
                "Ask for less, or let an admin raise STANDBY_SOURCE_ROWS."
            )
        yield batch


def _schema(
    pl: Any, name: str, connection: psycopg.Connection[Any], description: Sequence[psycopg.Column]
) -> dict[str, Any]:
    """Column names and types; what Parquet has no exact type for is text as PostgreSQL writes it."""
    known = {
        "bool": pl.Boolean,
        "int2": pl.Int64,
        "int4": pl.Int64,  # a sum of narrow numbers could overflow
        "int8": pl.Int64,
        "float4": pl.Float64,
        "float8": pl.Float64,
        "date": pl.Date,
        "timestamp": pl.Datetime("us"),
        "timestamptz": pl.Datetime("us", "UTC"),
    }
    schema: dict[str, Any] = {}
    for column in description:
        if column.name in schema:
            raise SourceError(f"The query of {name} gives two columns called {column.name!r}. Name each with AS.")
        info = connection.adapters.types.get(column.type_code)
        kind = info.name if info else ""
        if kind == "numeric" and column.precision:
            schema[column.name] = pl.Decimal(min(column.precision, _EXACT_DIGITS), column.scale or 0)
        else:
            schema[column.name] = known.get(kind, pl.String)
    return schema


def _frame(pl: Any, schema: Mapping[str, Any], rows: Sequence[tuple[Any, ...]]) -> polars.DataFrame:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    return pl.DataFrame(  # type: ignore[no-any-return]
        [
            pl.Series(name, [_text(value) for value in values] if kind == pl.String else values, dtype=kind)
            for (name, kind), values in zip(schema.items(), columns, strict=True)
        ]
    )


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _away(name: str, source: SourceSettings, error: psycopg.Error) -> SourceError:
    said = _said(source, error)
    if any(word in said for word in ("authentication failed", "does not exist", "no pg_hba.conf entry")):
        return SourceRefused(
            f"{name} does not take the login that settings have for it ({said}), so there is no report. An admin "
            "corrects root, user and password in STANDBY_SOURCES."
        )
    return SourceUnreachable(f"The database {name} could not be reached or left in the middle ({said}).")


def _said(source: SourceSettings, error: psycopg.Error) -> str:
    words = error.diag.message_primary or str(error).strip().split("\n")[-1]
    return source.masked(words)[:300].rstrip(".")
