"""One box server for the drafts that are tried here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.box.conftest import start_or_skip
from tests.box.local_server import LocalServer


@pytest.fixture(scope="session")
def box_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    server = start_or_skip(tmp_path_factory.mktemp("boxes"), ())
    yield server
    server.stop()
