"""A stage of its own for every test of approval."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.approval.stage import Stage


@pytest.fixture
def stage(database_url: str, tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(database_url, tmp_path / "blobs")
    yield stage
    stage.close()
