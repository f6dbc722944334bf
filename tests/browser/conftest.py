"""A browser, and where its pictures are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import chromium
from tests.browser.visitor import Findings

ARTEFACTS = Path(__file__).with_name("artefacts")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For one module: while it is open, playwright's event loop runs in this thread, where others want their own."""
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
