"""Desk time: real time plus an offset that only grows, and message timestamps that never repeat."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.desk.errors import BadRequest

_SUNDAY, _EVENING = 6, time(20, 0)


def real_now() -> datetime:
    """The machine's own time, in UTC."""
    return datetime.now(UTC)


class DeskClock:
    """Tells desk time. Moving it forward moves everything that asks it (messages, events, mails).

    `kept_in` is a file in which the offset survives a restart: a desk that came back a week younger than the
    processes around it would break the promise that time only moves forward.
    """

    def __init__(self, kept_in: Path | None = None, real: Callable[[], datetime] = real_now) -> None:
        self._real = real
        self._kept_in = kept_in
        self._last_stamp_us = 0
        self.offset_s = float(kept_in.read_text()) if kept_in and kept_in.exists() else 0.0

    def now(self) -> datetime:
        """Desk time, in UTC."""
        return self._real() + timedelta(seconds=self.offset_s)

    def move_to(self, instant: datetime) -> None:
        """Make it `instant` now. Raises BadRequest if that lies in the past or has no zone."""
        if instant.tzinfo is None:
            raise BadRequest("The instant has no zone. Write it like 2026-12-07T06:00:00+00:00.")
        if instant < self.now():
            raise BadRequest(
                f"The clock only moves forward, and {instant} lies before {self.now():%Y-%m-%d %H:%M:%S} UTC."
            )
        self.offset_s = (instant - self._real()).total_seconds()
        if self._kept_in:
            self._kept_in.write_text(repr(self.offset_s))

    def stamped(self, ts: str) -> None:
        """A message with this timestamp is there already: those to come are later."""
        seconds, _, micros = ts.partition(".")
        self._last_stamp_us = max(self._last_stamp_us, int(seconds) * 1_000_000 + int(micros))

    def stamp(self) -> str:
        """A message timestamp in Slack's form (`seconds.microseconds`), later than every one before it."""
        now_us = int(self.now().timestamp() * 1_000_000)
        self._last_stamp_us = max(now_us, self._last_stamp_us + 1)
        return f"{self._last_stamp_us // 1_000_000}.{self._last_stamp_us % 1_000_000:06d}"


def evening_before_monday(now: datetime, zone: ZoneInfo) -> datetime | None:
    """Sunday 20:00 on the wall clock of `zone` before the next Monday, in UTC; None if it is that evening."""
    local = now.astimezone(zone)
    is_that_evening = local.weekday() == _SUNDAY and local.time() >= _EVENING
    return None if is_that_evening else next_weekday(now, _SUNDAY, _EVENING, zone)


def next_weekday(after: datetime, weekday: int, at: time, zone: ZoneInfo) -> datetime:
    """The first instant after `after` that is `weekday` (0 is Monday) at `at` on the wall clock of `zone`, in UTC."""
    local = after.astimezone(zone)
    day = local.date() + timedelta(days=(weekday - local.weekday()) % 7)
    candidate = datetime.combine(day, at, zone)
    if candidate <= after:
        candidate = datetime.combine(day + timedelta(days=7), at, zone)
    return candidate.astimezone(UTC)
