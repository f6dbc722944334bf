"""One box server for all tests of this folder, with small limits so that bombs go off early."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from sandbox.client import Box, Boxes
from tests.box.local_server import LocalServer, ServerRefused, until

# What the server says, among other things, when it finds no jail that confines.
NO_JAIL = "No script is run"
SMALL = ("--faults", "--memory-mb", "512", "--disk-mb", "300", "--processes", "64")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    server = start_or_skip(tmp_path_factory.mktemp("server"), SMALL)
    yield server
    server.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[LocalServer]:
    """A server that the test may end, kill and start again."""
    server = start_or_skip(tmp_path, ("--faults",))
    yield server
    if server.process.poll() is None:
        server.stop()


@pytest.fixture
def boxes(server: LocalServer) -> Iterator[Boxes]:
    """The provider; afterwards no box may be left and no fault may wait for another test."""
    yield server.boxes()
    server.no_faults()
    assert until(lambda: server.folders() == [])


@pytest.fixture
def box(boxes: Boxes) -> Iterator[Box]:
    with boxes.open("test", tags={}, lifetime_s=120) as box:
        yield box


def start_or_skip(folder: Path, flags: tuple[str, ...], **more: Any) -> LocalServer:
    try:
        return LocalServer(folder, flags=flags, **more)
    except ServerRefused as refusal:
        if NO_JAIL in str(refusal) and may_skip(os.environ):
            pytest.skip(f"boxes cannot be sealed on this computer: {refusal}")
        raise


def may_skip(environment: Mapping[str, str]) -> bool:
    """Checks that are to show that boxes are sealed have not shown it by skipping what would."""
    return environment.get("CI", "") in ("", "0", "false")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The escape suite as root is a command of its own, `pytest tests/box -m root`: it doubles what the suite takes.

    Plans that attack their runner run as whoever runs the tests, and so in both.
    """
    is_asked_for = "root" in config.option.markexpr
    for item in items:
        if is_asked_for and item.path.name == "test_plan_escapes.py":
            item.add_marker(pytest.mark.root)
        elif not is_asked_for and item.path.name == "test_escapes.py" and item.get_closest_marker("root"):
            item.add_marker(pytest.mark.skip(reason="as root with `-m root`"))
