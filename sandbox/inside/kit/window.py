"""Times compared with the slot's window: what is dated outside it, and what ends before it does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from .state import current
from .surprise import Surprise


def check_window(first: datetime | None, last: datetime | None, *, file: str, slack_h: float = 24) -> None:
    """Raises Surprise OutsideWindow unless all lies in (since, until], give or take `slack_h` hours.

    Times without a zone are taken as UTC; None, where no time could be told, is a surprise as well.
    """
    current().note_check("OutsideWindow", file)
    slot, slack = current().slot, timedelta(hours=slack_h)
    if first is None or last is None:
        raise _odd("OutsideWindow", f"{file} has no time that can be told", "none", file)
    if _aware(first) < slot.since - slack or _aware(last) > slot.until + slack:
        seen = f"from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}"
        raise _odd("OutsideWindow", f"{file} is dated outside the time this report is about", seen, file)


def check_reaches(last: datetime | None, *, file: str, quiet_h: float) -> None:
    """Raises Surprise EndsEarly if a file's last time is more than `quiet_h` hours before the window's end.

    A file that was cut at the end of a line shows it by nothing else.
    """
    current().note_check("EndsEarly", file)
    until = current().slot.until
    if last is None or _aware(last) < until - timedelta(hours=quiet_h):
        seen = "no time" if last is None else f"{last:%Y-%m-%d %H:%M}"
        raise _odd("EndsEarly", f"{file} ends more than {quiet_h:g} hours before the report's window does", seen, file)


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _odd(name: str, message: str, seen: str, file: str) -> Surprise:
    slot = current().slot
    expected = f"times from {slot.since:%Y-%m-%d %H:%M} to {slot.until:%Y-%m-%d %H:%M} UTC"
    return Surprise(name, message, seen=seen, expected=expected, file=file)
