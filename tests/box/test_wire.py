"""Strictness: the server does what it is asked or says no; it never ignores a word, a key or a token."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox.client import Box, Boxes
from sandbox.errors import BoxRefused
from tests.box import wire
from tests.box.conftest import start_or_skip
from tests.box.local_server import LocalServer


@pytest.mark.parametrize(
    ("named", "changes"),
    [
        ("allow_internet_access", {"allow_internet_access": True}),
        ("allowInternetAccess", {"allowInternetAccess": False}),  # the answer's spelling: unknown in a request
        ("autoPause", {"autoPause": True}),
        ("autoResume", {"autoResume": {"enabled": True}}),
        ("volumeMounts", {"volumeMounts": [{"name": "v", "path": "/v"}]}),
        ("mcp", {"mcp": {}}),
        ("iam", {"iam": {}}),
        ("secure", {"secure": True}),
        ("allowPublicTraffic", {"network": {"allowPublicTraffic": True}}),
        ("allowOut", {"network": {"allowOut": ["example.org"]}}),
        ("rules", {"network": {"rules": {}}}),
        ("templateID", {"templateID": "another"}),
        ("timeout", {"timeout": 0}),
        ("timeout", {"timeout": 86_401}),
        ("timeout", {"timeout": "soon"}),
        ("metadata", {"metadata": {"run": 1}}),
        ("LD_PRELOAD", {"envVars": {"LD_PRELOAD": "x.so"}}),
    ],
)
@pytest.mark.usefixtures("boxes")
def test_what_cannot_be_kept_is_refused_by_name(server: LocalServer, named: str, changes: dict[str, Any]) -> None:
    answer = wire.create(server, **changes)

    assert answer.status_code == 400
    assert named in answer.json()["message"]


@pytest.mark.usefixtures("boxes")
def test_a_request_that_does_not_switch_the_network_off_is_refused(server: LocalServer) -> None:
    body = {key: value for key, value in wire.CREATE.items() if key != "allow_internet_access"}

    answer = server.http.post("/v2/sandboxes", json=body)

    assert answer.status_code == 400
    assert "never have a network" in answer.json()["message"]


@pytest.mark.parametrize("path", ["/v2/sandboxes", "/sandboxes/i0", "/standby/boxes", "/_test/ledger"])
@pytest.mark.parametrize("key", ["", "wrong", "0" * 32])
def test_nobody_without_the_key_reaches_the_control_plane(server: LocalServer, path: str, key: str) -> None:
    assert httpx.get(server.url + path, headers={"X-API-KEY": key}, trust_env=False).status_code == 401


def test_a_wrong_key_is_a_refusal_that_names_the_setting(server: LocalServer) -> None:
    stranger = Boxes(server.settings(api_key="0" * 32))

    with pytest.raises(BoxRefused, match="STANDBY_BOX_API_KEY"), stranger.open("test", tags={}, lifetime_s=60):
        pass


def test_a_box_opens_only_to_its_own_token(boxes: Boxes, box: Box, server: LocalServer) -> None:
    box.put("inputs/secret.csv", b"1")
    with boxes.open("other", tags={}, lifetime_s=60) as other:
        for token in ("", "wrong", server.key, wire.token_of(server, other)):
            headers = {"E2b-Sandbox-Id": box.id, "X-Access-Token": token}
            assert server.http.get("/files", params={"path": "inputs/secret.csv"}, headers=headers).status_code == 401


def test_a_box_has_no_other_user(box: Box, server: LocalServer) -> None:
    headers = {"E2b-Sandbox-Id": box.id, "X-Access-Token": wire.token_of(server, box)}

    answer = server.http.get("/files", params={"path": "x", "username": "root"}, headers=headers)

    assert answer.status_code == 400
    assert "username" in answer.json()["message"]


def test_a_variable_for_the_launcher_is_refused(box: Box, server: LocalServer) -> None:
    answer = wire.start(server, box, {"process": {"cmd": "true", "envs": {"LD_PRELOAD": "/home/user/x.so"}}})

    assert "LD_PRELOAD" in answer


def test_an_unknown_word_in_a_command_is_refused(box: Box, server: LocalServer) -> None:
    answer = wire.start(server, box, {"process": {"cmd": "true"}, "pty": {"size": {}}})

    assert "pty" in answer and "invalid_argument" in answer


def test_the_same_idempotency_key_opens_the_same_box_once(boxes: Boxes, server: LocalServer) -> None:
    first = wire.create(server, key="run-1").json()
    again = wire.create(server, key="run-1").json()
    changed = wire.create(server, key="run-1", timeout=61)

    assert first["sandboxID"] == again["sandboxID"]
    assert changed.status_code == 409
    assert boxes.kill(first["sandboxID"])


def test_a_list_is_cut_into_pages_and_filtered_by_tags(boxes: Boxes, server: LocalServer) -> None:
    tags = [{"who": "Alice & co"}, {"who": "Alice & co"}, {"who": "Bob"}]
    made = [wire.create(server, metadata=each).json()["sandboxID"] for each in tags]

    first = server.http.get("/v2/sandboxes", params={"limit": 2})
    rest = server.http.get("/v2/sandboxes", params={"limit": 2, "nextToken": first.headers["x-next-token"]})

    assert [each["sandboxID"] for each in first.json() + rest.json()] == made
    assert "x-next-token" not in rest.headers
    assert [each.id for each in boxes.listed({"who": "Alice & co"})] == made[:2]
    assert all(boxes.kill(each) for each in made)


def test_what_is_not_offered_is_said(server: LocalServer) -> None:
    answer = server.http.post("/sandboxes/i0/pause", json={})

    assert answer.status_code == 404
    assert "not offered" in answer.json()["message"]


def test_the_key_is_on_no_command_line_and_no_test_route_is_open_by_default(tmp_path: Path) -> None:
    server = start_or_skip(tmp_path, ())
    try:
        argv = Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
        assert server.key.encode() not in argv
        assert server.http.get("/_test/ledger").status_code == 404
    finally:
        server.stop()
