"""Figure `margin`: thirty books of one subsidiary each, added up by customer, by the kit and by what people would use.

The kit must come to the cent that was written, of each book and of its best customer; the others add floats and are
measured, not judged. `margin --full` has ten times the rows, without pandas.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.large_files import BOX, HEADER, kit_program, timed, write_table
from tests.bench.plants import Plant

FILES, ROWS, BLOCK_ROWS = 30, 240_000, 24_000
# Numbers are taken to have one digit behind the mark, so that cents are rounded.
PLANT = Plant(
    "sandbox/inside/kit/rewritten.py",
    'return f"DECIMAL({NARROW if digits <= NARROW else WIDE}, {behind})"',
    'return f"DECIMAL({NARROW if digits <= NARROW else WIDE}, {min(1, behind)})"',
)
_ASK = "SELECT customer, sum(revenue), sum(costs) FROM {} GROUP BY customer"
_SAY = """
import json
def said(name, rows):
    whole, customers = [0, 0], []
    for customer, revenue, costs in rows:
        whole = [whole[0] + revenue, whole[1] + costs]
        customers.append(((revenue - costs) / revenue, customer))
    best = max(customers)[1]
    print(json.dumps([name, str(whole[0]), str(whole[1]), best]))
"""
_KIT = f"""
for file in kit.inputs():
    said(file.name, kit.read_csv(file).sql({_ASK.format("rows")!r}, ["revenue", "costs"]))
"""
_EACH = "import pathlib\nfor path in sorted(pathlib.Path({folder!r}).iterdir()):\n    said(path.name, {rows})\n"
_DUCKDB = _ASK.format("read_csv('PATH')")
_OTHERS = {
    "duckdb": ("import duckdb", f"duckdb.sql({_DUCKDB!r}.replace('PATH', str(path))).fetchall()"),
    "polars": (
        "import polars as pl",
        "pl.scan_csv(path).group_by('customer').agg(pl.sum('revenue', 'costs')).collect().rows()",
    ),
    "pandas": (
        "import pandas as pd",
        "pd.read_csv(path).groupby('customer')[['revenue', 'costs']].sum().itertuples(name=None)",
    ),
}


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    is_full = rest == ["--full"]
    rows = ROWS * (10 if is_full else 1)
    books = folder / "books"
    books.mkdir()
    truth = [_written(books / f"sub-{number:02}.csv", rows, number) for number in range(FILES)]
    programs = {"kit": kit_program(code, {"header": HEADER}, books, _SAY + _KIT)} | {
        name: f"{start}\n{_SAY}{_EACH.format(folder=str(books), rows=each)}"
        for name, (start, each) in _OTHERS.items()
        if importlib.util.find_spec(name) and not (is_full and name == "pandas")
    }
    figures: dict[str, Any] = {"rows": FILES * rows}
    cpu_s: dict[str, float] = {}
    mib: dict[str, int] = {}
    for name, program in programs.items():
        said, cost = timed(folder, program, BOX if name == "kit" else {})
        if name == "kit":
            found = [json.loads(line) for line in said.splitlines()]
            wrong = [pair for pair in zip(found, truth, strict=True) if not _same(*pair)]
            demand(not wrong, f"the kit's books are not those that were written: {wrong[:1]}")
        figures[f"{name}_s"], cpu_s[name], mib[name] = cost.seconds, cost.cpu_s, cost.mib
    return {**figures, "cpu_s": cpu_s, "rss_mib": mib}


def _written(path: Path, rows: int, seed: int) -> list[Any]:
    """[name, revenue, costs, best customer] of the book that is written."""
    customers = write_table(path, rows, BLOCK_ROWS, seed)
    whole = [sum(column, Decimal(0)) for column in zip(*customers.values(), strict=True)]
    return [path.name, *whole, _best(customers)]


def _best(customers: Mapping[str, list[Decimal]]) -> str:
    return max(((revenue - costs) / revenue, name) for name, (revenue, costs) in customers.items())[1]


def _same(found: list[str], truth: list[Any]) -> bool:
    name, revenue, costs, best = found
    return [name, Decimal(revenue), Decimal(costs), best] == truth


BENCH = Bench(measure, PLANT)
