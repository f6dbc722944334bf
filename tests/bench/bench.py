"""What a measurement is: a function that gives figures or says what is wrong, and the bug that must make it fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.plants import Plant


class Wrong(Exception):
    """What was measured is not as it must be, so its figures mean nothing."""


@dataclass(frozen=True)
class Bench:
    """`measure` gets a folder of its own, the code to run (None is this checkout) and further arguments.

    Where the first of them names a way of measuring that has a bug of its own, `plants` has it.
    """

    measure: Callable[[Path, Path | None, list[str]], dict[str, Any]]
    plant: Plant
    plants: Mapping[str, Plant] = field(default_factory=dict)

    def plant_for(self, arguments: Sequence[str]) -> Plant:
        """The bug that must make the measurement with these arguments fail."""
        return self.plants.get(arguments[0], self.plant) if arguments else self.plant


def demand(claim: bool, otherwise: str) -> None:
    """Raise Wrong unless the claim holds."""
    if not claim:
        raise Wrong(otherwise)
