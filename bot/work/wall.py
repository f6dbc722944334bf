"""The clocks: the system's, or one at an address (the desk's, which can be moved)."""

from datetime import UTC, datetime, timedelta
from threading import Lock
from time import monotonic

import httpx

from bot.domain.ports import Clock
from bot.settings import Settings

FRESH_S = 0.2


class SystemClock:
    """The computer's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class RemoteClock:
    """A clock that answers `{"now": ISO time}`; asked at most five times a second.

    Between answers, and while it does not answer, it goes on from the last one.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = httpx.Client(trust_env=False, timeout=2)
        self._lock = Lock()
        self._offset = timedelta()
        self._asked_at = -FRESH_S

    def now(self) -> datetime:
        with self._lock:
            if monotonic() - self._asked_at >= FRESH_S:
                self._ask()
            return datetime.now(UTC) + self._offset

    def _ask(self) -> None:
        self._asked_at = monotonic()
        try:
            answer = self._client.get(self._url).raise_for_status().json()
        except httpx.HTTPError:
            return
        self._offset = datetime.fromisoformat(answer["now"]) - datetime.now(UTC)


def clock_from(settings: Settings) -> Clock:
    return RemoteClock(settings.clock_url) if settings.clock_url else SystemClock()
