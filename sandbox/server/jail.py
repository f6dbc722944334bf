"""What any jail is: a place for each box, and a way to start a command that cannot leave it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from sandbox.server.limits import Limits

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
        self.folder.mkdir(mode=0o700)
        if self.own_uid:  # a box without namespaces has to walk to its home, and no other may
            os.chown(self.folder, -1, self.uid)
            self.folder.chmod(0o710)
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
class Launch:
    """How a confined command is started: `argv` in the host's folder `cwd`, with the descriptors `fds` inherited.

    `env` wins over the command's own: where a jail cannot show a box its folders under the usual names, it says
    there where they are. `above` processes of the jail stand above the command itself.
    """

    argv: Sequence[str]
    cwd: str = "/"
    fds: tuple[int, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    above: int = 2


class Jail(Protocol):
    """One way of confining commands on this machine, proved there to work before it is used."""

    @property
    def name(self) -> str:
        """For people: which jail this is."""

    @property
    def limits(self) -> Limits: ...

    def cell(self, folder: Path, uid: int) -> Cell:
        """A box's place in `folder`, with `uid` where we may give one; it is not made yet."""

    def launch(self, cell: Cell, cwd: str, argv: Sequence[str]) -> contextlib.AbstractContextManager[Launch]:
        """How to start `argv` in the box's folder `cwd`; what the start needs is held open while the block lasts."""


def without_login(argv: Sequence[str]) -> Sequence[str]:
    """The SDK asks for a login shell; where a box sees the host's profile, that would read it and leave our PATH."""
    return [argv[0], *argv[2:]] if tuple(argv[:2]) == ("/bin/bash", "-l") else argv


@contextlib.contextmanager
def in_memory(data: bytes) -> Iterator[int]:
    """A descriptor to read `data` from, which no path leads to."""
    fd = os.memfd_create("launch", os.MFD_CLOEXEC)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]
        os.lseek(fd, 0, os.SEEK_SET)
        yield fd
    finally:
        os.close(fd)
