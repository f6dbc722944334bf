"""What `up` says about itself in DATA/up.json: for a second `up`, `doctor`, and the next start after a crash."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psutil

from bot.processes.parts import Part, kill_group

CLOCK_CORRECTION_S = 2.0
PATIENCE_S = 20.0  # a little more than a part on a broken lifeline gives itself


@dataclass(frozen=True)
class ProcessMark:
    """One process, told apart from a later one with its number by when it began."""

    name: str
    pid: int
    began_at: float

    @classmethod
    def of(cls, name: str, pid: int) -> ProcessMark:
        """Marks a living process. Raises psutil.NoSuchProcess."""
        return cls(name, pid, psutil.Process(pid).create_time())

    def process(self) -> psutil.Process | None:
        """The process if it still lives; a zombie does not."""
        try:
            found = psutil.Process(self.pid)
            # The start is reckoned from the boot time, which moves when the computer's clock is corrected.
            same = abs(found.create_time() - self.began_at) < CLOCK_CORRECTION_S
            same = same and found.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return None
        return found if same else None


@dataclass(frozen=True)
class Running:
    """A running `up`. `variables` are the settings it decided itself, the desk's and local boxes' secrets included."""

    up: ProcessMark
    url: str
    variables: Mapping[str, str]
    parts: tuple[ProcessMark, ...] = field(default_factory=tuple)

    def write(self, data_dir: Path) -> None:
        """Replaces what was written before; only we may read it."""
        partial = data_dir / "up.json.partial"
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(asdict(self), file, indent=1)
        partial.rename(data_dir / "up.json")

    @classmethod
    def read(cls, data_dir: Path) -> Running | None:
        """What the last `up` wrote, whether it still runs or not; None where there is nothing to read."""
        try:
            said = json.loads((data_dir / "up.json").read_text())
        except (FileNotFoundError, PermissionError, NotADirectoryError):
            return None
        parts = tuple(ProcessMark(**part) for part in said["parts"])
        return cls(ProcessMark(**said["up"]), said["url"], said["variables"], parts)


def forget(data_dir: Path) -> None:
    """Nothing runs any more."""
    (data_dir / "up.json").unlink(missing_ok=True)


def marks(parts: Iterable[Part]) -> tuple[ProcessMark, ...]:
    """The parts that live now. The database is left out: its own folder says what became of it."""
    found = []
    for part in parts:
        try:
            if part.pid and part.name != "database":
                found.append(ProcessMark.of(part.name, part.pid))
        except psutil.NoSuchProcess:
            continue
    return tuple(found)


def end_leftovers(data_dir: Path) -> list[str]:
    """Waits for the parts of an `up` that was killed, then ends those that stay; returns the names of these."""
    before = Running.read(data_dir)
    living = [mark for mark in before.parts if mark.process()] if before else []
    deadline = time.monotonic() + PATIENCE_S
    while (stayed := [mark for mark in living if mark.process()]) and time.monotonic() < deadline:
        time.sleep(0.1)
    for mark in stayed:
        kill_group(mark.pid)
    forget(data_dir)
    return [mark.name for mark in stayed]
