"""The source gate over a whole plan folder, asked wherever its bytes are about to count."""

import tomllib
from collections.abc import Iterator
from typing import Any

from bot.domain.gate import is_unseen, source_problems
from library.plan_folder import PlanFolder

# What people write and read; the other files are measured by Standby and hold what data is called.
READ = ("plan.py", "report.md", "plan.toml", "resume.md")
# Where data's own names and marks stand, some of which draw nothing: a tab, a narrow blank between digits.
_OF_DATA = ("parameters",)


def gate(folder: PlanFolder) -> list[str]:
    """Why the folder may not be shown or run, each with its file; empty means that it may."""
    found = [
        f"{name}: {problem}"
        for name in READ
        for problem in source_problems(folder.files[name], is_python=name == "plan.py")
    ]
    return found or [f"plan.toml: {problem}" for problem in _of_escapes(folder.files["plan.toml"])]


def _of_escapes(manifest: bytes) -> Iterator[str]:
    """What stands in the file as an escape and is hidden once it is read, in a mail's subject for one."""
    try:
        fields = tomllib.loads(manifest.decode())
    except tomllib.TOMLDecodeError:
        return  # whoever reads it says so
    for name, value in fields.items():
        hidden = sorted({c for text in _texts(value) for c in text if is_unseen(c)})
        if name not in _OF_DATA and hidden:
            yield f"{name} holds characters that cannot be seen: {', '.join(f'U+{ord(c):04X}' for c in hidden)}"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
