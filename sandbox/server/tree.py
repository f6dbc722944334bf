"""The processes of a command: finding them all, ending them, and finding those left behind."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
from pathlib import Path

import psutil

_PROC = Path("/proc/self/task")


def descendants(pid: int) -> list[int]:
    """`pid` and everything below it. A process that calls setsid or forks twice still descends from the
    jail's first process, because that one is init of the box's own pid namespace."""
    if not _PROC.is_dir():
        return _descendants_elsewhere(pid)
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                text = (task / "children").read_text(encoding="ascii")
                found += [int(child) for child in text.split()]
    return found


def _descendants_elsewhere(pid: int) -> list[int]:
    """Without /proc (macOS), where a process whose parent ended is no longer found."""
    with contextlib.suppress(psutil.Error):
        return [pid, *(child.pid for child in psutil.Process(pid).children(recursive=True))]
    return [pid]


def kill_tree(pid: int) -> None:
    """Ends a jail and all in it. Its launcher is stopped first, so that it can start nothing meanwhile."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
        for member in reversed(descendants(pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)


def mark_of(root: Path) -> str:
    """A word on the command line of every jail whose box lies under `root`; it tells nothing about the path."""
    return "box-" + hashlib.sha256(os.fsencode(root)).hexdigest()[:32]


def jails_under(root: Path) -> list[int]:
    """Launchers of jails whose box lies under `root`, told by their mark.

    Looking costs less than trusting: a list of pids kept on disk misses what was started just before a
    crash, and may name a stranger who got the number since.
    """
    mark = os.fsencode(mark_of(root))
    if not _PROC.is_dir():
        return [each.pid for each in psutil.process_iter(["cmdline"]) if mark.decode() in (each.info["cmdline"] or ())]
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if mark in words and not words[0].endswith(b"bash"):
                    found.append(int(entry.name))
    return found
