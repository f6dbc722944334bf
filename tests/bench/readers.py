"""Figure `readers`: a large table and a large log, read by the kit and by what people would use instead.

Each reader runs in a process of its own, one after the other: seconds, and the peak of its memory. `readers SHARE`
reads a part of the size, for a quick look: `readers 0.01`. The kit has a box's memory and threads and must come to
the exact sums and counts that were written; the others are measured, not judged.
"""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from sandbox.inside_files import INSIDE
from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant

ROWS, LINES = 7_200_000, 10_000_000
BLOCK_ROWS, BLOCK_LINES = 72_000, 100_000
BOX = {"BOX_MEMORY_MB": "1024", "BOX_THREADS": "2"}
HEADER = ["date", "customer", "revenue", "costs"]
Cost = tuple[float, int]
PLANT = Plant(
    "sandbox/inside/kit/sql.py",
    "yield f\"max(CASE WHEN contains({cell}, '.') THEN length({cell}) - instr({cell}, '.') ELSE 0 END)\"",
    'yield "0"',
)
_KIT = """
import sys; sys.path.insert(0, {inside!r})
import datetime, pathlib, kit, kit.state as state
slot = state.SlotFacts(*[datetime.datetime.now(datetime.UTC)] * 3, "UTC")
state.begin(state.State({{"readers": {{"default": {reader!r}}}}}, slot, "", pathlib.Path({folder!r})))
"""
_KIT_CSV = """
print(*kit.read_csv(kit.inputs()[0]).sql("SELECT sum(revenue), sum(costs) FROM rows", ["revenue", "costs"])[0])
"""
_KIT_LOG = """
log = kit.read_log(kit.inputs()[0])
print(sum(1 for _ in log.only(["ERROR"])), log.levels["WARNING"], log.records, log.lines)
"""
_DUCKDB = "import duckdb; print(*duckdb.sql({sql!r}).fetchall()[0])"
_POLARS = "import polars as pl; print(*{query}.collect().row(0))"
_OTHERS_CSV = {
    "duckdb": _DUCKDB.format(sql="SELECT sum(revenue), sum(costs) FROM read_csv('PATH')"),
    "polars": _POLARS.format(query="pl.scan_csv('PATH').select(pl.sum('revenue', 'costs'))"),
    "pandas": "import pandas as pd; print(*pd.read_csv('PATH')[['revenue', 'costs']].sum())",
}
_AS_LINES = "auto_detect = false, header = false, columns = {'line': 'VARCHAR'}, delim = '\x01', quote = ''"
_OTHERS_LOG = {
    "duckdb": _DUCKDB.format(sql=f"SELECT count(*) FROM read_csv('PATH', {_AS_LINES}) WHERE contains(line, ' ERROR ')"),
    "polars": _POLARS.format(
        query="pl.scan_lines('PATH').filter(pl.col('line').str.contains(' ERROR ', literal=True)).select(pl.len())"
    ),
}


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    share = float(rest[0]) if rest else 1.0
    inside = str((code / "sandbox" / "inside") if code else INSIDE)
    figures = {"csv": _table(folder, inside, share), "log": _log(folder, inside, share)}
    table = Table("file", "reader", "seconds", "peak MiB")
    for name, readers in figures.items():
        for reader, (seconds, mib) in readers.items():
            table.add_row(name, reader, f"{seconds:.1f}", str(mib))
    Console().print(table)
    return {
        "rows": int(ROWS * share),
        "lines": int(LINES * share),
        **{
            name: {reader: {"s": round(seconds, 2), "rss_mib": mib} for reader, (seconds, mib) in readers.items()}
            for name, readers in figures.items()
        },
    }


def _table(folder: Path, inside: str, share: float) -> dict[str, Cost]:
    path, sums = _write_table(folder / "csv", share)
    start = _KIT.format(inside=inside, reader={"header": HEADER}, folder=str(path.parent))
    said, kit = _timed(folder, start + _KIT_CSV, BOX)
    demand([Decimal(one) for one in said.split()] == sums, f"the kit's sums are {said.strip()} instead of {sums}")
    others = {name: _other(folder, code, path) for name, code in _OTHERS_CSV.items() if importlib.util.find_spec(name)}
    shutil.rmtree(path.parent)
    return {"kit": kit, **others}


def _log(folder: Path, inside: str, share: float) -> dict[str, Cost]:
    path, counts = _write_log(folder / "log", share)
    levels = {"INFO": "INFO", "WARN": "WARNING", "ERROR": "ERROR"}
    reader = {"format": "text", "stamp": "iso", "level_word": 1, "levels": levels}
    said, kit = _timed(folder, _KIT.format(inside=inside, reader=reader, folder=str(path.parent)) + _KIT_LOG, BOX)
    demand([int(one) for one in said.split()] == counts, f"the kit counts {said.strip()} instead of {counts}")
    others = {name: _other(folder, code, path) for name, code in _OTHERS_LOG.items()}
    others["grep -c"] = _timed(folder, ["grep", "-c", " ERROR ", str(path)], {})[1]
    shutil.rmtree(path.parent)
    return {"kit": kit, **others}


def _other(folder: Path, code: str, path: Path) -> Cost:
    return _timed(folder, code.replace("PATH", str(path)), {})[1]


def _timed(folder: Path, program: str | Sequence[str], environment: dict[str, str]) -> tuple[str, Cost]:
    """What it printed, and its seconds with its peak memory in MiB."""
    command = [sys.executable, "-c", program] if isinstance(program, str) else list(program)
    out = folder / "out"
    started = time.monotonic()
    with out.open("wb") as stream:
        path = shutil.which(command[0]) or command[0]
        pid = os.posix_spawn(
            path, command, {**os.environ, **environment}, file_actions=[(os.POSIX_SPAWN_DUP2, stream.fileno(), 1)]
        )
        _, status, usage = os.wait4(pid, 0)
    seconds = time.monotonic() - started
    demand(os.waitstatus_to_exitcode(status) == 0, f"{' '.join(command)[-300:]} failed")
    return out.read_text(), (seconds, usage.ru_maxrss // 1024)


def _write_table(folder: Path, share: float) -> tuple[Path, list[Decimal]]:
    folder.mkdir()
    chance = random.Random(1)
    sums, lines = [Decimal(0), Decimal(0)], []
    for number in range(BLOCK_ROWS):
        pair = [Decimal(chance.randint(1_000, 900_000)) / 100 for _ in sums]
        sums = [total + one for total, one in zip(sums, pair, strict=True)]
        lines.append(f"2026-{number % 12 + 1:02}-{number % 28 + 1:02},c{number % 999},{pair[0]},{pair[1]}\n")
    times = max(1, int(ROWS * share) // BLOCK_ROWS)
    return _written(folder / "big.csv", ",".join(HEADER) + "\n", lines, times), [one * times for one in sums]


def _write_log(folder: Path, share: float) -> tuple[Path, list[int]]:
    """One record in fifty has a stack trace below it; messages hold the word too."""
    folder.mkdir()
    chance = random.Random(1)
    counts: Counter[str] = Counter()
    lines = []
    for number in range(BLOCK_LINES):
        if number % 50 == 49:
            lines.append("\tat lab.Detector.read(Detector.java:41)\n")
            continue
        level = chance.choices(("INFO", "WARN", "ERROR"), (90, 5, 5))[0]
        counts[level] += 1
        at = f"2026-09-07 03:{number // 60 % 60:02}:{number % 60:02},{number % 1000:03}"
        lines.append(f"{at} {level} [scan] message {number}, 0 ERRORs\n")
    times = max(1, int(LINES * share) // BLOCK_LINES)
    expected = [counts["ERROR"], counts["WARN"], counts.total(), BLOCK_LINES]
    return _written(folder / "big.log", "", lines, times), [one * times for one in expected]


def _written(path: Path, head: str, lines: list[str], times: int) -> Path:
    block = "".join(lines)
    with path.open("w") as stream:
        stream.write(head)
        for _ in range(times):
            stream.write(block)
    return path


BENCH = Bench(measure, PLANT)
