"""`standby up` as a person starts it: a process with a terminal to read from."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from bot.processes.running import Running

READY_S = 90.0


class StandbyUp:
    """`standby up --port 0 --data DIR`, from its start to its end; a block of it ends whatever is left."""

    def __init__(self, data_dir: Path, environ: Mapping[str, str] | None = None) -> None:
        self.data_dir = data_dir
        self._lines: list[str] = []
        names = {name: value for name, value in os.environ.items() if not name.startswith(("STANDBY_", "ANTHROPIC_"))}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli", "up", "--port", "0", "--data", str(data_dir)],
            env={**names, **(environ or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def url(self) -> str:
        """The page, once it is up."""
        self.wait_for("Ctrl-C stops everything.")
        found = re.search(r"Open (\S+)", self.said)
        assert found, self.said
        return found[1]

    @property
    def said(self) -> str:
        """All that the terminal shows so far."""
        return "\n".join(self._lines)

    @property
    def running(self) -> Running:
        """What it says about itself in its folder."""
        there = Running.read(self.data_dir)
        assert there is not None, "it runs, so it has an up.json"
        return there

    def pid_of(self, part: str) -> int:
        """The process of one part now."""
        return next(mark.pid for mark in self.running.parts if mark.name == part)

    def wait_for(self, words: str, within_s: float = READY_S) -> None:
        """Until the terminal shows `words`."""
        deadline = time.monotonic() + within_s
        while words not in self.said:
            assert self.process.poll() is None, f"it ended: {self.said}"
            assert time.monotonic() < deadline, f"it never said {words!r}: {self.said}"
            time.sleep(0.05)

    def family(self) -> list[psutil.Process]:
        """Everything that it started, and what that started."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """As Ctrl-C does; returns the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(60)
        self._reader.join(5)
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.stop()
        self._reader.join(5)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.append(line.rstrip("\n"))


def all_gone(processes: list[psutil.Process], within_s: float = 30.0) -> bool:
    """Whether none of them lives at the end of `within_s`; a zombie does not live."""
    deadline = time.monotonic() + within_s
    while living := [process for process in processes if _lives(process)]:
        if time.monotonic() > deadline:
            print("still there:", [(process.pid, process.cmdline()) for process in living])
            return False
        time.sleep(0.05)
    return True


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
