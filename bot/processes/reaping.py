"""The reaper at work: in each process that opens boxes, for as long as it lives."""

from __future__ import annotations

import threading

from sqlalchemy.exc import SQLAlchemyError

from bot.log import log
from bot.store.session import Database
from bot.work.holders import Deaths
from sandbox.client import Boxes
from sandbox.errors import BoxError
from sandbox.reaper import GRACE_S, reap_orphans, reap_overdue


def keep_reaping(boxes: Boxes, db: Database, silent_s: float, grace_s: float = GRACE_S) -> threading.Event:
    """Ends overdue boxes and those of workers silent for `silent_s`, from a thread; set the event to stop it.

    It looks each `silent_s`, so that a killed worker's boxes are gone after twice that time, or three times it where
    nobody else was there to look. The clock process cannot do it: it holds no key to boxes. That runner and agent
    both do is harmless.
    """
    stop = threading.Event()
    reaper = _Reaper(boxes, db, Deaths(db, silent_s), grace_s)
    threading.Thread(target=reaper.work, args=(stop, silent_s), name="reaper", daemon=True).start()
    return stop


class _Reaper:
    def __init__(self, boxes: Boxes, db: Database, deaths: Deaths, grace_s: float) -> None:
        self._boxes, self._db, self._deaths, self._grace_s = boxes, db, deaths, grace_s

    def work(self, stop: threading.Event, every_s: float) -> None:
        while not stop.is_set():
            try:
                self._round()
            except (BoxError, SQLAlchemyError) as error:
                log.warning("reaper_failed", why=str(error))
            stop.wait(every_s)

    def _round(self) -> None:
        """Overdue ones first: those need no database."""
        if ended := reap_overdue(self._boxes, self._grace_s):
            log.warning("boxes_reaped", why="overdue", boxes=ended)
        if ended := reap_orphans(self._boxes, self._db.identity, self._deaths.among):
            log.warning("boxes_reaped", why="their worker is dead", boxes=ended)
