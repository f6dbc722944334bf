"""Nothing gets out: every hostile script is run in a real box, and the host is looked at afterwards."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox.client import Boxes
from tests.box.conftest import SMALL, may_skip, start_or_skip
from tests.box.escapes import ATTACKS
from tests.box.escapes.attack import Attack, carry_out
from tests.box.escapes.host import Host, prepared_host
from tests.box.local_server import LocalServer, somebody_else, until
from tests.folders import reachable_folder

# The host that they reach for has addresses of its own, so that there can be only one at a time.
pytestmark = pytest.mark.xdist_group("escapes")


@pytest.fixture(
    scope="module", params=[pytest.param("as a user"), pytest.param("as root", marks=pytest.mark.root)], autouse=True
)
def server(request: pytest.FixtureRequest) -> Iterator[LocalServer]:
    more: dict[str, Any] | None = {}
    if request.param == "as a user" and os.geteuid() == 0:
        more = somebody_else()
    if more is None and may_skip(os.environ):
        pytest.skip("there is no Python here that another account may start; run this as an ordinary user")
    assert more is not None, "there is no Python here that another account may start"
    with reachable_folder() as folder:
        server = start_or_skip(folder, SMALL, **more)
        yield server
        server.stop()


@pytest.fixture(scope="module")
def provider(server: LocalServer) -> Boxes:
    return server.boxes()


@pytest.fixture(scope="module")
def host(server: LocalServer, provider: Boxes) -> Iterator[Host]:
    with reachable_folder() as folder, prepared_host(folder, server, provider) as host:
        yield host


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name.replace(" ", "-"))
def test_nothing_gets_out(attack: Attack, server: LocalServer, provider: Boxes, host: Host) -> None:
    verdict = carry_out(attack, server, provider, host)

    assert verdict.escaped == (), verdict.said
    assert verdict.unproved == "", verdict.said


def test_a_host_that_was_reached_would_be_noticed(host: Host) -> None:
    """The judge hears what it is there for: each effect is made from outside, where nothing forbids it."""
    socket.create_connection(("127.0.0.1", host.words["tcp"])).close()
    host.victim.write_text("spoiled", encoding="ascii")

    assert host.found_in(f"loot: {host.secrets['a file']}") == ["secret of a file"]
    noticed: list[str] = []
    until(lambda: noticed.extend(host.changes()) or len(noticed) > 1)  # who listens is another thread
    assert sorted(noticed) == ["a file of the host was written", "contact with AF_INET SOCK_STREAM"]
    assert host.changes() == []
