"""Whose box is whose: each says which Standby and which worker opened it, so that a dead worker's are found."""

from collections.abc import Collection
from dataclasses import replace
from time import monotonic
from typing import TypeVar

from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from bot.store.session import Database
from bot.work.parts import JobParts
from bot.work.steady import Steady
from sandbox.tags import INSTALL, WORKER

P = TypeVar("P", bound=JobParts)

_LIVING = text(
    "select id from procrastinate_workers where last_heartbeat > clock_timestamp() - make_interval(secs => :silent_s)"
)
_NOW = text("select clock_timestamp()")


def holding(parts: P, worker_id: int | None) -> P:
    """The same parts for a job of this worker: what boxes it opens are known to be its own."""
    assert worker_id is not None, "a job that runs was taken by a worker"
    return replace(parts, boxes=parts.boxes.tagged(**{INSTALL: parts.db.identity, WORKER: str(worker_id)}))


class Deaths:
    """Which workers fell silent, as far as anybody may judge that."""

    def __init__(self, db: Database, silent_s: float) -> None:
        self._db, self._silent_s = db, silent_s
        self._steady = Steady(silent_s)

    def among(self, workers: Collection[str]) -> Collection[str]:
        """Those of these workers who are dead. Raises sqlalchemy's OperationalError."""
        try:
            with self._db.transaction() as session:
                living = session.connection().execute(_LIVING, {"silent_s": self._silent_s}).scalars().all()
                now = session.connection().execute(_NOW).scalar_one()
        except OperationalError:
            self._steady.lost()
            raise
        if not self._steady.seen(now, monotonic()):
            return ()
        return set(workers) - {str(each) for each in living}
