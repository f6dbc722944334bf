"""What a box costs: a whole cycle beside a bare process, and our memory while two gigabytes pass each way."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from sandbox.client import Box, Boxes
from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.box.local_server import LocalServer
from tests.box.test_files import Nowhere, peak_bytes, zeros

# The server reads a file whole before it sends the first of it.
PLANT = Plant("sandbox/server/files.py", "file.read, min(BATCH_BYTES, size)", "file.read, size")

TIMES = 20
MIB, GIB = 1 << 20, 1 << 30
SIZE = 2 * GIB
MOST_MIB = 64  # on either side


def measure(folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    server = LocalServer(folder, flags=(), code=code)
    try:
        boxes = server.boxes()
        bare_ms = _median_ms(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
        cycle_ms = _median_ms(lambda: _cycle(boxes))
        with boxes.open("bench", tags={}, lifetime_s=600) as box:
            up, down = _streamed_mib(box, server)
    finally:
        server.stop()
    demand(up <= MOST_MIB and down <= MOST_MIB, f"2 GiB cost {up} MiB of memory on the way up, {down} MiB down")
    return {
        "bare_ms": round(bare_ms, 1),
        "cycle_ms": round(cycle_ms, 1),
        "ratio": round(cycle_ms / bare_ms, 1),
        "rss_up_2gb_mib": up,
        "rss_down_2gb_mib": down,
    }


def _cycle(boxes: Boxes) -> None:
    """Open, put two files, run, get one, end."""
    with boxes.open("bench", tags={}, lifetime_s=60) as box:
        box.put("plan.py", b"open('out', 'w').write(open('in').read())")
        box.put("in", b"1")
        assert box.run(["python3", "plan.py"], timeout_s=30).code == 0
        assert box.get("out", 10) == b"1"


def _median_ms(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(TIMES):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def _streamed_mib(box: Box, server: LocalServer) -> tuple[int, int]:
    """By how much the peak memory of the hungrier side, ours or the server's, rises."""
    pids = (os.getpid(), server.process.pid)
    box.put("small", zeros(4 * MIB))
    box.get_stream("small", cast(BinaryIO, Nowhere()), 4 * MIB)
    before = [peak_bytes(pid) for pid in pids]
    box.put("big", zeros(SIZE))
    between = [peak_bytes(pid) for pid in pids]
    taken = box.get_stream("big", cast(BinaryIO, Nowhere()), SIZE)
    demand(taken == SIZE, f"{taken} bytes came back of {SIZE}")
    after = [peak_bytes(pid) for pid in pids]
    rises = [max(b - a for a, b in zip(*pair, strict=True)) // MIB for pair in ((before, between), (between, after))]
    return rises[0], rises[1]


BENCH = Bench(measure, PLANT)
