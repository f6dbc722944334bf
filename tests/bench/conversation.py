"""Bytes sent to the model for the same task over ten to ten million rows: equal but for the numbers in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.bench.worlds import model_world
from tests.flows import rows

ROWS = (10, 1_000, 100_000, 10_000_000)
# What the model sees of a file grows with the file, by a character for every five hundred lines.
PLANT = Plant(
    "bot/work/workbench.py",
    "return fenced(name, clean(sample.text()))",
    'return fenced(name, clean(sample.text()) + "." * (sample.facts.lines // 500))',
)


def measure(folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    sent_bytes: list[int] = []
    with model_world(folder, code) as (world, api):
        first, size_bytes = rows.drafted(world, api, ROWS[0])
        sent_bytes.append(size_bytes)
        for many in ROWS[1:]:
            sent, size_bytes = rows.drafted(world, api, many)
            demand(sent == first, f"over {many:,} rows something else was sent than over {ROWS[0]}")
            sent_bytes.append(size_bytes)
    return {"rows": list(ROWS), "bytes": sent_bytes}


BENCH = Bench(measure, PLANT)
