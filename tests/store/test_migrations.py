"""From nothing to this release's schema, once, and never back behind a newer release."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, create_engine, inspect, text

from bot.store.migrate import SchemaNewer, current_revision, head_revision, migrate
from bot.store.tables import METADATA


@pytest.fixture
def emptied(database_url: str) -> Iterator[Engine]:
    """A database in which nothing was ever made."""
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("drop schema public cascade"))
        connection.execute(text("create schema public"))
    yield engine
    engine.dispose()


def url(engine: Engine) -> str:
    return engine.url.render_as_string(hide_password=False)


def schema(engine: Engine) -> dict[str, list[str]]:
    """Every table with its columns, as the database tells them."""
    seen = inspect(engine)
    return {name: [f"{c['name']} {c['type']} {c['nullable']}" for c in seen.get_columns(name)]
            for name in seen.get_table_names()}  # fmt: skip


def test_from_nothing_the_schema_is_the_declared_one(emptied: Engine):
    assert current_revision(url(emptied)) is None

    migrate(url(emptied))

    with emptied.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), METADATA)
    others = [one for one in differences if "procrastinate_" not in str(one)]
    assert others == []
    assert current_revision(url(emptied)) == head_revision()


def test_the_queue_brings_its_own_tables(emptied: Engine):
    migrate(url(emptied))
    assert {"procrastinate_jobs", "procrastinate_events", "procrastinate_workers"} <= schema(emptied).keys()


def test_twice_is_once(emptied: Engine):
    migrate(url(emptied))
    before = schema(emptied)

    migrate(url(emptied))

    assert schema(emptied) == before


def test_two_releases_that_start_at_once_migrate_one_after_the_other(emptied: Engine):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(migrate, [url(emptied)] * 4))
    assert current_revision(url(emptied)) == head_revision()


def test_a_newer_schema_is_refused_in_words_and_left_alone(fresh_database: Callable[[], str]):
    address = fresh_database()
    engine = create_engine(address)
    with engine.begin() as connection:
        connection.execute(text("update alembic_version set version_num = '9999'"))

    with pytest.raises(SchemaNewer) as refused:
        migrate(address)

    assert "at schema '9999', which this release of Standby does not know. Nothing was changed." in str(refused.value)
    assert "Start the newer release, or restore a backup" in str(refused.value)
    assert current_revision(address) == "9999"
    engine.dispose()


def test_a_migration_that_breaks_off_leaves_nothing_behind(emptied: Engine):
    with emptied.begin() as connection:
        connection.execute(text("create table procrastinate_jobs (in_the_way int)"))

    with pytest.raises(Exception, match="procrastinate_jobs"):
        migrate(url(emptied))

    assert current_revision(url(emptied)) is None
    assert set(schema(emptied)) == {"procrastinate_jobs"}
