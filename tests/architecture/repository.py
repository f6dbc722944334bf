"""The files of this repository, as its checks look at them."""

import os
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("bot", "sandbox", "library")


@cache
def files() -> tuple[Path, ...]:
    """Every file that git keeps or would keep, from the root; without git, every file that is not hidden away."""
    if not (ROOT / ".git").exists():
        return tuple(sorted(_walked()))
    told = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return tuple(sorted(Path(name) for name in listed if name and (ROOT / name).is_file()))


def sources(*rooms: str) -> list[Path]:
    """The Python files of these folders."""
    return [path for path in files() if path.parts[0] in rooms and path.suffix == ".py"]


def text(path: Path) -> str:
    """A file as text; bytes that are no text show as what they are not."""
    return (ROOT / path).read_text("utf-8", errors="replace")


def _walked() -> list[Path]:
    found: list[Path] = []
    for folder, inner, names in os.walk(ROOT):
        inner[:] = [name for name in inner if not name.startswith(".") and name != "__pycache__"]
        found += [Path(folder, name).relative_to(ROOT) for name in names]
    return found
