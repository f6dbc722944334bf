"""What is slow to load is loaded by whoever needs it: most runs and most requests need none of it."""

import subprocess
import sys

import pytest

SLOW = ("obstore", "paramiko", "polars", "duckdb")


@pytest.mark.parametrize("part", ["runner", "agent"])
def test_no_client_of_a_source_is_loaded_at_the_start(part: str) -> None:
    code = f"import sys, bot.processes.{part}; print([name for name in {SLOW!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
