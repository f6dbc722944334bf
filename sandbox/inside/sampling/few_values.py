"""The values of a column of text, as long as they are few: names of regions, currencies, states; never free text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kit.units import is_money, says_units

from .secrets import masked, names_a_secret

MOST = 40  # different ones; a column with more is not described by them
LENGTH = 60  # characters; longer ones are texts
OF_FILE = 400
TEXTS = ("text", "VARCHAR")  # kinds of columns


class FewValues:
    """Fills up until they are too many, and is none from then on."""

    def __init__(self) -> None:
        self._seen: set[str] | None = set()

    def note(self, cell: str) -> None:
        if self._seen is None or cell in self._seen:
            return
        if len(self._seen) >= MOST or len(cell) > LENGTH:
            self._seen = None
        else:
            self._seen.add(cell)

    def told(self, column: str) -> list[str]:
        """In order, without what looks like a secret; none where they were too many."""
        if names_a_secret(column):
            return []
        return sorted(one for one in self._seen or () if masked(f"{column}={one}") == f"{column}={one}")


def with_values(columns: list[dict[str, Any]], values: Iterable[FewValues]) -> list[dict[str, Any]]:
    """Columns of text with their values, up to OF_FILE in all; `values` are in the order of the columns."""
    room = OF_FILE
    for column, few in zip(columns, values, strict=True):
        found = few.told(column["name"]) if column["kind"] in TEXTS else []
        if found and len(found) <= room:
            column["values"] = found
            column["is_unit"] = says_units(column["name"], found)
            column["is_money"] = column["is_unit"] and is_money(column["name"], found)
            room -= len(found)
    return columns
