"""The files of ours that go into boxes, and the digest that names this version of the kit."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from library import levels, plan_folder
from library.plan_folder import digest_of, read_tree

INSIDE = Path(__file__).parent / "inside"
LOOK = "look"  # folder in the box
_RUNS = ("runner.py", "child.py", "kit/")  # the rest of inside/ only looks at files


@cache
def run_files() -> dict[str, bytes]:
    """By path in the box: what runs a plan. Runner, child and kit, and the digest code that host and box share."""
    own = {name: data for name, data in read_tree(INSIDE).items() if name.startswith(_RUNS)}
    return own | {"plan_folder.py": _source(plan_folder.__file__)}


@cache
def look_files() -> dict[str, bytes]:
    """By path in the box: what samples files, with a kit of its own beside it, since a plan may bring an older one."""
    not_for_looking = ("runner.py", "child.py", "__init__")
    own = {name: data for name, data in read_tree(INSIDE).items() if not name.startswith(not_for_looking)}
    return {f"{LOOK}/{name}": data for name, data in (own | {"levels.py": _source(levels.__file__)}).items()}


@cache
def kit_digest() -> str:
    """What box.json names as "kit": every one of run_files, because the runner decides as much as the kit does."""
    return digest_of(run_files())


def _source(path: str | None) -> bytes:
    assert path is not None
    return Path(path).read_bytes()
