"""A folder that no path leaves: every look-up goes through openat2, so a script's links lead nowhere outside."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import posixpath
import secrets
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

_OPENAT2 = 437  # the same number on every architecture
_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_IN_ROOT = 0x10
_HAS_OPENAT2 = sys.platform == "linux"
O_PATH: int = getattr(os, "O_PATH", os.O_RDONLY)
_RETRIES = 100  # the kernel asks to try again while something in the folder is being renamed
_libc = ctypes.CDLL(None, use_errno=True)


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


class Confined:
    """The file tree of one box, as absolute paths in it. What is made here is given to the uid `owner`, if any.

    All methods raise OSError; a path is absolute and textually normal.
    """

    def __init__(self, root: Path, owner: int | None) -> None:
        self.root = root
        self.owner = owner

    def open(self, path: str, flags: int, mode: int = 0o644) -> int:
        """A file descriptor for `path`, which the caller closes."""
        how = _OpenHow(
            flags | os.O_CLOEXEC,
            mode if flags & os.O_CREAT else 0,
            _RESOLVE_IN_ROOT | _RESOLVE_NO_MAGICLINKS,
        )
        if not _HAS_OPENAT2:
            return open_by_steps(self.root, path, flags, mode)
        root = os.open(self.root, O_PATH | os.O_DIRECTORY)
        try:
            for _ in range(_RETRIES):
                fd = int(_libc.syscall(_OPENAT2, root, os.fsencode(path), ctypes.byref(how), ctypes.sizeof(how)))
                if fd >= 0:
                    return fd
                if ctypes.get_errno() != errno.EAGAIN:
                    break
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), path)
        finally:
            os.close(root)

    @contextlib.contextmanager
    def folder(self, path: str, *, make: bool = False) -> Iterator[int]:
        """A descriptor of the folder `path`, made with its parents when `make` says so."""
        fd = self._open_folder(path, make)
        try:
            yield fd
        finally:
            os.close(fd)

    @contextlib.contextmanager
    def parent(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """The folder that holds `path`, as a descriptor, and the name of `path` in it."""
        head, name = posixpath.split(path)
        with self.folder(head, make=make) as fd:
            yield fd, name

    @contextlib.contextmanager
    def replacing(self, path: str) -> Iterator[int]:
        """A descriptor to write a new file to; it becomes `path` when the block ends well, else it is gone."""
        temporary = f".upload-{secrets.token_hex(8)}"
        with self.parent(path, make=True) as (folder, name):
            fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644, dir_fd=folder)
            try:
                self._give_away(fd)
                yield fd
                os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary, dir_fd=folder)
                raise
            finally:
                os.close(fd)

    def move(self, source: str, target: str) -> None:
        with (
            self.parent(source) as (from_fd, from_name),
            self.parent(target, make=True) as (to_fd, to_name),
        ):
            os.rename(from_name, to_name, src_dir_fd=from_fd, dst_dir_fd=to_fd)

    def remove(self, path: str) -> None:
        """Removes a file, a link (never its target) or a whole folder."""
        with self.parent(path) as (folder, name):
            try:
                os.unlink(name, dir_fd=folder)
            except IsADirectoryError:
                _remove_tree(name, folder)

    def stat(self, path: str) -> tuple[os.stat_result, str | None]:
        """What `path` itself is, and where it points when it is a link."""
        with self.parent(path) as (folder, name):
            return entry_of(folder, name)

    def _open_folder(self, path: str, make: bool) -> int:
        flags = os.O_RDONLY | os.O_DIRECTORY
        try:
            return self.open(path, flags)
        except FileNotFoundError:
            if not make or path == "/":
                raise
        with self.parent(path, make=True) as (above, name), contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o755, dir_fd=above)
        fd = self.open(path, flags)
        self._give_away(fd)
        return fd

    def _give_away(self, fd: int) -> None:
        if self.owner is not None:
            os.fchown(fd, self.owner, self.owner)


def open_by_steps(root: Path, path: str, flags: int, mode: int = 0o644) -> int:
    """Where there is no openat2: one step at a time, following no link at all, which is safe and refuses more."""
    *folders, name = [part for part in path.split("/") if part] or ["."]
    above = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for folder in folders:
            below = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=above)
            os.close(above)
            above = below
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=above)
    finally:
        os.close(above)


def _remove_tree(name: str, folder: int) -> None:
    try:
        shutil.rmtree(name, dir_fd=folder)
    except RecursionError:
        raise OSError(errno.ENAMETOOLONG, "its folders are nested too deep", name) from None


def entry_of(folder: int, name: str) -> tuple[os.stat_result, str | None]:
    """The entry `name` of an open folder, unfollowed; the second value is a link's target."""
    name = name or "."
    info = os.stat(name, dir_fd=folder, follow_symlinks=False)
    target = os.readlink(name, dir_fd=folder) if (info.st_mode & 0o170000) == 0o120000 else None
    return info, target
