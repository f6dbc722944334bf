"""The files of ours that go into every box, and the digest that names this version of the kit."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from library import levels, plan_folder
from library.plan_folder import digest_of, read_tree

INSIDE = Path(__file__).parent / "inside"


@cache
def inside_files() -> dict[str, bytes]:
    """By path in the box: runner, child, sampler and kit, and the two modules that host and box share."""
    shared = {Path(module.__file__ or "").name: module.__file__ or "" for module in (levels, plan_folder)}
    return {**read_tree(INSIDE), **{name: Path(path).read_bytes() for name, path in shared.items()}}


@cache
def kit_digest() -> str:
    """What box.json names as "kit": every file above, because the runner decides as much as the kit does."""
    return digest_of(inside_files())
