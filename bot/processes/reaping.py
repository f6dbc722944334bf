"""The reaper at work: in each process that opens boxes, for as long as it lives."""

from __future__ import annotations

import threading
from collections.abc import Callable

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
    deaths = Deaths(db, silent_s)
    # Overdue ones first: those need no database.
    return _kept(silent_s, lambda: _end_overdue(boxes, grace_s), lambda: _end_orphans(boxes, db, deaths))


def keep_ending_orphans(boxes: Boxes, db: Database, silent_s: float) -> threading.Event:
    """The same for one of many workspaces: overdue boxes are those of all of them, and are looked for once."""
    deaths = Deaths(db, silent_s)
    return _kept(silent_s, lambda: _end_orphans(boxes, db, deaths))


def keep_ending_overdue(boxes: Boxes, every_s: float, grace_s: float = GRACE_S) -> threading.Event:
    """That once, for all workspaces."""
    return _kept(every_s, lambda: _end_overdue(boxes, grace_s))


def _kept(every_s: float, *rounds: Callable[[], None]) -> threading.Event:
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            for one in rounds:
                try:
                    one()
                except (BoxError, SQLAlchemyError) as error:
                    log.warning("reaper_failed", why=str(error))
            stop.wait(every_s)

    threading.Thread(target=work, name="reaper", daemon=True).start()
    return stop


def _end_overdue(boxes: Boxes, grace_s: float) -> None:
    if ended := reap_overdue(boxes, grace_s):
        log.warning("boxes_reaped", why="overdue", boxes=ended)


def _end_orphans(boxes: Boxes, db: Database, deaths: Deaths) -> None:
    if ended := reap_orphans(boxes, db.identity, deaths.among):
        log.warning("boxes_reaped", why="their worker is dead", boxes=ended)
