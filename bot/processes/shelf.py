"""The library at the command line: what it holds, one script in full, and a copy of its folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from bot.domain.errors import StandbyError
from library.catalog import Script, load_catalog


class NotInLibrary(StandbyError):
    """There is no such script, or no room for its copy; the text says which."""


def listed() -> str:
    """One line a script: its name, and what it does."""
    catalog = load_catalog()
    width = max(map(len, catalog))
    return "\n".join(f"{name:<{width}}  {script.says}" for name, script in sorted(catalog.items()))


def shown(name: str) -> str:
    """What a script does, reads, asks and checks, and its code."""
    script = _script(name)
    asked = [f"- {one.name}: {one.ask}" for one in script.parameters]
    checks = [f"- {one.name}: {one.says}" for one in script.checks]
    heads = [
        f"{script.title}: {script.says}",
        f"Reads: {', '.join(script.kinds)}. Recognised by: {', '.join(script.words)}.",
        f"Likeliest surprise: {script.surprise.name}, because {script.surprise.why}.",
    ]
    body = ["Parameters:", *asked, "", "It halts unless:", *checks, "", script.plan.decode().rstrip("\n")]
    return "\n".join([*heads, "", *body])


def copied(name: str, to: Path) -> Path:
    """A copy of the script's folder below `to`. Raises NotInLibrary where something of its name is there already."""
    script, target = _script(name), to / name
    if target.exists():
        raise NotInLibrary(f"{target} exists already, and nothing is overwritten. Name another folder with --to.")
    shutil.copytree(script.folder, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def _script(name: str) -> Script:
    catalog = load_catalog()
    if name not in catalog:
        raise NotInLibrary(f"The library has no script {name!r}; it has {', '.join(sorted(catalog))}.")
    return catalog[name]
