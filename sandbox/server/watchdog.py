"""The eye on a running command: ends it when it uses more memory, disk or processes than its box may."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from sandbox.server.limits import MIB, Limits
from sandbox.server.tree import descendants
from sandbox.server.usage import folder_bytes, memory_bytes, unnamed_bytes

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
        used = memory_bytes(pids) + unnamed_bytes(pids, in_memory=True)
        if used > self._limits.memory_bytes:
            return f"the box used {used // MIB} MB of memory; it may use {self._limits.memory_bytes // MIB} MB"
        return None

    def _disk(self, pids: list[int]) -> str | None:
        try:
            used = folder_bytes(self._folder) + unnamed_bytes(pids, in_memory=False)
        except OSError:
            return "its folders are nested deeper than they can be measured"
        if used > self._limits.disk_bytes:
            return f"the box wrote {used // MIB} MB to disk; it may write {self._limits.disk_bytes // MIB} MB"
        if shutil.disk_usage(self._folder).free < HOST_SPARE_BYTES:
            return "the disk of this computer is nearly full"
        return None
