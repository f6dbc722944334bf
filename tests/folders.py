"""Folders that any account can pass through: pytest's own are closed to the account that runs PostgreSQL for root."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def reachable_folder() -> Iterator[Path]:
    """A new folder with a short path that others may pass through (not list); gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="sb-"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A data folder for one test, as `standby up --data` would be given."""
    with reachable_folder() as folder:
        yield folder / "data"


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Public data of others, which is not ours to ship: STANDBY_TEST_DATA, or a folder shared/data beside ours."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("STANDBY_TEST_DATA", beside))
    if not (folder / "logs").is_dir():
        pytest.skip(f"no public test data in {folder}; STANDBY_TEST_DATA names its folder")
    return folder
