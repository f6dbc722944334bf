"""Which days a slot's addresses mean: {slot}, {since} and {until} in the routine's own time zone."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from library.manifest_source import PLACEHOLDER

DAY = "%Y-%m-%d"


def filled(address: str, *, due_at: datetime, since: datetime, zone: str) -> str:
    """The address for one slot. A placeholder without a format is a day; {until} is the moment of the slot."""
    moments = {"slot": due_at, "since": since, "until": due_at}

    def said(found: re.Match[str]) -> str:
        return moments[found[1]].astimezone(ZoneInfo(zone)).strftime(found[2] or DAY)

    return PLACEHOLDER.sub(said, address)


def has_window(text: str) -> bool:
    """Whether another slot means other files."""
    return PLACEHOLDER.search(text) is not None
