"""Bugs planted in a copy of our code, one exact replacement each; the checkout itself is never touched."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
PACKAGES = ("bot", "sandbox", "library")


@dataclass(frozen=True)
class Plant:
    """In `file`, the one place that reads `right` reads `wrong`; `also` takes the guard away that stands behind it."""

    file: str
    right: str
    wrong: str
    also: Plant | None = None


def planted_copy(folder: Path, plant: Plant) -> Path:
    """A copy of the packages with the bug in it. Raises ValueError where the plant no longer fits the code."""
    for package in PACKAGES:
        shutil.copytree(CHECKOUT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    _plant(folder, plant)
    return folder


def _plant(folder: Path, plant: Plant) -> None:
    path = folder / plant.file
    source = path.read_text(encoding="utf-8")
    if source.count(plant.right) != 1:
        raise ValueError(
            f"{plant.file} has {source.count(plant.right)} places like {plant.right!r}; a plant needs one."
        )
    path.write_text(source.replace(plant.right, plant.wrong), encoding="utf-8")
    if plant.also is not None:
        _plant(folder, plant.also)
