"""Worlds for flows: one box server per worker, everything else new for each flow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.box.conftest import start_or_skip
from tests.box.local_server import LocalServer
from tests.desk_client import Desk
from tests.desk_server import running_desk
from tests.fakes.model_api import ModelApi, Turn
from tests.flows.world import World, settings_for


@pytest.fixture(scope="session")
def box_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    server = start_or_skip(tmp_path_factory.mktemp("boxes"), ("--faults",))
    yield server
    server.stop()


@pytest.fixture
def new_world(tmp_path: Path, box_server: LocalServer, database_url: str) -> Iterator[Callable[..., World]]:
    """Call it with settings to get a world whose processes are not started yet."""
    with ExitStack() as stack:

        def new(**settings: Any) -> World:
            desk = stack.enter_context(running_desk(tmp_path))
            client = Desk(desk.url)
            stack.callback(client.close)
            world = World(
                client,
                box_server,
                tmp_path,
                settings_for(tmp_path, desk, client.person("Bob"), box_server, database_url, **settings),
                signing_secret=desk.signing_secret,
            )
            stack.callback(world.stop)
            stack.callback(lambda: print(world.logs()))
            return world

        yield new
    box_server.no_faults()


@pytest.fixture
def world(new_world: Callable[..., World]) -> World:
    """A world with everything running."""
    world = new_world()
    world.start()
    return world


@pytest.fixture
def model_world(new_world: Callable[..., World]) -> Iterator[Callable[..., tuple[World, ModelApi]]]:
    """Call it with scripted turns for a world whose agent has that model, and nobody else."""
    with ExitStack() as stack:

        def new(*turns: Turn, start: bool = True, **variables: str) -> tuple[World, ModelApi]:
            api = stack.enter_context(ModelApi(turns).running())
            world = new_world()
            world.model = {
                "ANTHROPIC_API_KEY": api.key,
                "STANDBY_MODEL_BASE_URL": api.url,
                "STANDBY_MODEL_OPTIONAL_FIELDS": "on",
                **variables,
            }
            if start:
                world.start()
            return world, api

        yield new
