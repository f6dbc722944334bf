"""Inside a box: one piece of work in a process of its own, of which nothing is left afterwards but its answer."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import time
from collections.abc import Callable
from typing import Any

ANSWER_LIMIT_BYTES = 16_000_000
OPEN_FILES = 1024  # no descriptor of ours is above; a script's process gets none of them


def in_a_fork(work: Callable[[], dict[str, Any]], time_s: float, end_strays: Callable[[], None]) -> dict[str, Any]:
    """What `work` returns in a process of its own; a crash document where it gives nothing in time."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _answer(work, writing)
    os.close(writing)
    try:
        data = _read(reading, time_s)
    finally:
        os.close(reading)
        for end in (os.killpg, os.kill):  # it may have ended, or not yet have made its group
            with contextlib.suppress(ProcessLookupError, PermissionError):
                end(pid, signal.SIGKILL)
        end_strays()
    try:
        document: dict[str, Any] = json.loads(data)
    except ValueError:
        return {"kind": "crash", "error": "EndedEarly", "message": "It gave no outcome.", "traceback": "", "line": 0}
    return document


def _answer(work: Callable[[], dict[str, Any]], writing: int) -> None:
    """The fork's whole life. It never returns into our code."""
    try:
        os.setsid()
        os.closerange(3, writing)
        os.closerange(writing + 1, OPEN_FILES)
        for stream in (0, 1, 2):
            os.dup2(os.open(os.devnull, os.O_RDWR), stream)
        data = json.dumps(work()).encode()
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)
    finally:
        os._exit(0)


def _read(reading: int, time_s: float) -> bytes:
    deadline, size = time.monotonic() + time_s, 0
    pieces: list[bytes] = []
    while (left := deadline - time.monotonic()) > 0 and size <= ANSWER_LIMIT_BYTES:
        if select.select([reading], [], [], left)[0]:
            piece = os.read(reading, 1 << 20)
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
            size += len(piece)
    return b""
