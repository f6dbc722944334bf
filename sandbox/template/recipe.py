"""What is baked into the hosted template: Python and libraries in the versions that boxes on this computer use."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.metadata import version

# What kit, proven scripts and plans may import besides the standard library.
LIBRARIES = ("duckdb", "polars", "openpyxl", "matplotlib", "backports.zstd")


@dataclass(frozen=True)
class Recipe:
    """`tag` names the build; a plan's box.json holds it, so another build asks for another approval."""

    python: str
    packages: tuple[str, ...]
    cpu_count: int = 2
    memory_mb: int = 2048

    @property
    def tag(self) -> str:
        """The versions themselves, so that two builds of one name cannot differ in them."""
        versions = "-".join(package.replace("==", "") for package in self.packages)
        return f"py{self.python}-{versions}".replace(".", "-")


def recipe() -> Recipe:
    """From what is installed here: a script that was rehearsed locally finds the same at E2B."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Recipe(python, tuple(f"{name}=={version(name)}" for name in LIBRARIES))
