"""One Standby per folder: a lock that the operating system drops when its holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from bot.store.embedded.account import owner
from bot.store.embedded.errors import AlreadyRunning, FolderNotOurs


class FolderLock:
    """The exclusive right to do one thing with a data folder."""

    def __init__(self, path: Path, folder: Path) -> None:
        """`path` is the lock file, `folder` the data folder that it stands for."""
        self._path = path
        self._folder = folder
        self._file: int | None = None

    def take(self) -> None:
        """Raises AlreadyRunning where another process has it, FolderNotOurs where another user made it."""
        if self._file is not None:
            return
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except PermissionError as error:
            raise FolderNotOurs(self._path, owner(self._path)) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(file, 20, 0).strip()
            os.close(file)
            raise AlreadyRunning(self._folder, int(holder) if holder.isdigit() else 0) from error
        os.ftruncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        self._file = file

    def release(self) -> None:
        """Gives the right up; harmless where it was never taken."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
