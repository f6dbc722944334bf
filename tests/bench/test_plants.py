"""A measurement that cannot fail shows nothing: each one's planted bug still fits the code, and makes it fail."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.__main__ import NAMES
from tests.bench.bench import Bench
from tests.bench.plants import planted_copy


@pytest.mark.parametrize("name", NAMES)
def test_the_plant_fits_the_code(name: str, tmp_path: Path) -> None:
    bench: Bench = importlib.import_module(f"tests.bench.{name}").BENCH

    planted_copy(tmp_path / "code", bench.plant)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_plant_makes_the_measurement_fail(name: str) -> None:
    ended = subprocess.run([sys.executable, "-m", "tests.bench", name, "--planted"], check=False, capture_output=True)

    assert ended.returncode == 1
