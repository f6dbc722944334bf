"""Folders of ours: made if absent, refused in words where they are another user's, and nothing above them touched."""

from __future__ import annotations

import os
from pathlib import Path

from bot.store.embedded.account import owner
from bot.store.embedded.errors import FolderNotOurs


def make(folder: Path, mode: int) -> None:
    """Makes `folder` with `mode`, whatever our umask is; leaves one that exists as it is.

    Raises FolderNotOurs where another user's permissions are in the way.
    """
    try:
        if not folder.exists():
            folder.mkdir(parents=True)
            folder.chmod(mode)
        elif not os.access(folder, os.W_OK | os.X_OK):
            raise FolderNotOurs(folder, owner(folder))
    except PermissionError as error:
        theirs = _nearest_seen(folder)
        raise FolderNotOurs(theirs, owner(theirs)) from error


def make_inner(folder: Path, mode: int) -> None:
    """The same for a folder inside the data folder, which even root does not share with another user."""
    make(folder, mode)
    if folder.stat().st_uid != os.geteuid():
        raise FolderNotOurs(folder, owner(folder))


def _nearest_seen(folder: Path) -> Path:
    for step in (folder, *folder.parents):
        try:
            step.lstat()
        except OSError:
            continue
        return step
    return Path("/")
