"""A whole Standby outside of pytest: its own database, boxes and desk, in one folder, gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bot.store.embedded import Embedded
from bot.store.migrate import migrate
from tests.box.local_server import LocalServer
from tests.desk_client import Desk
from tests.desk_server import running_desk
from tests.fakes.model_api import ModelApi
from tests.flows.world import World, settings_for


@contextmanager
def whole_world(
    folder: Path,
    code: Path | None = None,
    environment: Mapping[str, str] | None = None,
    model: Mapping[str, str] | None = None,
    desk_arguments: Sequence[str] = (),
    **settings: Any,
) -> Iterator[World]:
    """Everything running. `code` is where our processes take their code from; None is this checkout.

    `model` are variables of a model, as an operator sets them.
    """
    boxes_folder = folder / "boxes"
    boxes_folder.mkdir()
    database = Embedded(folder / "data")
    database.start()
    boxes = LocalServer(boxes_folder, code=code)
    try:
        migrate(database.url)
        with running_desk(folder, *desk_arguments, code=code) as desk, closing(Desk(desk.url)) as client:
            unbounded = {"requests_of_person": 0, "requests_in_channel": 0}  # a measurement may ask a hundred times
            chosen = settings_for(folder, desk, client.person("Bob"), boxes, database.url, **unbounded | settings)
            given = dict(environment or {})
            world = World(client, boxes, folder, chosen, code=code, environment=given, database=database)
            world.model = dict(model or {})
            try:
                world.start()
                yield world
            finally:
                world.stop()
    finally:
        boxes.stop()
        database.stop()


@contextmanager
def model_world(
    folder: Path, code: Path | None = None, model: Mapping[str, str] | None = None, **settings: Any
) -> Iterator[tuple[World, ModelApi]]:
    """Everything running, and a Messages API on a socket whose turns are still to be scripted."""
    with ModelApi().running() as api:
        variables = {"ANTHROPIC_API_KEY": api.key, "STANDBY_MODEL_BASE_URL": api.url}
        variables |= {"STANDBY_MODEL_OPTIONAL_FIELDS": "on", **(model or {})}
        with whole_world(folder, code, model=variables, **settings) as world:
            yield world, api
