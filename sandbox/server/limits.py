"""What one box may use at most, and the shell line that makes the kernel hold a command to it."""

from __future__ import annotations

import resource
from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Ceilings of a box. Memory and disk are also watched over the whole box, see watchdog.py."""

    memory_bytes: int = 1024 * MIB
    disk_bytes: int = 10 * 1024 * MIB
    processes: int = 256  # polars and duckdb start 24 threads on two cores; 16 fails, 64 is fine
    open_files: int = 1024
    cpu_s: int = 3600  # per process; the wall clock is the command's timeout and the box's life
    threads: int = 2

    def shell_line(self, *, count_processes: bool = True) -> str:
        """`ulimit`s for bash, joined by && so that a limit which cannot be set stops the command.

        They are set inside the box's user namespace: only there does the kernel count this box's processes
        alone and not everything else its user runs. RLIMIT_AS is left out on purpose: polars reserves
        1.8 GiB of addresses for 250 MB of data, and RLIMIT_DATA binds what is really written to.
        """
        wanted = (
            ("u", resource.RLIMIT_NPROC, self.processes, 1),
            ("n", resource.RLIMIT_NOFILE, self.open_files, 1),
            ("t", resource.RLIMIT_CPU, self.cpu_s, 1),
            ("d", resource.RLIMIT_DATA, self.memory_bytes, 1024),
            ("f", resource.RLIMIT_FSIZE, self.disk_bytes, 1024),
        )
        return " && ".join(
            f"ulimit -{letter} {_within(kind, value) // unit}"
            for letter, kind, value, unit in wanted
            if letter != "u" or count_processes
        )

    def environment(self) -> dict[str, str]:
        """Variables that keep libraries from sizing themselves by the host."""
        threads = str(self.threads)
        return {
            "BOX_MEMORY_MB": str(self.memory_bytes // MIB),
            "BOX_THREADS": threads,
            "POLARS_MAX_THREADS": threads,
            "OMP_NUM_THREADS": threads,
            "OPENBLAS_NUM_THREADS": threads,
            "MALLOC_ARENA_MAX": "2",
        }


def leave_no_core() -> None:
    """For this process and all it starts: what crashes in a box must not outlive it in the host's own store of cores.

    One byte and not none, because a host that pipes cores to a program (systemd-coredump, apport) does so with a limit
    of 0 too, and only 1 keeps it from that: core(5), and fs/coredump.c. The system call filter holds scripts to it.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (1, 1))


def _within(kind: int, value: int) -> int:
    """`value`, or less when the server itself may have less: only root may raise a hard limit."""
    _, hard = resource.getrlimit(kind)
    return value if hard == resource.RLIM_INFINITY else min(value, hard)
