"""A desk per module, and a client for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from slack_sdk import WebClient

from tests.desk_client import Desk
from tests.desk_server import RunningDesk, running_desk


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDesk]:
    folder: Path = tmp_path_factory.mktemp("desk")
    with running_desk(folder) as started:
        yield started


@pytest.fixture
def desk(running: RunningDesk) -> Iterator[Desk]:
    client = Desk(running.url)
    client.no_faults()
    yield client
    client.close()


@pytest.fixture
def web(running: RunningDesk) -> WebClient:
    """The real SDK with the bot's token; no retries, so that a test sees each refusal as it is."""
    return WebClient(token=running.bot_token, base_url=running.api_url, retry_handlers=[])
