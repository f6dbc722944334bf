"""The machine on the database of a URL: `python -m tests.approval.try_machine URL EXAMPLES SECONDS`.

Exit code 1: it found something, and says what. It begins no further life after so many seconds. What it runs is
whatever `bot` the path leads to, so that a copy with a bug can be put before this checkout.
"""

from __future__ import annotations

import sys
import tempfile
import time
from math import inf
from pathlib import Path

import hypothesis
from hypothesis.stateful import run_state_machine_as_test

from bot.log import set_up
from tests.approval.lives import machine_on

STEPS = 8


def try_machine(url: str, examples: int, seconds: float = inf) -> int:
    """The number of lives it led. Raises AssertionError with the steps that lead to what may not be."""
    settings = hypothesis.settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
    )
    with tempfile.TemporaryDirectory(prefix="sb-") as folder:
        machine = machine_on(url, Path(folder), time.monotonic() + seconds)
        run_state_machine_as_test(machine, settings=settings)
    return machine.lives


if __name__ == "__main__":
    set_up("machine")  # the traceback of every crash in colours takes longer than what it tells of
    try:
        print(f"{try_machine(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))} lives")
    except Exception as found:
        print(f"{type(found).__name__}: {str(found).splitlines()[0] if str(found) else ''}")
        sys.exit(1)
