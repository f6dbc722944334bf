"""Each planted bug still fits the code; the machine finds each."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.approval.plants import PLANTS
from tests.approval.sweep import caught
from tests.bench.plants import CHECKOUT


@pytest.mark.parametrize("name", PLANTS)
def test_the_bug_fits_the_code(name: str) -> None:
    plant = PLANTS[name]
    source = (CHECKOUT / plant.file).read_text(encoding="utf-8")

    assert source.count(plant.right) == 1
    ast.parse(source.replace(plant.right, plant.wrong))


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTS)
def test_the_machine_finds_the_bug(name: str, database_url: str, tmp_path: Path) -> None:
    assert caught(name, database_url, tmp_path / "code", examples=6)
