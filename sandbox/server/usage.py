"""Measuring what a box uses, so that nothing it does can hide any of it."""

from __future__ import annotations

import contextlib
import os
import posixpath
import stat
from collections.abc import Iterator
from pathlib import Path

import psutil

from sandbox.server.confined import O_PATH, Confined

ENTRY_BYTES = 4096


def memory_bytes(pids: list[int]) -> int:
    """The memory of the processes together, pages shared among them counted once (PSS)."""
    return sum(_pss_bytes(pid) for pid in pids)


def _pss_bytes(pid: int) -> int:
    if not Path("/proc/self").exists():  # macOS, where shared pages are counted for each
        with contextlib.suppress(psutil.Error):
            return int(psutil.Process(pid).memory_info().rss)
        return 0
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except PermissionError:
        return _resident_bytes(pid)
    except OSError:  # it ended while we looked
        return 0
    return 0


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


def folder_bytes(folder: Path) -> int:
    """What a folder really occupies: blocks, so that sparse files count as what they cost, and for each entry
    ENTRY_BYTES at least, so that endless empty files end too; a disk has only so many names to give.

    Looked at by descriptors that cannot leave `folder`, as a script may swap folders for links meanwhile.
    Raises OSError when it is nested too deep to be named.
    """
    files = Confined(folder, None)
    used = 0
    pending = ["/"]
    while pending:
        path = pending.pop()
        for entry in _entries(files, path):
            with contextlib.suppress(FileNotFoundError):
                used += max(entry.stat(follow_symlinks=False).st_blocks * 512, ENTRY_BYTES)
                if entry.is_dir(follow_symlinks=False):
                    pending.append(posixpath.join(path, entry.name))
    return used


def _entries(files: Confined, path: str) -> Iterator[os.DirEntry[str]]:
    try:
        fd = _opened(files, path)
    except (FileNotFoundError, NotADirectoryError):  # it went while we looked
        return
    try:
        with os.scandir(fd) as entries:
            yield from entries
    finally:
        os.close(fd)


def _opened(files: Confined, path: str) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    try:
        return files.open(path, flags)
    except PermissionError:  # its owner took the permissions away; it is ours too, so we give them back
        fd = files.open(path, O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            Path(f"/proc/self/fd/{fd}").chmod(0o700)
        finally:
            os.close(fd)
        return files.open(path, flags)


def unnamed_bytes(pids: list[int], *, in_memory: bool) -> int:
    """Files that no name leads to but an open descriptor keeps: memfds (memory), deleted files (disk)."""
    return sum(_open_unnamed(pids, in_memory=in_memory).values())


def mapped_bytes(pids: list[int], unmeasured_bytes: int) -> int:
    """Deleted files on disk that neither a name nor a descriptor leads to any more, only memory they are mapped to.

    Only root may ask for the size of such a file; where we may not, it counts as `unmeasured_bytes`.
    """
    known = _open_unnamed(pids, in_memory=False)
    hidden: dict[int, int] = {}
    for pid in pids:
        for span, inode in _mapped_unnamed(pid):
            if inode not in known and inode not in hidden:
                hidden[inode] = _mapped_size(pid, span, unmeasured_bytes)
    return sum(hidden.values())


def _mapped_unnamed(pid: int) -> Iterator[tuple[str, int]]:
    """Where in memory, and the number of the file."""
    with contextlib.suppress(OSError):  # it ended while we looked
        for line in Path(f"/proc/{pid}/maps").read_bytes().splitlines():
            if line.endswith(b" (deleted)"):
                span, _, _, _, inode, path = line.split(maxsplit=5)
                if not path.startswith((b"/memfd:", b"/dev/zero ")):  # those are memory
                    yield span.decode(), int(inode)


def _mapped_size(pid: int, span: str, unmeasured_bytes: int) -> int:
    try:
        return Path(f"/proc/{pid}/map_files/{span}").stat().st_blocks * 512
    except PermissionError:
        return unmeasured_bytes
    except OSError:
        return 0


def _open_unnamed(pids: list[int], *, in_memory: bool) -> dict[int, int]:
    """By number, which is all that a line of /proc/PID/maps tells for certain of its file."""
    seen: dict[int, int] = {}
    for descriptor in (each for pid in pids for each in _descriptors(pid)):
        with contextlib.suppress(OSError):
            info = descriptor.stat()
            unnamed = stat.S_ISREG(info.st_mode) and info.st_nlink == 0
            if unnamed and str(descriptor.readlink()).startswith("/memfd:") == in_memory:
                seen[info.st_ino] = info.st_blocks * 512
    return seen


def _descriptors(pid: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{pid}/fd").iterdir())
    except OSError:  # it ended while we looked
        return []
