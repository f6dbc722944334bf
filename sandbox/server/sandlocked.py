"""The jail where user namespaces are denied: Landlock and a supervising seccomp filter, by the sandlock package."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from sandbox.server import sandlock_launch
from sandbox.server.interpreter import Mount, python_view, system_view
from sandbox.server.jail import ORDINARY_UID, Cell, Launch, in_memory, without_login
from sandbox.server.limits import Limits
from sandbox.server.tree import mark_of

# Enough for libraries to find out where they run; other processes' entries are hidden by sandlock.
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/proc")


@dataclass(frozen=True)
class Sandlocked:
    """No namespaces: a box sees the host's paths, but may open only the system's programs and its own folders.

    Weaker than bubblewrap in what may be seen (that a path exists, the host's name), equal in what may be reached.
    A box's home has its real path here, so HOME and TMPDIR say where it is; scripts use relative paths.
    """

    limits: Limits
    gives_uids: bool
    name: str = "sandlock"

    def cell(self, folder: Path, uid: int) -> Cell:
        return Cell(folder, uid, own_uid=True) if self.gives_uids else Cell(folder, ORDINARY_UID, own_uid=False)

    @contextlib.contextmanager
    def launch(self, cell: Cell, cwd: str, argv: Sequence[str]) -> Iterator[Launch]:
        home, temporary = str(cell.tree / "home/user"), str(cell.tree / "tmp")
        policy = {
            "server": os.getpid(),
            "uid": cell.uid if cell.own_uid else None,
            "readable": [*_sources(), *_DEVICES],
            "writable": [home, temporary],
            "cwd": str(cell.tree) + cwd,
            "processes": self.limits.processes,
            "argv": [
                "/bin/bash",
                "-p",
                "-c",
                f'{self._ulimits()} && exec "$@"',
                mark_of(cell.folder.parent),
                *without_login(argv),
            ],
        }
        with in_memory(json.dumps(policy).encode()) as told:
            launcher = [sys.executable, "-I", str(sandlock_launch.__file__), mark_of(cell.folder.parent), str(told)]
            yield Launch(launcher, fds=(told,), env={"HOME": home, "TMPDIR": temporary}, above=1)

    def _ulimits(self) -> str:
        """Without a user namespace the kernel counts all processes of a uid, so only a box's own may be limited so."""
        return self.limits.shell_line(count_processes=self.gives_uids)


def is_installed() -> bool:
    return find_spec("sandlock") is not None


def _sources() -> list[str]:
    return [part.source for part in (*system_view(), *python_view()) if isinstance(part, Mount)]
