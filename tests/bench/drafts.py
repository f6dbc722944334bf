"""Drafts broken by hand: how many there are, and how many are refused with the words that tell what to mend."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.plants import CHECKOUT, Plant

# Two different reports over the same data are no reason to refuse any more.
PLANT = Plant("bot/work/rehearse.py", "    if not first.same_as(second):", "    if first is None:")


def measure(_folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    paths = [*([str(code)] if code else []), str(CHECKOUT)]
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "tests.evals.drafts"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        cwd=paths[0],
    )
    lines = ended.stdout.strip().splitlines()
    print("\n".join(lines[:-1]))
    demand(
        ended.returncode == 0 and bool(lines), f"not every broken draft was refused with the right words: {lines[-1:]}"
    )
    figures: dict[str, Any] = json.loads(lines[-1])
    return figures


BENCH = Bench(measure, PLANT)
