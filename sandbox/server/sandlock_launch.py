"""Runs one command under sandlock and ends all it started: `python -I sandlock_launch.py MARK DESCRIPTOR`.

A process of its own, because sandlock forks and supervises from threads, which a server with an event loop must not.
It is run by its path and imports nothing of ours.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_CHILD_SUBREAPER = 1, 4, 24, 36
_CAPABILITIES = 64
_ENDING_S = 5.0


def main() -> int:
    import sandlock  # noqa: PLC0415  before the uid changes: the new one may not be able to read it

    with os.fdopen(int(sys.argv[2]), "rb") as told:
        policy = json.load(told)
    signal.signal(signal.SIGTERM, lambda *_: _end_and_exit())
    _become(policy["uid"])
    if os.getppid() != policy["server"]:  # it died before it could be said that its death concerns us
        return 128 + signal.SIGTERM
    process = _sandbox(sandlock, policy).popen(policy["argv"])
    ended = threading.Event()
    results: list[Any] = []

    def wait() -> None:
        results.append(process.wait())
        ended.set()

    threading.Thread(target=wait, daemon=True).start()
    ended.wait()  # here and not in wait(), where a signal would not reach us
    _end_all()
    result = results[0]
    return 128 + result.signal if result.signal > 0 else int(result.exit_code or 0)


def _become(uid: int | None) -> None:
    """The box's user where there is one; from here on orphans come to us, and SIGTERM when the server is gone."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for capability in range(_CAPABILITIES):  # so that a root without other uids at least starts commands without any
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    if uid is not None:
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
        libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)  # lost with the old uid; the supervisor reads its child's /proc
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def _sandbox(sandlock: Any, policy: dict[str, Any]) -> Any:
    return sandlock.Sandbox(
        fs_readable=policy["readable"],
        fs_writable=policy["writable"],
        cwd=policy["cwd"],
        net_allow=[],
        net_allow_bind=[],
        max_processes=policy["processes"],
    )


def _end_and_exit() -> None:
    _end_all()
    os._exit(128 + signal.SIGTERM)


def _end_all() -> None:
    """Kills what descends from us until nothing does."""
    deadline = time.monotonic() + _ENDING_S
    while (left := _descendants()) and time.monotonic() < deadline:
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.005)


def _descendants() -> list[int]:
    found = [os.getpid()]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text(encoding="ascii").split()]
    return found[1:]


if __name__ == "__main__":
    sys.exit(main())
