"""A memory limit that the kernel holds a whole box to, where this server may make control groups."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sandbox.server.tree import mark_of

_ROOT = Path("/sys/fs/cgroup")
# Over what one process may have, so that one alone gets an error that its script can tell of, and no sudden end.
_HEADROOM_BYTES = 32 << 20
_REMOVAL_S = 2.0  # a group can go only after the last process in it is reaped


@dataclass(frozen=True)
class _Version:
    """The files of one of the two generations of control groups."""

    limit: str
    swap: str
    swap_value: str | None  # None: the same as the limit, because it counts memory and swap together
    events: str


_FIRST = _Version("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", None, "memory.oom_control")
_SECOND = _Version("memory.max", "memory.swap.max", "0", "memory.events")


@dataclass(frozen=True)
class Group:
    """One box's group: commands join it, and all that they start stays in it."""

    folder: Path
    version: _Version

    def joining(self, argv: Sequence[str]) -> list[str]:
        """`argv`, started inside the group: the shell joins it and becomes the command."""
        return ["/bin/sh", "-c", 'echo 0 > "$0/cgroup.procs" && exec "$@"', str(self.folder), *argv]

    def has_killed(self) -> bool:
        """Whether the kernel ended a process of the group because its memory was used up."""
        with contextlib.suppress(OSError):
            lines = (self.folder / self.version.events).read_text(encoding="ascii").splitlines()
            return any(line.split()[0] == "oom_kill" and int(line.split()[1]) > 0 for line in lines)
        return False

    def remove(self) -> None:
        """Blocking. What stays is removed by the next server's sweep."""
        until = time.monotonic() + _REMOVAL_S
        while self.folder.exists() and time.monotonic() < until:
            with contextlib.suppress(OSError):
                self.folder.rmdir()
                return
            time.sleep(0.01)


class Groups:
    """The groups of one server's boxes, below the group that the server itself is in."""

    def __init__(self, folder: Path, version: _Version, limit_bytes: int) -> None:
        self._folder = folder
        self._version = version
        self._limit_bytes = limit_bytes

    @classmethod
    def found(cls, root: Path, limit_bytes: int) -> Groups | None:
        """Groups for the boxes under `root`; None where we may make none, and the watchdog alone counts memory."""
        for version, parent in _parents():
            groups = cls(parent / mark_of(root), version, limit_bytes)
            with contextlib.suppress(OSError):
                if version is _SECOND:
                    (parent / "cgroup.subtree_control").write_text("+memory", encoding="ascii")
                groups._folder.mkdir(exist_ok=True)
                groups.sweep()
                groups.make("trial").remove()
                return groups
        return None

    def make(self, name: str) -> Group:
        """A new group with the limit set. Raises OSError."""
        group = Group(self._folder / name, self._version)
        group.folder.mkdir()
        limit = str(self._limit_bytes + _HEADROOM_BYTES)
        (group.folder / self._version.limit).write_text(limit, encoding="ascii")
        swap = group.folder / self._version.swap
        if swap.exists():
            swap.write_text(self._version.swap_value or limit, encoding="ascii")
        return group

    def sweep(self) -> None:
        """Removes what an earlier server left; its processes were ended before."""
        for left in [path for path in self._folder.iterdir() if path.is_dir()]:
            Group(left, self._version).remove()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._folder.rmdir()


def _parents() -> list[tuple[_Version, Path]]:
    """Where this process is in each hierarchy that may count memory."""
    found: list[tuple[_Version, Path]] = []
    if not Path("/proc/self/cgroup").exists():  # no Linux
        return found
    for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        _, kinds, path = line.split(":", 2)
        if "memory" in kinds.split(","):
            found.append((_FIRST, _ROOT / "memory" / path.lstrip("/")))
        elif not kinds:
            found.append((_SECOND, _ROOT / path.lstrip("/")))
    return found
