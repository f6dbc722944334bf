"""Large tables and logs whose truth is known while they are written; and what reading them costs a process of its own.

Every reader runs alone, one after the other. The kit has a box's memory and threads.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from sandbox.inside_files import INSIDE
from tests.bench.bench import demand

BOX = {"BOX_MEMORY_MB": "1024", "BOX_THREADS": "2"}
HEADER = ["date", "customer", "revenue", "costs"]
BLOCK_LINES = 100_000
LOG_READER = {
    "format": "text",
    "stamp": "iso",
    "level_word": 1,
    "levels": {"INFO": "INFO", "WARN": "WARNING", "ERROR": "ERROR"},
}
_KIT = """
import sys; sys.path.insert(0, {inside!r})
import datetime, pathlib, kit, kit.state as state
slot = state.SlotFacts(*[datetime.datetime.now(datetime.UTC)] * 3, "UTC")
state.begin(state.State({{"readers": {{"default": {reader!r}}}}}, slot, "", pathlib.Path({folder!r})))
"""


@dataclass(frozen=True)
class Cost:
    """`mib` is the peak of its memory; of a small program it is that of this process, which it begins as.

    `cpu_s` hardly depends on what else the computer does meanwhile, other than `seconds`.
    """

    seconds: float
    cpu_s: float
    mib: int


def kit_program(code: Path | None, reader: Mapping[str, Any], folder: Path, script: str) -> str:
    """A script as it would run in a box over a folder's files, by the checkout's kit or that of a copy."""
    inside = str((code / "sandbox" / "inside") if code else INSIDE)
    return _KIT.format(inside=inside, reader=dict(reader), folder=str(folder)) + script


def timed(folder: Path, program: str | Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[str, Cost]:
    """What a Python program, or a command, printed, and what it cost; the output goes by a file in `folder`."""
    command = [sys.executable, "-c", program] if isinstance(program, str) else list(program)
    out = folder / "out"
    started = time.monotonic()
    with out.open("wb") as stream:
        path = shutil.which(command[0]) or command[0]
        given = {**os.environ, **(environment or {})}
        pid = os.posix_spawn(path, command, given, file_actions=[(os.POSIX_SPAWN_DUP2, stream.fileno(), 1)])
        _, status, usage = os.wait4(pid, 0)
    seconds = time.monotonic() - started
    demand(os.waitstatus_to_exitcode(status) == 0, f"{' '.join(command)[-300:]} failed")
    cpu_s = round(usage.ru_utime + usage.ru_stime, 2)
    return out.read_text(), Cost(round(seconds, 2), cpu_s, usage.ru_maxrss // 1024)


def write_table(path: Path, rows: int, block_rows: int, seed: int = 1) -> dict[str, list[Decimal]]:
    """Rows of a number that `block_rows` divides; [revenue, costs] of each customer."""
    chance = random.Random(seed)
    sums: dict[str, list[Decimal]] = {}
    lines = []
    for number in range(block_rows):
        pair = [Decimal(chance.randint(1_000, 900_000)) / 100 for _ in range(2)]
        customer = f"c{number % 999}"
        sums[customer] = [total + one for total, one in zip(sums.get(customer, [Decimal(0)] * 2), pair, strict=True)]
        lines.append(f"2026-{number % 12 + 1:02}-{number % 28 + 1:02},{customer},{pair[0]},{pair[1]}\n")
    times = rows // block_rows
    _write(path, ",".join(HEADER) + "\n", lines, times)
    return {customer: [one * times for one in pair] for customer, pair in sums.items()}


def write_log(path: Path, lines: int) -> list[int]:
    """Of ERROR, of WARN, of records, of lines. One record in fifty has a stack trace; messages hold the word too."""
    chance = random.Random(1)
    counts: Counter[str] = Counter()
    block = []
    for number in range(BLOCK_LINES):
        if number % 50 == 49:
            block.append("\tat lab.Detector.read(Detector.java:41)\n")
            continue
        level = chance.choices(("INFO", "WARN", "ERROR"), (90, 5, 5))[0]
        counts[level] += 1
        at = f"2026-09-07 03:{number // 60 % 60:02}:{number % 60:02},{number % 1000:03}"
        block.append(f"{at} {level} [scan] message {number}, 0 ERRORs\n")
    times = max(1, lines // BLOCK_LINES)
    _write(path, "", block, times)
    return [one * times for one in (counts["ERROR"], counts["WARN"], counts.total(), BLOCK_LINES)]


def _write(path: Path, head: str, lines: list[str], times: int) -> None:
    block = "".join(lines)
    with path.open("w") as stream:
        stream.write(head)
        for _ in range(times):
            stream.write(block)
