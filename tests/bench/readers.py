"""Figure `readers`: a large table and a large log, read by the kit and by what people would use instead.

Each reader runs in a process of its own, one after the other: seconds, and the peak of its memory. `readers SHARE`
reads a part of the size, for a quick look: `readers 0.01`. The kit has a box's memory and threads and must come to
the exact sums and counts that were written; the others are measured, not judged.
"""

from __future__ import annotations

import importlib.util
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.bench.bench import Bench, demand
from tests.bench.large_files import BOX, HEADER, LOG_READER, Cost, kit_program, timed, write_log, write_table
from tests.bench.plants import Plant

ROWS, LINES = 7_200_000, 10_000_000
BLOCK_ROWS = 72_000
PLANT = Plant(
    "sandbox/inside/kit/plain_csv.py",
    "kinds = {place: decimal(*size) for place, size in usual.items()}",
    'kinds = dict.fromkeys(usual, "BIGINT")',
)
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
    figures = {"csv": _table(folder, code, share), "log": _log(folder, code, share)}
    table = Table("file", "reader", "seconds", "peak MiB")
    for name, readers in figures.items():
        for reader, cost in readers.items():
            table.add_row(name, reader, f"{cost.seconds:.1f}", str(cost.mib))
    Console().print(table)
    return {
        "rows": int(ROWS * share),
        "lines": int(LINES * share),
        **{
            name: {
                reader: {"s": cost.seconds, "cpu_s": cost.cpu_s, "rss_mib": cost.mib}
                for reader, cost in readers.items()
            }
            for name, readers in figures.items()
        },
    }


def _table(folder: Path, code: Path | None, share: float) -> dict[str, Cost]:
    path = _made(folder / "csv" / "big.csv")
    customers = write_table(path, max(BLOCK_ROWS, int(ROWS * share)), BLOCK_ROWS)
    sums = [sum(column, Decimal(0)) for column in zip(*customers.values(), strict=True)]
    said, kit = timed(folder, kit_program(code, {"header": HEADER}, path.parent, _KIT_CSV), BOX)
    demand([Decimal(one) for one in said.split()] == sums, f"the kit's sums are {said.strip()} instead of {sums}")
    others = {name: _other(folder, one, path) for name, one in _OTHERS_CSV.items() if importlib.util.find_spec(name)}
    shutil.rmtree(path.parent)
    return {"kit": kit, **others}


def _log(folder: Path, code: Path | None, share: float) -> dict[str, Cost]:
    path = _made(folder / "log" / "big.log")
    counts = write_log(path, int(LINES * share))
    said, kit = timed(folder, kit_program(code, LOG_READER, path.parent, _KIT_LOG), BOX)
    demand([int(one) for one in said.split()] == counts, f"the kit counts {said.strip()} instead of {counts}")
    others = {name: _other(folder, one, path) for name, one in _OTHERS_LOG.items()}
    others["grep -c"] = timed(folder, ["grep", "-c", " ERROR ", str(path)])[1]
    shutil.rmtree(path.parent)
    return {"kit": kit, **others}


def _other(folder: Path, program: str, path: Path) -> Cost:
    return timed(folder, program.replace("PATH", str(path)))[1]


def _made(path: Path) -> Path:
    path.parent.mkdir()
    return path


BENCH = Bench(measure, PLANT)
