"""One table of plan.toml while it is read: each key is taken once, and every complaint says what it should hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from library.manifest import ManifestError

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)


class Keys:
    """Each key is taken once, and what is left over at the end is an error."""

    def __init__(self, path: str, left: Mapping[str, Any]) -> None:
        self.path = path
        self.left = dict(left)

    def wrong(self, key: str, seen: object, wanted: str) -> ManifestError:
        return ManifestError(f"plan.toml: {self.path}{key} is {seen!r}; it should be {wanted}.")

    def take(self, key: str, kind: type[T], wanted: str) -> T:
        if key not in self.left:
            raise ManifestError(f"plan.toml: {self.path}{key} is missing; it should be {wanted}.")
        value = self.left.pop(key)
        # bool is an int in Python, yet `time_s = true` is no number
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(key, value, wanted)
        return value

    def text(self, key: str, *, empty: bool = False) -> str:
        value = self.take(key, str, "text in quotes")
        if not (value.strip() or empty):
            raise self.wrong(key, value, "text that is not empty")
        return value

    def texts(self, key: str, fits: Callable[[str], object] = str.strip, wanted: str = "texts") -> tuple[str, ...]:
        values: list[Any] = self.take(key, list, f"a list of {wanted}")
        if not values or not all(isinstance(value, str) and fits(value) for value in values):
            raise self.wrong(key, values, f"a list of {wanted}, at least one")
        return tuple(values)

    def matching(self, key: str, pattern: re.Pattern[str], wanted: str) -> str:
        value = self.text(key)
        if not pattern.fullmatch(value):
            raise self.wrong(key, value, wanted)
        return value

    def one_of(self, key: str, kind: type[E]) -> E:
        value = self.text(key)
        if value not in [member.value for member in kind]:
            raise self.wrong(key, value, " or ".join(f'"{member.value}"' for member in kind))
        return kind(value)

    def integer(self, key: str, low: int, high: int) -> int:
        value = self.take(key, int, f"a whole number from {low} to {high}")
        if not low <= value <= high:
            raise self.wrong(key, value, f"a whole number from {low} to {high}")
        return value

    def table(self, key: str) -> Keys:
        return Keys(f"{self.path}{key}.", self.take(key, dict, "a table"))

    def each(self, key: str, read: Callable[[Keys], T]) -> tuple[T, ...]:
        items: list[Any] = self.take(key, list, "a list of tables") if key in self.left else []
        return tuple(
            read(Keys(f"{self.path}{key}[{n}].", self._as_table(key, item))) for n, item in enumerate(items, 1)
        )

    def _as_table(self, key: str, item: Any) -> dict[str, Any]:
        if not isinstance(item, dict):
            raise self.wrong(key, item, "a list of tables")
        return item

    def closing(self, value: T) -> T:
        """The value that was read, once nothing is left over."""
        if self.left:
            unknown = ", ".join(f"{self.path}{key}" for key in sorted(self.left))
            raise ManifestError(f"plan.toml: {unknown} is not a key of a manifest; remove it or correct its spelling.")
        return value
