"""Thirty books ranked from a question asked once, over ever more rows: by a proven script, and by a model's ten lines.

`margin_story large` adds 30 x 2,400,000 rows, which takes some gigabytes of disk and some minutes.
"""

from __future__ import annotations

import difflib
import re
import time
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.bench.worlds import model_world
from tests.desk_client import Message
from tests.fakes.model_api import ModelApi
from tests.flows import books
from tests.flows.rows import without_numbers
from tests.flows.world import World

FILES = 30
ROWS, LARGE = (2_400, 240_000), 2_400_000
WITHIN_S = 1_800  # for seventy million rows on a busy machine
# What a try prints grows with the data: a thousandth of the first file.
PLANT = Plant(
    "sandbox/inside/trying.py",
    "        _bound_duckdb(source)\n        exec(",
    "        _bound_duckdb(source)\n        first = sorted(Path('inputs').iterdir())[0]\n"
    "        print(first.read_text()[: first.stat().st_size // 1_000])\n        exec(",
)


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    """Seconds are from the question to the whole answer; `library_seconds` without, `seconds` with a model."""
    figures: dict[str, list[Any]] = {"rows": [], "model_bytes": [], "seconds": [], "library_seconds": []}
    first: list[str] = []
    with model_world(folder, code) as (world, api):
        for rows in (*ROWS, *([LARGE] if rest == ["large"] else [])):
            said = [*_by_library(world, api, rows, figures), *_by_model(world, api, rows, figures)]
            first = first or said
            demand(
                said == first,
                f"over {FILES} x {rows:,} rows was said other than over {ROWS[0]:,}: {_other(first, said)}",
            )
            figures["rows"].append(FILES * rows)
    return dict(figures)


def _other(first: list[str], said: list[str]) -> str:
    """The lines that differ, of each its beginning."""
    lines = [[line for text in texts for line in re.split(r"\n|\\+n", text)] for texts in (first, said)]
    return " | ".join(line[:200] for line in difflib.unified_diff(*lines, lineterm="", n=0))[:2_000]


def _by_library(world: World, api: ModelApi, rows: int, figures: dict[str, list[Any]]) -> list[str]:
    before, began = api.attempts, time.monotonic()
    asked, _ = books.answered(world, api, books.KNOWN, FILES, rows, within_s=WITHIN_S)
    figures["library_seconds"].append(round(time.monotonic() - began, 1))
    demand(api.attempts == before, "a proven script was there, and a model was asked all the same")
    _demand_truth(world, asked, name=1, share=6)
    return [books.thread_without_numbers(world, asked)]


def _by_model(world: World, api: ModelApi, rows: int, figures: dict[str, list[Any]]) -> list[str]:
    before, began = len(api.requests), time.monotonic()
    asked, _ = books.answered(world, api, books.UNKNOWN, FILES, rows, within_s=WITHIN_S)
    figures["seconds"].append(round(time.monotonic() - began, 1))
    figures["model_bytes"].append(sum(api.sent_bytes[before:]))
    _demand_truth(world, asked, name=0, share=1)
    return [without_numbers(api.requests[before:]), books.thread_without_numbers(world, asked)]


def _demand_truth(world: World, asked: Message, *, name: int, share: int) -> None:
    """The native table in the thread says of every shop what it keeps, best first."""
    tables = [block for one in world.desk.thread(asked) for block in one.blocks if block["type"] == "table"]
    shown = [(row[name]["text"], row[share]["text"]) for table in tables for row in table["rows"][1:]]
    truth = [(books.shop(number), f"{books.kept_percent(number)}.00 %") for number in range(FILES)]
    demand(shown == truth, f"the answer is not the truth: {shown}")


BENCH = Bench(measure, PLANT)
