"""Files that come one a day: how many of them belong to one slot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from library.facts import name_pattern
from library.filling import Window

_DAY = re.compile(r"(\d{4})[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)")
DAY_S = 86_400


def per_slot(names: Sequence[str], window: Window | None) -> dict[str, int]:
    """Each name's pattern, and how many files of it one slot has: as many as there are, but of files that come one a
    day no more than fit into the slot's window.
    """
    files: dict[str, list[str]] = {}
    for name in names:
        files.setdefault(name_pattern(name), []).append(name)
    return {pattern: _count(fitting, window) for pattern, fitting in files.items()}


def _count(names: Sequence[str], window: Window | None) -> int:
    days = sorted(day for name in names if (day := _day_in(name)))
    if window is None or len(days) < len(names) or len(names) < 2:
        return len(names)
    step = max(1, min((later - earlier).days for earlier, later in pairwise(days)))
    room = round((window.until - window.since).total_seconds() / DAY_S / step)
    return max(1, min(len(names), room))


def _day_in(name: str) -> date | None:
    found = _DAY.search(name)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None
