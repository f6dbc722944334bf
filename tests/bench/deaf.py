"""Deaf scripts as people write them: how many the hearing test catches, and that their hearing twins pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.bench.bench import Bench
from tests.bench.hearings import in_a_process
from tests.bench.plants import Plant

# Whatever reports is taken for unmoved.
PLANT = Plant(
    "sandbox/hearing/judge.py",
    "    is_same = heard.digest == healthy\n",
    "    is_same = True\n",
)


def measure(_folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    return in_a_process("deaf", code)


BENCH = Bench(measure, PLANT)
