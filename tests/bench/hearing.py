"""Every script of the library over every drift that fits it and over healthy weeks; writes the scores down.

With names of scripts it measures only these, and the others keep the scores they have. The bug is planted for one
script, whose ears it takes: all twelve would take twenty minutes to say the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.bench.bench import Bench
from tests.bench.hearings import in_a_process
from tests.bench.plants import Plant

PLANTED_FOR = ("totals-by-category",)
# Numbers are compared with nothing.
PLANT = Plant("sandbox/inside/kit/usual.py", "    if len(earlier) < ENOUGH:\n", "    if True:\n")


def measure(_folder: Path, code: Path | None, names: list[str]) -> dict[str, Any]:
    return in_a_process("hearing", code, names or (PLANTED_FOR if code else ()))


BENCH = Bench(measure, PLANT)
