"""A desk for these tests, and the real chat over it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot import slack
from bot.domain.ports import Place
from bot.processes.environment import for_part
from bot.settings import Settings
from bot.slack.chat import SlackChat
from bot.store.seal import seal_in
from bot.store.session import Database
from tests.desk_client import Desk
from tests.desk_server import RunningDesk, running_desk
from tests.flows.world import Process
from tests.slack.proposals import LAB, TEAM

MANIFEST = Path(slack.__file__).parent / "manifest.json"


@pytest.fixture
def desk_server(tmp_path: Path) -> Iterator[RunningDesk]:
    """A desk that grants the app what its manifest asks for, and no more."""
    with running_desk(tmp_path, "--manifest", str(MANIFEST)) as server:
        yield server


@pytest.fixture
def desk(desk_server: RunningDesk) -> Iterator[Desk]:
    client = Desk(desk_server.url)
    yield client
    client.close()


@pytest.fixture
def settings(desk_server: RunningDesk, tmp_path: Path) -> Settings:
    return Settings.load({}).model_copy(
        update={
            "data_dir": tmp_path,
            "slack_api_url": desk_server.api_url,
            "slack_bot_token": SecretStr(desk_server.bot_token),
            "slack_app_token": SecretStr(desk_server.app_token),
            "clock_url": desk_server.clock_url,
            "approvers": ("U0BOB000001",),
        }
    )


@pytest.fixture
def chat(settings: Settings) -> Iterator[SlackChat]:
    chat = SlackChat(settings)
    yield chat
    chat.close()


@pytest.fixture
def lab() -> Place:
    """#lab at top level."""
    return Place(TEAM, LAB)


@pytest.fixture
def database(database_url: str, tmp_path: Path) -> Iterator[Database]:
    """With the key of the processes, so that they take what is written here for their own."""
    database = Database(database_url, seal=seal_in(tmp_path))
    yield database
    database.close()


@pytest.fixture
def process(settings: Settings, database_url: str, tmp_path: Path) -> Iterator[Process]:
    """The bot process, running."""
    ours = settings.model_copy(update={"database_url": database_url})
    process = Process("bot", for_part("bot", ours, os.environ), tmp_path / "bot.log")
    process.start()
    yield process
    process.stop()
    print(process.log.read_text()[-4000:])
