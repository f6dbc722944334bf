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


def bench_called(name: str) -> Bench:
    found: Bench = importlib.import_module(f"tests.bench.{name}").BENCH
    return found


# Every measurement, and each way of measuring that has a bug of its own; the suite itself runs one of them.
WAYS = [(name, *way) for name in NAMES for way in [(), *((one,) for one in bench_called(name).plants)]]

SAMPLE = ("dirt",)


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_the_plant_fits_the_code(way: tuple[str, ...], tmp_path: Path) -> None:
    name, *rest = way

    planted_copy(tmp_path / "code", bench_called(name).plant_for(rest))


@pytest.mark.parametrize(
    "way", [pytest.param(way, marks=() if way == SAMPLE else pytest.mark.slow) for way in WAYS], ids=" ".join
)
def test_the_plant_makes_the_measurement_fail(way: tuple[str, ...]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.bench", *way, "--planted"], check=False, capture_output=True, text=True
    )

    assert ended.returncode == 1
    assert f"{way[0]}: " in ended.stderr and "Traceback" not in ended.stderr  # any other error ends with 1 too
