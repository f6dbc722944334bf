"""At most so many of something at once, over all processes that share a database."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, text

from bot.store.session import Database

LOOKS_EVERY_S = 0.5


class Places:
    """`count` advisory locks on connections of their own: whoever dies gives its place back. 0 is no limit.

    After a restart of the database there may be more for a moment; nothing but load depends on it.
    """

    def __init__(self, db: Database, kind: int, count: int) -> None:
        self._db, self._kind, self._count = db, kind, count

    @contextmanager
    def one(self) -> Iterator[None]:
        """Wait for a place and hold it."""
        if not self._count:
            yield
            return
        connection = self._db.apart.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            while not self._takes_one(connection):
                time.sleep(LOOKS_EVERY_S)
            yield
        finally:
            connection.close()  # thrown away: the lock ends with it

    def _takes_one(self, connection: Connection) -> bool:
        take = text("select pg_try_advisory_lock(:kind, :place)")
        places = random.sample(range(self._count), self._count)
        return any(connection.execute(take, {"kind": self._kind, "place": one}).scalar() for one in places)
