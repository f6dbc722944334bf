"""Whether somebody may judge who is dead: only after a while in which both the database and its clock kept still."""

from datetime import datetime

JUMP_S = 1.0
"""So far may the database's clock and ours go apart between two looks; corrections of a clock are smaller."""


class Steady:
    """Silence is told by the database's clock. While the database is away everybody is silent, and after its clock
    went forward (a correction, a computer that slept) everybody seems to have been: then nobody is condemned before
    whoever lives had as long to be heard as a worker may be silent."""

    def __init__(self, silent_s: float) -> None:
        self._silent_s = silent_s
        self._since_s: float | None = None
        self._last: tuple[datetime, float] | None = None

    def lost(self) -> None:
        """The database could not be reached."""
        self._since_s = self._last = None

    def seen(self, database_now: datetime, ticks_s: float) -> bool:
        """Note one look, by the database's clock and by one that only runs forward; whether it may judge now."""
        if self._since_s is None or self._jumped(database_now, ticks_s):
            self._since_s = ticks_s
        self._last = (database_now, ticks_s)
        return ticks_s - self._since_s >= self._silent_s

    def _jumped(self, database_now: datetime, ticks_s: float) -> bool:
        if self._last is None:
            return False
        told_at, counted_s = self._last
        return abs((database_now - told_at).total_seconds() - (ticks_s - counted_s)) > JUMP_S
