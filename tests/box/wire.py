"""Requests to the server byte for byte, to say what the SDK never would."""

from __future__ import annotations

import contextlib
import json
import struct
from typing import Any

import httpx

from sandbox.client import Box
from tests.box.local_server import LocalServer

# What a well-behaved client sends to open a box here; tests change one thing at a time.
CREATE: dict[str, Any] = {"templateID": "base", "timeout": 60, "allow_internet_access": False}


def create(server: LocalServer, *, key: str | None = None, **changes: Any) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return server.http.post("/v2/sandboxes", json={**CREATE, **changes}, headers=headers)


def token_of(server: LocalServer, box: Box) -> str:
    return str(server.http.get(f"/sandboxes/{box.id}").json()["envdAccessToken"])


def start(server: LocalServer, box: Box, message: object) -> str:
    """The raw answer of process.Process/Start."""
    with started(server, box, message) as answer:
        return answer.read().decode(errors="replace")  # envelopes hold lengths, which are no text


def started(server: LocalServer, box: Box, message: object) -> contextlib.AbstractContextManager[httpx.Response]:
    """The same, not read yet."""
    data = json.dumps(message).encode()
    headers = {
        "E2b-Sandbox-Id": box.id,
        "X-Access-Token": token_of(server, box),
        "Content-Type": "application/connect+json",
    }
    body = struct.pack(">BI", 0, len(data)) + data
    return server.http.stream("POST", "/process.Process/Start", content=body, headers=headers)
