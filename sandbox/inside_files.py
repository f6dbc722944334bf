"""The files of ours that go into every box, and the digest that names this version of the kit."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from library import plan_folder
from library.plan_folder import digest_of, read_tree

INSIDE = Path(__file__).parent / "inside"


@cache
def inside_files() -> dict[str, bytes]:
    """By path in the box: runner.py, child.py, sampler.py, kit/..., and the one digest code that host and box share."""
    return {**read_tree(INSIDE), "plan_folder.py": Path(plan_folder.__file__).read_bytes()}


@cache
def kit_digest() -> str:
    """What box.json names as "kit": every file above, because the runner decides as much as the kit does."""
    return digest_of(inside_files())
