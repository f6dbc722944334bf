"""A desk with two workspaces, and a Standby that may be installed in both; its pages are served in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.processes.front import Front
from bot.processes.installed import Installed
from bot.processes.installed_apps import Apps
from bot.settings import Settings
from bot.slack.installs import Installs
from bot.slack.switchboard import Switchboard
from tests.desk_client import Desk
from tests.desk_server import RunningDesk, running_desk
from tests.installed.installing import for_many, set_up
from tests.serving import listening
from tests.slack.conftest import MANIFEST


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningDesk]:
    with running_desk(tmp_path, "--manifest", str(MANIFEST), "--beside", str(tmp_path / "beside")) as running:
        yield running


@pytest.fixture
def desk(server: RunningDesk) -> Iterator[Desk]:
    client = Desk(server.url)
    yield client
    client.close()


@pytest.fixture
def beside(server: RunningDesk) -> Iterator[Desk]:
    client = Desk(f"{server.url}/beside")
    yield client
    client.close()


@pytest.fixture
def settings(server: RunningDesk, database_url: str, tmp_path: Path) -> Settings:
    given = {"STANDBY_DATA_DIR": str(tmp_path / "standby"), "STANDBY_SLACK_API_URL": server.api_url}
    plain = Settings.load(given).model_copy(update={"database_url": database_url})
    return for_many(plain, server)


@pytest.fixture
def installed(settings: Settings) -> Iterator[Installed]:
    found = Installed(settings)
    yield found
    found.close()


@pytest.fixture
def apps(installed: Installed) -> Iterator[Apps]:
    made = Apps(installed)
    yield made
    made.close()


@pytest.fixture
def front(settings: Settings, installed: Installed, apps: Apps) -> Iterator[str]:
    """The address of the bot's web server."""
    switchboard = Switchboard(apps.at, apps.removed)
    served = Front(settings, installed.control, switchboard.dispatch, Installs(installed.control, settings))
    with listening(served) as address:
        yield address


@pytest.fixture
def registered(front: str, settings: Settings, desk: Desk, beside: Desk) -> Callable[[int], None]:
    """Call it with the life of tokens in seconds, 0 for ever: the app is registered at the desk, and posted to."""
    assert front == settings.public_url
    return lambda token_life_s: set_up(desk, beside, settings, token_life_s=token_life_s)
