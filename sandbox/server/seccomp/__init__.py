"""The system call filter of every box: which calls the kernel refuses, as a program checked in for each processor."""

from __future__ import annotations

import platform
from pathlib import Path

FOLDER = Path(__file__).parent


class NoFilter(Exception):
    """There is no filter for this processor, so a box here would have a larger door to the kernel than promised."""


def filter_bytes(machine: str | None = None) -> bytes:
    """The checked-in BPF program for `machine`, this one by default. Raises NoFilter."""
    name = machine or platform.machine()
    path = FOLDER / f"{name}.bpf"
    if not path.is_file():
        raise NoFilter(f"there is no system call filter for {name} processors yet, only for x86_64 and aarch64")
    return path.read_bytes()
