"""A real PostgreSQL for tests: one server per session, shared by all its workers, and a fresh database per test.

def test_something(database_url: str) -> None: ...             # one migrated, empty database
def test_two(fresh_database: Callable[[], str]) -> None: ...   # as many as wanted
def test_three(spoken: Callable[[str], Spoken]) -> None: ...   # words with their stems
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import make_url

from library.match import Spoken

TEMPLATE = "migrated"
HOST_READY_S = 60.0


class DatabaseServer:
    """The session's server. Every worker that uses it holds a shared lock; with the last one gone it ends itself."""

    def __init__(self, url: str, users: int) -> None:
        self._url = url
        self._users = users

    @classmethod
    def join(cls, shared: Path, migrate: Callable[[str], None]) -> DatabaseServer:
        """Starts the server or joins it. `shared` is a folder all workers know; `migrate` is called once for all."""
        with _locked(shared / "database.start"):
            users = os.open(shared / "database.users", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(users, fcntl.LOCK_SH)  # waits for a server that is about to end itself
            ready = shared / "database.json"
            if not ready.exists():
                _start_host(shared)
            server = cls(json.loads(ready.read_text())["url"], users)
            server._make_template(migrate)
        return server

    def leave(self) -> None:
        """Says that this worker needs the server no more."""
        os.close(self._users)

    @contextmanager
    def fresh(self) -> Iterator[str]:
        """A database of its own with the migrated, empty schema; gone afterwards, whoever is still connected."""
        name = f"test_{uuid.uuid4().hex[:12]}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY file_copy")
        try:
            yield self._named(name)
        finally:
            self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    def _make_template(self, migrate: Callable[[str], None]) -> None:
        done = self._execute("SELECT 1 FROM pg_database WHERE datname = %s AND datistemplate", TEMPLATE)
        if not done:
            self._execute(f"DROP DATABASE IF EXISTS {TEMPLATE}")
            self._execute(f"CREATE DATABASE {TEMPLATE}")
            migrate(self._named(TEMPLATE))
            self._execute(f"ALTER DATABASE {TEMPLATE} IS_TEMPLATE true")

    def _execute(self, statement: str, *values: str) -> bool:
        address = self._named("postgres").replace("+psycopg", "")
        with psycopg.connect(address, autocommit=True) as connection:
            cursor = connection.execute(statement.encode(), values)
            return cursor.description is not None and cursor.fetchone() is not None

    def _named(self, name: str) -> str:
        return make_url(self._url).set(database=name).render_as_string(hide_password=False)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _start_host(shared: Path) -> None:
    with (shared / "database.log").open("ab") as log:
        host = subprocess.Popen(
            [sys.executable, "-m", "tests.database_host", str(shared)],
            cwd=Path(__file__).parents[1],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    deadline = time.monotonic() + HOST_READY_S
    while not (shared / "database.json").exists():
        if host.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the tests' database did not start: {(shared / 'database.log').read_text()}")
        time.sleep(0.02)
    host.returncode = 0  # it outlives us on purpose: the last worker to leave ends it


@pytest.fixture(scope="session")
def database_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DatabaseServer]:
    """The session's database server, started by whichever worker needs it first."""
    from bot.store.migrate import migrate  # noqa: PLC0415  only tests that use a database import the store

    base = tmp_path_factory.getbasetemp()
    server = DatabaseServer.join(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base, migrate)
    yield server
    server.leave()


@pytest.fixture
def fresh_database(database_server: DatabaseServer) -> Iterator[Callable[[], str]]:
    """Call it for the URL of a new migrated database; each is dropped after the test."""
    opened = []

    def fresh() -> str:
        database = database_server.fresh()
        opened.append(database)
        return database.__enter__()

    yield fresh
    for database in opened:
        database.__exit__(None, None, None)


@pytest.fixture
def database_url(fresh_database: Callable[[], str]) -> str:
    """The URL of one new migrated database."""
    return fresh_database()


@pytest.fixture(scope="session")
def spoken(database_server: DatabaseServer) -> Iterator[Callable[[str], Spoken]]:
    """A request as the search for proven scripts takes it, with the stems of a real full text search."""
    from bot.store import stems  # noqa: PLC0415  only tests that use a database import the store
    from bot.store.session import Database  # noqa: PLC0415
    from library.catalog import load_catalog  # noqa: PLC0415

    def asked(text: str) -> Spoken:
        with database.transaction() as session:
            return stems.spoken(session, text, load_catalog())

    with database_server.fresh() as url:
        database = Database(url)
        yield asked
        database.close()
