"""What a crash left behind: a server nobody minds, or lock files that name a process that is not ours.

PostgreSQL believes a process number in postmaster.pid if any such process lives. After a restart of a container,
or where nobody collects the dead, that number is somebody else or a zombie, and it would never start again.
"""

from __future__ import annotations

import signal
import time
from pathlib import Path

import psutil

from bot.store.embedded.errors import CannotStart

FAST_S = 30.0  # what a fast shutdown may take: it ends transactions and writes a checkpoint
HARD_S = 5.0


def clear(cluster: Path, socket_folder: Path) -> None:
    """Afterwards no server works on `cluster`, and no lock file says so. Call it only with the folder's lock held."""
    for process in servers_of(cluster):
        stop(process)
    (cluster / "postmaster.pid").unlink(missing_ok=True)
    for socket in socket_folder.glob(".s.PGSQL.*"):
        socket.unlink(missing_ok=True)


def servers_of(cluster: Path) -> list[psutil.Process]:
    """Every live process that works inside `cluster`, the postmaster first, whatever any pid file says."""
    found = [process for process in psutil.process_iter() if _works_in(process, cluster)]
    numbers = {process.pid for process in found}
    return sorted(found, key=lambda process: _parent(process) in numbers)


def stop(process: psutil.Process) -> None:
    """A fast shutdown, then an immediate one, then SIGKILL. Raises CannotStart if it still lives."""
    # To a server process whose postmaster is gone SIGINT means only "give up this query".
    asked = (signal.SIGTERM, HARD_S) if _is_orphan(process) else (signal.SIGINT, FAST_S)
    for number, patience_s in (asked, (signal.SIGQUIT, HARD_S), (signal.SIGKILL, HARD_S)):
        if not _alive(process):
            return
        try:
            process.send_signal(number)
        except psutil.NoSuchProcess:
            return
        _wait(process, patience_s)
    if _alive(process):
        raise CannotStart(
            f"An earlier database server (process {process.pid}) does not stop, not even when killed. "
            "Its disk may hang; look at it, or restart the computer."
        )


def _wait(process: psutil.Process, patience_s: float) -> None:
    deadline = time.monotonic() + patience_s
    while _alive(process) and time.monotonic() < deadline:
        time.sleep(0.02)


def _alive(process: psutil.Process) -> bool:
    """A zombie is dead: it holds no file and no memory, only its number."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _works_in(process: psutil.Process, cluster: Path) -> bool:
    """PostgreSQL's processes all stand in their cluster's folder; a zombie stands nowhere."""
    try:
        return process.name().startswith("postgres") and Path(process.cwd()) == cluster
    except (psutil.Error, OSError):
        return False


def _is_orphan(process: psutil.Process) -> bool:
    """All but the postmaster call themselves `postgres: what they do`."""
    try:
        return process.cmdline()[:1] != [] and process.cmdline()[0].startswith("postgres:")
    except (psutil.Error, IndexError):
        return False


def _parent(process: psutil.Process) -> int:
    try:
        return process.ppid()
    except psutil.NoSuchProcess:
        return 0
