"""At most so many of something at once, and not too fast, over all processes that share a database."""

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlalchemy import Connection, text

from bot.store import pace
from bot.store.locks import BOX_PLACES
from bot.store.session import Database
from sandbox.client import Box, Boxes, BoxSettings

LOOKS_EVERY_S = 0.5
MOST_IN_LINE = 1000  # for a box at the same time, where nothing else limits them


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
        connection = self._db.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            while not self._takes_one(connection):
                time.sleep(LOOKS_EVERY_S)
            yield
        finally:
            connection.invalidate()  # thrown away: the lock ends with it
            connection.close()

    def _takes_one(self, connection: Connection) -> bool:
        take = text("select pg_try_advisory_lock(:kind, :place)")
        places = random.sample(range(self._count), self._count)
        return any(connection.execute(take, {"kind": self._kind, "place": one}).scalar() for one in places)


class PacedBoxes(Boxes):
    """Boxes of which only so many live at once, and of which one is made in so many seconds."""

    def __init__(
        self, settings: BoxSettings, tags: Mapping[str, str], db: Database, at_once: int, every_s: float
    ) -> None:
        super().__init__(settings, tags)
        self._db, self._every_s, self._at_once = db, every_s, at_once
        self._places = Places(db, BOX_PLACES, at_once)

    @contextmanager
    def open(self, purpose: str, *, tags: Mapping[str, str], lifetime_s: int) -> Iterator[Box]:
        with self._places.one():
            self._wait_for_turn()
            with super().open(purpose, tags=tags, lifetime_s=lifetime_s) as box:
                yield box

    def _wait_for_turn(self) -> None:
        """By this computer's clock, not ours, which tests move: it is the provider who counts."""
        if self._every_s:
            now = datetime.now(UTC)
            with self._db.transaction() as session:
                at = pace.turn(session, "box", now, self._every_s, self._at_once or MOST_IN_LINE)
            time.sleep(max(0.0, (at - now).total_seconds()))
