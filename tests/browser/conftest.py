"""A browser for all tests, and where their pictures are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import chromium
from tests.browser.visitor import Findings

ARTEFACTS = Path(__file__).with_name("artefacts")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not chromium.path():
        pytest.skip(chromium.NONE)
    with chromium.running() as one:
        yield one


@pytest.fixture
def findings() -> Iterator[Findings]:
    """Whatever a test gathers; what axe calls serious fails it at its end."""
    ARTEFACTS.mkdir(exist_ok=True)
    gathered = Findings(ARTEFACTS)
    yield gathered
    assert gathered.serious == []
