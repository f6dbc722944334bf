"""Where the server's socket lies: a folder of its own that only the owner may enter, with a path short enough."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from bot.store.embedded.account import Account, closed_to
from bot.store.embedded.errors import SocketPathTooLong

# sun_path of sockaddr_un, less its closing zero byte.
LIMIT_BYTES = 107 if sys.platform == "linux" else 103
_FILE = ".s.PGSQL.5432"
_PREFIX = "standby-"


def make(database: Path, account: Account) -> Path:
    """A private folder for the socket: `database/socket`, or where that is too long one elsewhere, linked from there.

    Raises SocketPathTooLong where no place is short enough.
    """
    here = database / "socket"
    if _is_private(here.resolve(), account) and _fits(here.resolve()):
        return here.resolve()  # after a crash the same place, for those who know the URL
    forget(database)
    if _fits(here):
        here.mkdir(mode=0o700, exist_ok=True)
        account.own(here)
        return here
    for base in _short_places(account):
        there = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        if _fits(there):
            account.own(there)
            here.symlink_to(there)
            return there
        there.rmdir()
    raise SocketPathTooLong(database, LIMIT_BYTES)


def current(database: Path) -> Path:
    """Where the socket of a server started earlier lies."""
    return (database / "socket").resolve()


def forget(database: Path) -> None:
    """Removes the folder that an earlier start made elsewhere."""
    here = database / "socket"
    if here.is_symlink():
        there = here.readlink()
        if there.name.startswith(_PREFIX) and not there.is_symlink():
            shutil.rmtree(there, ignore_errors=True)
        here.unlink()


def _is_private(folder: Path, account: Account) -> bool:
    return folder.is_dir() and folder.stat().st_uid == account.uid and folder.stat().st_mode & 0o777 == 0o700


def _fits(folder: Path) -> bool:
    return len(os.fsencode(folder / _FILE)) <= LIMIT_BYTES


def _short_places(account: Account) -> list[str]:
    """The user's own runtime folder first, then the temporary ones; a new 0700 folder in them is private."""
    places = [os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir(), "/tmp"]
    return [p for p in places if p and Path(p).is_dir() and closed_to(account, Path(p)) is None]
