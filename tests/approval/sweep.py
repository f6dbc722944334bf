"""Each bug planted in a copy of the packages, and the machine let loose on it in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.approval.plants import PLANTS
from tests.bench.plants import CHECKOUT, planted_copy

# No further life is begun after so long; one that is led already may take a while more.
LONGEST_S = 150.0
PATIENCE_S = 300


def caught(name: str, url: str, folder: Path, examples: int, seconds: float = LONGEST_S) -> str:
    """What the machine says of the planted bug; empty when it finds nothing."""
    return try_code(url, planted_copy(folder, PLANTS[name]), examples, seconds)


def try_code(url: str, code: Path, examples: int, seconds: float = LONGEST_S) -> str:
    """Run the machine on that code. Raises RuntimeError where it could not be run at all."""
    environment = {**os.environ, "PYTHONPATH": f"{code}{os.pathsep}{CHECKOUT}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-P", "-m", "tests.approval.try_machine", url, str(examples), str(seconds)]
    ended = subprocess.run(
        command, env=environment, cwd=code, capture_output=True, text=True, timeout=seconds + PATIENCE_S, check=False
    )
    if ended.returncode == 0:
        return ""
    said = ended.stdout.strip().splitlines()
    if ended.returncode != 1 or not said:
        raise RuntimeError(f"the machine did not run: {ended.stderr[-1500:]}")
    if said[-1].startswith("Flaky"):
        raise RuntimeError(f"the machine saw something that did not come again, which shows nothing: {said[-1]}")
    return said[-1]
