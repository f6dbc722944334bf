"""A store and a clock for every test of a job's story."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest

from bot.store.session import Database
from tests.approval.stage import Stage
from tests.store.rows import NOW


@dataclass
class SetClock:
    """The present is what a test says it is."""

    at: datetime = NOW

    def now(self) -> datetime:
        return self.at


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database(database_url)
    yield opened
    opened.close()


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def stage(database_url: str, tmp_path: Path) -> Iterator[Stage]:
    opened = Stage(database_url, tmp_path / "blobs")
    yield opened
    opened.close()
