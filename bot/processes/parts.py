"""What the supervisor runs: the database, and programs each in a process, an environment and a log of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psutil

from bot.processes import lifeline
from bot.processes.log_file import LogFile
from bot.store.embedded import Embedded

EXIT_REFUSED = lifeline.EXIT_REFUSED


class Part(Protocol):
    """Something the supervisor starts, watches and stops."""

    @property
    def name(self) -> str:
        """What it is called in the terminal, in its log's name and in `up.json`."""

    @property
    def log(self) -> LogFile:
        """Where it says what it does."""

    @property
    def pid(self) -> int:
        """Its process, 0 where there is none."""

    def start(self) -> None:
        """Starts it; may return before it is ready. Raises StandbyError where that fails at once."""

    def is_alive(self) -> bool:
        """Whether its process lives."""

    def is_ready(self) -> bool:
        """Whether it said that it does its work."""

    def ended_with(self) -> str:
        """How it ended, in words."""

    def was_killed(self) -> bool:
        """Whether something outside ended it by force."""

    def is_hopeless(self) -> bool:
        """Whether it ended saying that another start would end the same way."""

    def ask_to_stop(self) -> None:
        """Asks it to finish what it holds and end."""

    def end(self) -> None:
        """Ends it, and whatever it left in its group, for good."""


class DatabasePart:
    """The embedded PostgreSQL as a part."""

    name = "database"

    def __init__(self, embedded: Embedded) -> None:
        self._embedded = embedded
        self.log = LogFile(embedded.log)

    @property
    def pid(self) -> int:
        return self._embedded.pid

    def start(self) -> None:
        self._embedded.start()

    def is_alive(self) -> bool:
        return self._embedded.running

    def is_ready(self) -> bool:
        return self._embedded.running

    def ended_with(self) -> str:
        return "its server ended"

    def was_killed(self) -> bool:
        return False

    def is_hopeless(self) -> bool:
        return False

    def ask_to_stop(self) -> None:
        """A fast shutdown is over in moments, so it is not only asked for."""
        self._embedded.stop()

    def end(self) -> None:
        """After a crash nothing: the next start clears up, and keeps the address that others know."""
        if self.is_alive():
            self._embedded.stop()


@dataclass(frozen=True)
class Program:
    """How one process is started. `arguments` is asked at each start, so that a restart can keep what was found out."""

    name: str
    module: str
    environment: Mapping[str, str]
    ready: Path | str  # the file that it writes, or the line that it prints, when it does its work
    arguments: Callable[[], Sequence[str]] = tuple


class ProcessPart:
    """A Python module in a process of its own: spawned, never forked, in its own session, on a lifeline."""

    def __init__(self, program: Program, logs: Path) -> None:
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._lifeline: int | None = None
        self.log = LogFile(logs / f"{program.name}.log")

    @property
    def name(self) -> str:
        return self._program.name

    @property
    def pid(self) -> int:
        return self._process.pid if self._process is not None else 0

    def start(self) -> None:
        module = [self._program.module, *self._program.arguments()]
        if isinstance(self._program.ready, Path):
            self._program.ready.unlink(missing_ok=True)
        theirs, ours = os.pipe()
        with self.log.open() as log:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "bot.processes.lifeline", *module],
                env={**self._program.environment, lifeline.VARIABLE: str(theirs)},
                pass_fds=[theirs],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # a Ctrl-C in the terminal is for the supervisor, which keeps the order
            )
        os.close(theirs)
        self._lifeline = ours

    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def is_ready(self) -> bool:
        if not self.is_alive():
            return False
        if isinstance(self._program.ready, Path):
            return self._program.ready.exists()
        return self.log.has_line(self._program.ready)

    def ended_with(self) -> str:
        code = self._process.poll() if self._process is not None else None
        if code is not None and code < 0:
            return f"signal {signal.Signals(-code).name}"
        return f"exit code {code}"

    def was_killed(self) -> bool:
        return self._process is not None and self._process.poll() in (-signal.SIGKILL, -signal.SIGTERM)

    def is_hopeless(self) -> bool:
        return self._process is not None and self._process.poll() == EXIT_REFUSED

    def ask_to_stop(self) -> None:
        if self._process is not None and self.is_alive():
            self._process.terminate()

    def end(self) -> None:
        if self._process is None:
            return
        children = descendants(self._process.pid) if self.is_alive() else []
        kill_group(self._process.pid)
        self._process.wait()
        for child in children:
            _kill(child)
        if self._lifeline is not None:
            os.close(self._lifeline)
        self._process = self._lifeline = None


def descendants(pid: int) -> list[psutil.Process]:
    """All that the process `pid` started and what that started, in whatever group; nobody for 0."""
    if not pid:
        return []
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def kill_group(pid: int) -> None:
    """The part leads its group; what it started and left there goes with it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS says EPERM where only zombies are left
        os.killpg(pid, signal.SIGKILL)


def _kill(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        process.kill()
