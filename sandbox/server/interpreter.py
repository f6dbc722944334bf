"""Which folders of the host a box sees, read-only: the system's programs and the Python that runs us."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

# Names of the root that are links into /usr on most systems and folders of their own on some.
_SYSTEM_NAMES = ("bin", "sbin", "lib", "lib32", "lib64")
# What the loader and libraries look up; nothing here tells accounts, hosts or secrets.
_HARMLESS_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/mime.types")


@dataclass(frozen=True)
class Mount:
    """A host path shown read-only at `target`."""

    source: str
    target: str


@dataclass(frozen=True)
class Link:
    """A symbolic link of the box's root."""

    target: str
    name: str


def system_view() -> tuple[Mount | Link, ...]:
    """/usr, the names beside it, and a few harmless files of /etc."""
    view: list[Mount | Link] = [Mount("/usr", "/usr")]
    for name in _SYSTEM_NAMES:
        path = Path("/", name)
        if path.is_symlink():
            view.append(Link(str(path.readlink()), str(path)))
        elif path.is_dir():
            view.append(Mount(str(path), str(path)))
    view += [Mount(name, name) for name in _HARMLESS_FILES if Path(name).exists()]
    return tuple(view)


def python_view() -> tuple[Mount, ...]:
    """The environment and the interpreter it was made from, each under its own name and its real one.

    A virtual environment's `bin/python` is a chain of links, and `pyvenv.cfg` names the interpreter by a
    path that may itself lead through links; both spellings have to exist in the box. Sorted so that a folder
    comes before what lies in it.
    """
    targets: dict[str, str] = {}
    for start in (Path(sys.prefix), Path(sys.base_prefix), *_executable_chain()):
        real = str(start.resolve())
        targets[str(start.absolute())] = real
        targets[real] = real
    wanted = sorted(target for target in targets if not _inside(target, "/usr"))
    kept: list[str] = []
    for target in wanted:
        if not any(_inside(target, above) for above in kept):
            kept.append(target)
    return tuple(Mount(targets[target], target) for target in kept)


def _executable_chain() -> tuple[Path, ...]:
    """The prefixes that the links of bin/python pass through on the way to the real program."""
    prefixes = []
    step = Path(sys.executable).absolute()
    while step.is_symlink():
        step = Path(step.parent, step.readlink())
        prefixes.append(step.parent.parent)
    return tuple(prefixes)


def program_path() -> str:
    """PATH inside the box: our Python first, so that `python` is the one with duckdb and polars."""
    return f"{Path(sys.prefix, 'bin')}:/usr/local/bin:/usr/bin:/bin"


def _inside(path: str, folder: str) -> bool:
    return Path(path).is_relative_to(folder)
