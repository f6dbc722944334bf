"""The provider under test: a server of ours, or with --box=e2b the hosted one that E2B_API_KEY opens."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.client import Box, Boxes, BoxSettings
from tests.box.conftest import start_or_skip


@pytest.fixture(scope="session")
def provider(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Boxes]:
    if request.config.getoption("--box") == "e2b":
        if not (key := os.environ.get("E2B_API_KEY")):
            pytest.exit("--box=e2b needs E2B_API_KEY", returncode=4)
        yield Boxes(BoxSettings(key, template=request.config.getoption("--box-template")))
        return
    server = start_or_skip(Path(tmp_path_factory.mktemp("boxes")), ())
    yield server.boxes()
    server.stop()


@pytest.fixture
def box(provider: Boxes) -> Iterator[Box]:
    with provider.open("contract", tags={"contract": "1"}, lifetime_s=300) as box:
        yield box
