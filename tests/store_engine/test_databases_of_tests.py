"""Each test has a migrated database to itself."""

from __future__ import annotations

from collections.abc import Callable

import psycopg

from bot.store.migrate import current_revision, head_revision


def test_a_fresh_database_is_migrated(database_url: str) -> None:
    assert current_revision(database_url) == head_revision()


def test_two_databases_know_nothing_of_each_other(fresh_database: Callable[[], str]) -> None:
    first, second = (url.replace("+psycopg", "") for url in (fresh_database(), fresh_database()))
    with psycopg.connect(first) as connection:
        connection.execute("CREATE TABLE mine (n int)")
    with psycopg.connect(second) as connection:
        assert connection.execute("SELECT to_regclass('mine')").fetchone() == (None,)
