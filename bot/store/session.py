"""The database as a process sees it: one engine, and transactions that are a `with` block."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from sqlalchemy import Engine, NullPool, create_engine, text
from sqlalchemy.engine import make_url
from sqlmodel import Session

from bot.store.history import HEAD, SEAL
from bot.store.seal import Seal

# Rows are told the time; the database's own clock and zone never decide anything.
CONNECT = {
    "options": "-c timezone=UTC -c lock_timeout=20000",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "connect_timeout": 10,
}


class Database:
    """An engine over `postgresql+psycopg://` and the transactions on it."""

    def __init__(self, url: str, *, pool_size: int = 5, seal: Seal | None = None) -> None:
        self.url = sqlalchemy_url(url)
        self.seal = seal or Seal()
        self.engine: Engine = create_engine(
            self.url,
            pool_size=pool_size,
            max_overflow=max(pool_size, 5),
            pool_pre_ping=True,
            connect_args=_connect(self.url),
        )

    @cached_property
    def apart(self) -> Engine:
        """Connections that are held for long and thrown away; they take no place of those for transactions."""
        return create_engine(self.url, poolclass=NullPool, connect_args=_connect(self.url))

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Commit at the end of the block, roll back on any exception; rows stay readable afterwards."""
        with Session(self.engine, expire_on_commit=False, info={SEAL: self.seal}) as session, session.begin():
            yield session
        if HEAD in session.info:  # only now is the entry there for everybody
            self.seal.note(session.info[HEAD])

    def ping(self) -> None:
        """Raise sqlalchemy's OperationalError when the database cannot be reached."""
        with self.engine.connect() as connection:
            connection.execute(text("select 1"))

    @cached_property
    def identity(self) -> str:
        """Names this database among all others, alike for every process on it and wherever it is reached.

        A copy made from a dump is another database. Raises sqlalchemy's OperationalError.
        """
        asked = (
            "select system_identifier::text || '/' || current_database() ||"
            " case current_schema() when 'public' then '' else '/' || current_schema() end from pg_control_system()"
        )
        with self.engine.connect() as connection:
            return hashlib.sha256(str(connection.execute(text(asked)).scalar_one()).encode()).hexdigest()[:16]

    def close(self) -> None:
        self.engine.dispose()


def _connect(url: str) -> dict[str, object]:
    """The address may say which schema is meant; what is given here would take the place of it."""
    given = make_url(url).query.get("options", "")
    return {
        **CONNECT,
        "options": f"{CONNECT['options']} {given if isinstance(given, str) else ' '.join(given)}".strip(),
    }


def sqlalchemy_url(url: str) -> str:
    """The URL with the driver that we use named in it."""
    for plain in ("postgres://", "postgresql://"):
        if url.startswith(plain):
            return "postgresql+psycopg://" + url.removeprefix(plain)
    return url


def libpq_url(url: str) -> str:
    """The URL as psycopg and the queue take it."""
    return sqlalchemy_url(url).replace("postgresql+psycopg://", "postgresql://", 1)
