"""Boxes at the pace of their provider, over all processes that share a database."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime

from bot.store import pace
from bot.store.locks import BOX_PLACES
from bot.store.session import Database
from bot.work.places import Places
from sandbox.client import Box, Boxes, BoxSettings

MOST_IN_LINE = 1000  # for a box at the same time, where nothing else limits them


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
