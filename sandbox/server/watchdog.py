"""The eye on a running command: ends it when it uses more memory, disk or processes than its box may."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from sandbox.server.cgroups import Group
from sandbox.server.limits import MIB, Limits
from sandbox.server.tree import descendants
from sandbox.server.usage import folder_bytes, mapped_bytes, memory_bytes, unnamed_bytes

MEMORY_EVERY_S = 0.2
HOST_SPARE_BYTES = 256 * MIB  # a box's files never take the host's last disk space
OUT_OF_MEMORY = "the box used all the MB of memory it may use, and the kernel ended what asked for more"
# A deleted file that is only mapped can hide its size from us; it counts as this part of a box's disk.
UNMEASURED = 4
DISK_EVERY_ROUNDS = 5  # walking a folder costs more than reading /proc


class Watchdog:
    """Looks at the process trees of all commands of a box (`pids`) and at its folder.

    Each command has its own, and all see the same: what several commands use together ends all of them.
    """

    def __init__(self, pids: Callable[[], list[int]], folder: Path, limits: Limits, group: Group | None) -> None:
        self._pids = pids
        self._folder = folder
        self._limits = limits
        self._group = group
        self._checks: tuple[Callable[[list[int]], str | None], ...] = (self._processes, self._memory)
        self._rounds = 0

    def look(self) -> str | None:
        """One round; a sentence when a ceiling is passed. Blocking: call it on a thread."""
        pids = [member for pid in self._pids() for member in descendants(pid)]
        for check in self._checks:
            if reason := check(pids):
                return reason
        self._rounds += 1
        return self._disk(pids) if self._rounds % DISK_EVERY_ROUNDS == 1 else None

    def kernel_ended_some(self) -> bool:
        """Whether the kernel already took a process for memory; what is left of the box is not worth going on."""
        return self._group is not None and self._group.has_killed()

    def _processes(self, pids: list[int]) -> str | None:
        # A jail's own are not the script's; the slack leaves the first word to the kernel's limit.
        if len(pids) > self._limits.processes * 2:
            return f"the box had {len(pids)} processes; it may have {self._limits.processes}"
        return None

    def _memory(self, pids: list[int]) -> str | None:
        if self.kernel_ended_some():
            return OUT_OF_MEMORY
        used = memory_bytes(pids) + unnamed_bytes(pids, in_memory=True)
        if used > self._limits.memory_bytes:
            return f"the box used {used // MIB} MB of memory; it may use {self._limits.memory_bytes // MIB} MB"
        return None

    def _disk(self, pids: list[int]) -> str | None:
        try:
            used = folder_bytes(self._folder) + unnamed_bytes(pids, in_memory=False)
            used += mapped_bytes(pids, self._limits.disk_bytes // UNMEASURED)
        except OSError:
            return "its folders are nested deeper than they can be measured"
        if used > self._limits.disk_bytes:
            return f"the box wrote {used // MIB} MB to disk; it may write {self._limits.disk_bytes // MIB} MB"
        if shutil.disk_usage(self._folder).free < HOST_SPARE_BYTES:
            return "the disk of this computer is nearly full"
        return None
