"""How far this computer's clock is from Slack's, by the time that Slack puts on every answer."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

SKEW_S = 60.0
"""Beyond this, people and Slack go by another time than we do: signed requests are refused from 300 s on."""


def apart_from(headers: Mapping[str, str], now: datetime | None = None) -> float:
    """Seconds by which our clock is ahead of the one that wrote these headers; 0 where they say no time."""
    said = next((value for name, value in headers.items() if name.lower() == "date"), "")
    try:
        return ((now or datetime.now(UTC)) - parsedate_to_datetime(said)).total_seconds() if said else 0.0
    except (TypeError, ValueError):
        return 0.0
