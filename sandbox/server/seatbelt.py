"""The jail on macOS, for development only: sandbox-exec with a profile that denies what it does not name.

Not tried on a Mac by us. Weaker than the others: no namespace of processes, so what leaves its process group and its
parent lives on; no limit of processes; memory is only watched. The network is off and the host's files are closed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sandbox.server.interpreter import python_view
from sandbox.server.jail import ORDINARY_UID, Cell, Launch, without_login
from sandbox.server.limits import Limits
from sandbox.server.tree import mark_of

PROGRAM = "/usr/bin/sandbox-exec"
# What programs are made of there; nothing here is a person's.
_SYSTEM = ("/usr", "/bin", "/sbin", "/System", "/Library/Frameworks", "/private/var/db/dyld", "/opt/homebrew")


@dataclass(frozen=True)
class Seatbelt:
    """A box's home has its real path here, so HOME and TMPDIR say where it is; scripts use relative paths."""

    limits: Limits
    name: str = "sandbox-exec"

    def cell(self, folder: Path, _uid: int) -> Cell:
        return Cell(folder, ORDINARY_UID, own_uid=False)

    @contextlib.contextmanager
    def launch(self, cell: Cell, cwd: str, argv: Sequence[str]) -> Iterator[Launch]:
        tree = str(cell.tree.resolve())  # profiles know real paths only, and /tmp is a link there
        home, temporary = f"{tree}/home/user", f"{tree}/tmp"
        line = f'{self.limits.shell_line(count_processes=False)} && exec "$@"'
        command = [PROGRAM, "-p", profile((home, temporary)), "/bin/bash", "-p", "-c", line]
        yield Launch(
            [*command, mark_of(cell.folder.parent), *without_login(argv)],
            cwd=tree + cwd,
            env={"HOME": home, "TMPDIR": temporary},
            above=0,  # sandbox-exec and bash become the command
        )


def profile(writable: Sequence[str]) -> str:
    """Seatbelt's own language: everything is denied but what stands here."""
    readable = [*_SYSTEM, *(mount.source for mount in python_view())]
    return "\n".join(
        [
            "(version 1)",
            "(deny default)",
            '(import "system.sb")',
            "(deny network*)",
            "(allow process-fork process-exec sysctl-read file-read-metadata)",
            "(allow signal (target same-sandbox))",
            f"(allow file-read* {_below(readable)})",
            f"(allow file-read* file-write* {_below(writable)})",
            '(allow file-read* file-write-data (literal "/dev/null") (literal "/dev/zero"))',
        ]
    )


def _below(paths: Sequence[str]) -> str:
    quoted = (path.replace("\\", "\\\\").replace('"', '\\"') for path in paths)
    return " ".join(f'(subpath "{path}")' for path in quoted)
