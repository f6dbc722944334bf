"""Starts a desk of its own for a test, as a process, and ends it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.processes import lifeline

START_WITHIN_S = 20.0


@dataclass(frozen=True)
class RunningDesk:
    """Where a started desk listens, and the app's tokens there."""

    url: str
    api_url: str
    smtp_host: str
    smtp_port: int
    clock_url: str
    bot_token: str
    app_token: str
    pid: int
    signing_secret: str = ""
    client_id: str = ""
    client_secret: str = ""


@contextmanager
def running_desk(folder: Path, *arguments: str, code: Path | None = None) -> Iterator[RunningDesk]:
    """A desk that keeps its workspace in `folder`, until the block or this process ends; another takes it up again.

    `code` is where it takes its code from; None is this checkout.
    """
    ready = folder / "ready.json"
    ready.unlink(missing_ok=True)
    theirs, ours = os.pipe()
    environment = {**os.environ, lifeline.VARIABLE: str(theirs)}
    if code is not None:
        environment["PYTHONPATH"] = str(code)
    command = [sys.executable, *(["-P"] if code else []), "-m", "bot.processes.lifeline", "bot.desk"]
    command += ["--ready-file", str(ready), "--data", str(folder / "data"), *arguments]
    with (folder / "desk.log").open("ab") as log:
        process = subprocess.Popen(command, env=environment, pass_fds=[theirs], stdout=subprocess.DEVNULL, stderr=log)
    os.close(theirs)
    try:
        yield _once_ready(process, ready)
    finally:
        process.terminate()
        process.wait(timeout=10)
        os.close(ours)


def _once_ready(process: subprocess.Popen[bytes], ready: Path) -> RunningDesk:
    deadline = time.monotonic() + START_WITHIN_S
    while not ready.exists():
        if process.poll() is not None:
            raise AssertionError(f"The desk ended with code {process.returncode} before it was ready.")
        if time.monotonic() > deadline:
            raise AssertionError(f"The desk was not ready within {START_WITHIN_S} s.")
        time.sleep(0.02)
    return RunningDesk(**json.loads(ready.read_text()))
