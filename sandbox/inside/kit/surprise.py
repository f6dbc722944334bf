"""Checks, and the named surprise that a failed one raises."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .state import current

_NAME = re.compile(r"[A-Z][A-Za-z0-9]{1,60}")
EVIDENCE_ROWS = 3


class Surprise(Exception):
    """The world is not as the plan expects. It ends the run before the report, even if the script catches it."""

    def __init__(
        self,
        name: str,
        message: str,
        *,
        seen: object = "",
        expected: object = "",
        file: str = "",
        rows: Sequence[str] = (),
    ) -> None:
        _refuse_bad_name(name)
        super().__init__(f"{name}: {message}")
        self.name = name
        self.message = shown(message, 1000)
        self.seen = shown(seen, 1000)
        self.expected = shown(expected, 1000)
        self.file = shown(file, 300)
        self.rows = [shown(row, 300) for row in rows[:EVIDENCE_ROWS]]
        current().note_surprise(self)


def check(
    name: str,
    condition: bool,
    message: str,
    *,
    seen: object = "",
    expected: object = "",
    file: str = "",
    rows: Sequence[str] = (),
) -> None:
    """Raises Surprise(name) unless the condition holds. `rows` is evidence; the first three are kept."""
    _refuse_bad_name(name)
    current().note_check(name, file)
    if not condition:
        raise Surprise(name, message, seen=seen, expected=expected, file=file, rows=rows)


def shown(value: object, limit: int) -> str:
    """Text that may come from data, on one line, without control or hidden characters, cut in words."""
    text = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in str(value))
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more characters)"


def _refuse_bad_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a surprise; write it like OddFile.")
