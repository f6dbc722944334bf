"""One box server for the plans that are heard here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store.session import Database
from tests.box.conftest import start_or_skip
from tests.box.local_server import LocalServer
from tests.hearing.hall import Hall


@pytest.fixture(scope="session")
def box_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    server = start_or_skip(tmp_path_factory.mktemp("boxes"), ())
    yield server
    server.stop()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database(database_url)
    yield opened
    opened.close()


@pytest.fixture
def hall(box_server: LocalServer, tmp_path: Path) -> Hall:
    return Hall(box_server.boxes(), tmp_path)
