"""A real part for tests of the supervisor: `python -m tests.processes.small_part WHAT`."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

from bot.settings import Settings


def steady() -> None:
    """Works until told to stop, and then finishes what it holds."""
    signal.signal(signal.SIGTERM, _finish)
    print("part ready", flush=True)
    time.sleep(600)


def stubborn() -> None:
    """Hears no SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("part ready", flush=True)
    time.sleep(600)


def parent() -> None:
    """Starts a child that runs away into a session of its own, and never ends it."""
    subprocess.Popen(["sleep", "600"], start_new_session=True)
    subprocess.Popen(["sleep", "601"])
    steady()


def talker() -> None:
    """Writes and writes."""
    print("part ready", flush=True)
    while True:
        print("a line of the log " * 50, flush=True)
        time.sleep(0.0005)


def unlucky() -> None:
    """Crashes soon after it was ready."""
    print("part ready", flush=True)
    time.sleep(0.05)
    raise RuntimeError("the disk has run away")


def unlucky_once(flag: str) -> None:
    """Crashes the first time only."""
    if not Path(flag).exists():
        Path(flag).touch()
        unlucky()
    steady()


def broken() -> None:
    """Never becomes ready."""
    raise RuntimeError("no such table: slots")


def misconfigured() -> None:
    """Reads settings that cannot be used."""
    Settings.load({"STANDBY_SMTP_PORT": "none"})


def refusing() -> None:
    """Was ready, and then says that it can never work here."""
    print("part ready", flush=True)
    time.sleep(0.05)
    print("there is no jail on this computer", file=sys.stderr, flush=True)
    sys.exit(78)


def _finish(_number: int, _frame: FrameType | None) -> None:
    print("finished what it held", flush=True)
    sys.exit(0)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
