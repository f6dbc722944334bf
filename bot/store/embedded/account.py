"""Who the server runs as, and what of the file system that account can reach."""

from __future__ import annotations

import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path

from bot.store.embedded.errors import CannotStart


@dataclass(frozen=True)
class Account:
    """A user of this computer. `other` is true where it is not the one we run as."""

    name: str
    uid: int
    gid: int
    other: bool

    def own(self, folder: Path) -> None:
        """Makes `folder` (not what is above it) this account's alone."""
        folder.chmod(0o700)
        if self.other:
            os.chown(folder, self.uid, self.gid)


def current_user() -> str:
    """The name of the user we run as. PostgreSQL must know it too, so a bare number is refused in words."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        raise CannotStart(
            f"The user number {os.geteuid()} has no name on this computer, and PostgreSQL refuses to run without one. "
            "Add it to /etc/passwd (in a container: RUN useradd), or set STANDBY_DATABASE_URL."
        ) from None


def server_account() -> Account:
    """Ourselves; as root, which PostgreSQL refuses, `postgres` where there is one and else `nobody`."""
    if os.geteuid() != 0:
        return Account(current_user(), os.geteuid(), os.getegid(), other=False)
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name, entry.pw_uid, entry.pw_gid, other=True)
    raise CannotStart(
        "PostgreSQL refuses to run as root and there is neither a user postgres nor nobody. "
        "Run Standby as an ordinary user, or set STANDBY_DATABASE_URL."
    )


def closed_to(account: Account, path: Path) -> Path | None:
    """The first folder on the way to `path` (itself included, links followed) that `account` cannot enter, or None."""
    for step in [*reversed(path.parents), path]:
        if not step.exists():
            return None
        if not _may_enter(account, step.stat()):
            return step
    return None


def _may_enter(account: Account, found: os.stat_result) -> bool:
    if found.st_uid == account.uid:
        return bool(found.st_mode & stat.S_IXUSR)
    if found.st_gid == account.gid:
        return bool(found.st_mode & stat.S_IXGRP)
    return bool(found.st_mode & stat.S_IXOTH)


def owner(path: Path) -> str:
    """The name (or number) of the user that `path` belongs to."""
    uid = path.lstat().st_uid
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"number {uid}"
