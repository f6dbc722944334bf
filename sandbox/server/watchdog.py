"""The eye on a running command: ends it when it uses more memory, disk or processes than its box may."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

from sandbox.server.limits import MIB, Limits
from sandbox.server.tree import descendants, memory_bytes

MEMORY_EVERY_S = 0.2
HOST_SPARE_BYTES = 256 * MIB  # a box's files never take the host's last disk space
DISK_EVERY_ROUNDS = 5  # walking a folder costs more than reading /proc


class Watchdog:
    """Looks at one jail's process tree and its box's folder. Used where no cgroup can be had, so: everywhere."""

    def __init__(self, pid: int, folder: Path, limits: Limits) -> None:
        self._pid = pid
        self._folder = folder
        self._limits = limits
        self._checks: tuple[Callable[[list[int]], str | None], ...] = (self._processes, self._memory)
        self._rounds = 0

    def look(self) -> str | None:
        """One round; a sentence when a ceiling is passed. Blocking: call it on a thread."""
        pids = descendants(self._pid)
        for check in self._checks:
            if reason := check(pids):
                return reason
        self._rounds += 1
        return self._disk(pids) if self._rounds % DISK_EVERY_ROUNDS == 1 else None

    def _processes(self, pids: list[int]) -> str | None:
        # bubblewrap's own two are not the script's; the slack leaves the first word to the kernel's limit.
        if len(pids) > self._limits.processes * 2:
            return f"the box had {len(pids)} processes; it may have {self._limits.processes}"
        return None

    def _memory(self, pids: list[int]) -> str | None:
        used = memory_bytes(pids) + _hidden_bytes(pids, in_memory=True)
        if used > self._limits.memory_bytes:
            return f"the box used {used // MIB} MB of memory; it may use {self._limits.memory_bytes // MIB} MB"
        return None

    def _disk(self, pids: list[int]) -> str | None:
        try:
            used = folder_bytes(self._folder) + _hidden_bytes(pids, in_memory=False)
        except OSError:
            return "its folders are nested deeper than they can be measured"
        if used > self._limits.disk_bytes:
            return f"the box wrote {used // MIB} MB to disk; it may write {self._limits.disk_bytes // MIB} MB"
        if shutil.disk_usage(self._folder).free < HOST_SPARE_BYTES:
            return "the disk of this computer is nearly full"
        return None


def folder_bytes(folder: Path) -> int:
    """What a folder really occupies: blocks, so that sparse files count as what they cost.

    Raises OSError when it is nested too deep to be looked at, else nothing hides: permissions that its owner
    took from a folder are given back.
    """
    used = 0
    pending = [folder]
    while pending:
        for entry in _entries(pending.pop()):
            with contextlib.suppress(FileNotFoundError):
                used += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    pending.append(Path(entry.path))
    return used


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except PermissionError:
        folder.chmod(0o700)
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):  # it went while we looked
        return []


def _hidden_bytes(pids: list[int], *, in_memory: bool) -> int:
    """Files that no name leads to but an open descriptor keeps: memfds (memory), deleted files (disk)."""
    seen: dict[tuple[int, int], int] = {}
    for descriptor in (each for pid in pids for each in _descriptors(pid)):
        with contextlib.suppress(OSError):
            info = descriptor.stat()
            unnamed = stat.S_ISREG(info.st_mode) and info.st_nlink == 0
            if unnamed and str(descriptor.readlink()).startswith("/memfd:") == in_memory:
                seen[info.st_dev, info.st_ino] = info.st_blocks * 512
    return sum(seen.values())


def _descriptors(pid: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{pid}/fd").iterdir())
    except OSError:  # it ended while we looked
        return []
