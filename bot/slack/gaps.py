"""The times in which Slack could not be heard: counted, logged when they end, and what /readyz says meanwhile."""

from time import monotonic

from bot.log import log
from bot.work.metrics import SOCKET_GAP_SECONDS, SOCKET_GAPS


class Gaps:
    """Told again and again whether there is a connection; it begins without one."""

    def __init__(self) -> None:
        self._deaf_since_s: float | None = monotonic()
        self._was_heard = self._is_announced = False

    def hello(self) -> None:
        """Slack greets each new connection; one that nobody announced took the place of one that broke."""
        if self._deaf_since_s is None and not self._is_announced:
            self.lost()
        self._is_announced = False
        self.heard()

    def announced(self) -> None:
        """Slack asked for a new connection before it gives up this one, as it does every few hours: no gap."""
        self._is_announced = True

    def heard(self) -> None:
        """There is a connection. Slack keeps for a while what it could not deliver meanwhile."""
        if self._deaf_since_s is None:
            return
        seconds, self._deaf_since_s = monotonic() - self._deaf_since_s, None
        if self._was_heard:  # the time until the first connection is the start, and no gap
            log.warning("socket_gap", seconds=round(seconds, 2))
            SOCKET_GAPS.inc()
            SOCKET_GAP_SECONDS.inc(seconds)
        self._was_heard = True

    def lost(self) -> None:
        """There is none."""
        if self._deaf_since_s is None:
            self._deaf_since_s = monotonic()

    def now(self) -> str:
        """What is wrong now, in words; empty while Slack can be heard."""
        since_s = self._deaf_since_s
        return "" if since_s is None else f"there has been no connection to Slack for {monotonic() - since_s:.0f} s"
