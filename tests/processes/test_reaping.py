"""Boxes that their provider forgot to end are ended by us, and no other box is touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.processes.reaping import keep_reaping
from sandbox.client import OURS
from tests.box import wire
from tests.box.conftest import start_or_skip
from tests.box.local_server import LocalServer, until


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    server = start_or_skip(tmp_path, ("--faults",))
    yield server
    server.stop()


def made(server: LocalServer, **tags: str) -> str:
    """A box that its provider keeps for ten minutes, whatever its tags say."""
    return str(wire.create(server, timeout=600, metadata=tags).json()["sandboxID"])


def test_only_what_outlived_its_own_time_is_ended_again_and_again(server: LocalServer) -> None:
    kept = {made(server, **OURS, lifetime_s="600"), made(server, lifetime_s="0"), made(server, **OURS, lifetime_s="x")}
    forgotten = made(server, **OURS, lifetime_s="0")

    stop = keep_reaping(server.boxes(), every_s=0.1, grace_s=0)
    assert until(lambda: forgotten not in server.folders())
    later = made(server, **OURS, lifetime_s="0")
    assert until(lambda: later not in server.folders())
    stop.set()

    assert set(server.folders()) == kept


def test_a_provider_that_fails_stops_no_reaper(server: LocalServer) -> None:
    server.fault("status", "/v2/sandboxes", method="GET", status=500, times=2)
    forgotten = made(server, **OURS, lifetime_s="0")

    stop = keep_reaping(server.boxes(), every_s=0.1, grace_s=0)

    assert until(lambda: forgotten not in server.folders())
    stop.set()
