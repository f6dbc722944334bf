"""What a stretch of time cost in processor time, ours and the whole machine's: a figure that no neighbour changes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Cpu:
    """Seconds of processor time: of everything that this process started, and of the machine."""

    ours_s: float
    busy_s: float
    idle_s: float

    @classmethod
    def now(cls) -> Cpu:
        machine = psutil.cpu_times()
        idle_s = machine.idle + getattr(machine, "iowait", 0.0)
        busy_s = machine.user + machine.system + getattr(machine, "nice", 0.0) + getattr(machine, "softirq", 0.0)
        return cls(sum(map(_spent, psutil.Process().children(recursive=True))), busy_s, idle_s)

    def since(self, before: Cpu) -> Cpu:
        return Cpu(self.ours_s - before.ours_s, self.busy_s - before.busy_s, self.idle_s - before.idle_s)

    @property
    def others_share(self) -> float:
        """The share of the machine that others had: from 0.2 on, times on the wall say little."""
        return max(0.0, self.busy_s - self.ours_s) / ((self.busy_s + self.idle_s) or 1.0)


def _spent(process: psutil.Process) -> float:
    """With what its ended children spent where nobody else counts them: scripts in boxes, connections to PostgreSQL."""
    with suppress(psutil.Error):
        times = process.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0
