"""A read-only question to a PostgreSQL database, as Parquet."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import polars as pl
import psycopg
import pytest
from sqlalchemy.engine import make_url

from bot.settings import Settings
from bot.sources.errors import SourceError, SourceNotAllowed, SourceRefused, SourceTooLarge, SourceUnreachable
from bot.sources.query import Question, export
from bot.store.session import libpq_url
from tests.sources.conftest import settings_with

SLOT, SINCE = datetime(2026, 11, 30, 7, tzinfo=UTC), datetime(2026, 11, 23, 7, tzinfo=UTC)
TABLE = """
create table entry (id bigint, booked date, at timestamptz, net numeric(12,2), rate double precision, note text);
insert into entry values
  (1, '2026-11-24', '2026-11-24 10:00+01', 10.10, 0.5, 'five % æ'),
  (2, '2026-11-29', '2026-11-29 10:00+01', -0.30, null, null),
  (3, '2026-11-01', '2026-11-01 10:00+01', 99.99, 1e300, 'before');
"""

Ask = Callable[..., pl.DataFrame]


@pytest.fixture
def books(fresh_database: Callable[[], str]) -> str:
    """The address of a database that is not Standby's own."""
    url = fresh_database()
    with psycopg.connect(libpq_url(url)) as connection:
        connection.execute(TABLE)
    return url


def _settings(url: str, **others: object) -> Settings:
    parts = make_url(url)
    plain = parts._replace(drivername="postgresql", username=None, password=None).render_as_string(hide_password=False)
    login = {"user": parts.username or "", "password": str(parts.password or "")}
    return settings_with({"books": {"root": plain, **login}}, **others)


@pytest.fixture
def ask(books: str, tmp_path: Path) -> Ask:
    def asked(query: str, **others: object) -> pl.DataFrame:
        export(_settings(books, **others), "books", Question(query, SLOT, SINCE), tmp_path / "rows.parquet")
        return pl.read_parquet(tmp_path / "rows.parquet")

    return asked


def test_rows_come_with_exact_types(ask: Ask) -> None:
    found = ask("select * from entry where id < 3 order by id")
    assert found.rows() == [
        (1, datetime(2026, 11, 24).date(), datetime(2026, 11, 24, 9, tzinfo=UTC), Decimal("10.10"), 0.5, "five % æ"),
        (2, datetime(2026, 11, 29).date(), datetime(2026, 11, 29, 9, tzinfo=UTC), Decimal("-0.30"), None, None),
    ]
    assert found.schema["net"] == pl.Decimal(12, 2)


def test_the_slots_moments_stand_in_the_question(ask: Ask) -> None:
    query = "select id, note like '%æ' as odd from entry where at > {since} and at <= {until} order by id"
    assert ask(query).rows() == [(1, True), (2, None)]


def test_no_rows_are_a_table_of_no_rows(ask: Ask) -> None:
    found = ask("select id, net from entry where false")
    assert (found.height, found.columns) == (0, ["id", "net"])


def test_more_rows_than_one_batch(ask: Ask) -> None:
    found = ask("select n, n::numeric(20,3) / 4 as quarter from generate_series(1, 120000) n")
    assert found.height == 120_000
    assert found["n"].sum() == 120_000 * 120_001 // 2
    assert found["quarter"][1] == "0.50000000000000000000"  # a numeric without a scale stays as it is written


@pytest.mark.parametrize(
    "query",
    [
        "insert into entry values (9)",
        "with gone as (delete from entry returning *) select * from gone",
        "select 1; drop table entry",
        "select 1; commit; drop table entry",
        "drop table entry",
        "copy entry to '/tmp/entry'",
        "select 1) to program 'true' --",
        "select * into other from entry",
        "select set_config('default_transaction_read_only', 'off', false), nextval('s')",
    ],
)
def test_what_would_write_is_refused(ask: Ask, books: str, query: str) -> None:
    with pytest.raises(SourceError):
        ask(query)
    with psycopg.connect(libpq_url(books)) as connection:
        assert connection.execute("select count(*) from entry").fetchone() == (3,)


def test_a_query_that_never_ends_is_ended(ask: Ask) -> None:
    with pytest.raises(SourceTooLarge, match="within 1 s"):
        ask("select pg_sleep(30)", query_timeout_s=1)


def test_more_rows_than_allowed_are_refused(ask: Ask) -> None:
    with pytest.raises(SourceTooLarge, match="more than 1,000 rows"):
        ask("select n from generate_series(1, 5000) n", source_rows=1_000)


def test_more_bytes_than_allowed_are_refused(ask: Ask) -> None:
    with pytest.raises(SourceTooLarge, match="more than 1 MB"):
        ask("select md5(n::text) as word from generate_series(1, 200000) n", source_file_mb=1)


def test_a_mistake_in_the_query_is_said_in_the_databases_words(ask: Ask) -> None:
    with pytest.raises(SourceError, match='column "nothing" does not exist') as wrong:
        ask("select nothing from entry")
    assert wrong.value.permanent


def test_two_columns_of_one_name_are_refused(ask: Ask) -> None:
    with pytest.raises(SourceError, match="two columns called 'id'"):
        ask("select id, id from entry")


def test_an_unknown_connection_names_the_setting(books: str, tmp_path: Path) -> None:
    with pytest.raises(SourceNotAllowed, match="STANDBY_SOURCES"):
        export(_settings(books), "other", Question("select 1", SLOT, SINCE), tmp_path / "x.parquet")


def test_a_wrong_login_is_said_without_it(books: str, tmp_path: Path) -> None:
    settings = _settings(books)
    wrong = settings.sources["books"].model_copy(update={"user": "nobody-knows-me"})
    settings = settings.model_copy(update={"sources": {"books": wrong}})
    with pytest.raises(SourceRefused, match="does not take the login"):
        export(settings, "books", Question("select 1", SLOT, SINCE), tmp_path / "x.parquet")


def test_nobody_at_home_is_tried_again_later(tmp_path: Path) -> None:
    settings = settings_with({"books": {"root": "postgresql://127.0.0.1:9/books"}})
    with pytest.raises(SourceUnreachable):
        export(settings, "books", Question("select 1", SLOT, SINCE), tmp_path / "x.parquet")
