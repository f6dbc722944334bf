"""The hearing test of the story's plan, timed: every drift that fits fourteen logs, on two cores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.bench.bench import Bench
from tests.bench.hearings import in_a_process
from tests.bench.plants import Plant

# No drift is reached in time.
PLANT = Plant("sandbox/hearing/listener.py", "and time.monotonic() < until:", "and time.monotonic() < 0:")


def measure(_folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    return in_a_process("rehearsal", code)


BENCH = Bench(measure, PLANT)
