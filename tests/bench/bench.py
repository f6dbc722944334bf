"""What a measurement is: a function that gives figures or says what is wrong, and the bug that must make it fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.plants import Plant


class Wrong(Exception):
    """What was measured is not as it must be, so its figures mean nothing."""


@dataclass(frozen=True)
class Bench:
    """`measure` gets a folder of its own, the code to run (None is this checkout) and further arguments."""

    measure: Callable[[Path, Path | None, list[str]], dict[str, Any]]
    plant: Plant


def demand(claim: bool, otherwise: str) -> None:
    """Raise Wrong unless the claim holds."""
    if not claim:
        raise Wrong(otherwise)
