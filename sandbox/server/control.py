"""E2B's control plane: create, list, look at, prolong and end boxes; and, of our own, what ran in which."""

from __future__ import annotations

import datetime as dt
import urllib.parse
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sandbox.server.boxes import Box, Boxes
from sandbox.server.framing import Json
from sandbox.server.keys import Keys
from sandbox.server.refusals import BadKey
from sandbox.server.requests import parse_create, parse_lifetime

# What our envd claims to be; the SDK switches features by it (octet-stream uploads need 0.5.7).
ENVD_VERSION = "0.6.13"
PAGE = 100
_LIST_KEYS = frozenset({"metadata", "state", "limit", "nextToken"})


class Control:
    """The routes under /v2/sandboxes, /sandboxes and /standby. The API key was checked before."""

    def __init__(self, boxes: Boxes, template: str) -> None:
        self._boxes = boxes
        self._template = template

    def routes(self) -> list[Route]:
        one, two = "/sandboxes/{id}", "/v2/sandboxes"
        return [
            Route(two, self.create, methods=["POST"]),
            Route(two, self.list, methods=["GET"]),
            Route(f"{two}/{{id}}/connect", self.connect, methods=["POST"]),
            Route(one, self.show, methods=["GET"]),
            Route(one, self.kill, methods=["DELETE"]),
            Route(f"{one}/timeout", self.timeout, methods=["POST"]),
            Route("/standby/boxes", self.lived, methods=["GET"]),
        ]

    async def create(self, request: Request) -> Response:
        asked = parse_create(await _json(request), self._template)
        box = self._boxes.create(asked, request.headers.get("idempotency-key"))
        return Json(self._detail(box), 201)

    async def list(self, request: Request) -> Response:
        query = request.query_params
        if unknown := sorted(set(query) - _LIST_KEYS):
            raise BadKey(f"list: this server does not know {', '.join(map(repr, unknown))}.")
        wanted = _tags(query.get("metadata", ""))
        states = {state for value in query.getlist("state") for state in value.split(",")}
        found = [
            box
            for box in self._boxes
            if wanted.items() <= box.request.tags.items() and (not states or "running" in states)
        ]
        start, size = _number(query, "nextToken", 0), _number(query, "limit", PAGE)
        rest = {"x-next-token": str(start + size)} if start + size < len(found) else None
        return Json([self._listed(box) for box in found[start : start + size]], headers=rest)

    async def show(self, request: Request) -> Response:
        return Json(self._detail(self._box(request)))

    async def kill(self, request: Request) -> Response:
        await self._boxes.kill(self._box(request))
        return Response(status_code=204)

    async def lived(self, _: Request) -> Response:
        """No route of E2B's: the newest boxes, ended ones too, with their commands and how they ended."""
        return Json({"boxes": self._boxes.ledger.lived()})

    async def timeout(self, request: Request) -> Response:
        keys = Keys("timeout", await _json(request))
        seconds = parse_lifetime(keys)
        keys.done()
        self._boxes.set_lifetime(self._box(request), seconds)
        return Response(status_code=204)

    async def connect(self, request: Request) -> Response:
        """Joining a box lengthens its life when asked, and never shortens it."""
        box = self._box(request)
        keys = Keys("connect", await _json(request))
        seconds = parse_lifetime(keys, 1)
        keys.done()
        if dt.datetime.now(dt.UTC) + dt.timedelta(seconds=seconds) > box.end_at:
            self._boxes.set_lifetime(box, seconds)
        return Json(self._detail(box))

    def _box(self, request: Request) -> Box:
        return self._boxes.find(request.path_params["id"])

    def _listed(self, box: Box) -> Mapping[str, object]:
        limits = self._boxes.jail.limits
        return {
            "templateID": box.request.template,
            "sandboxID": box.id,
            "clientID": "local",
            "envdVersion": ENVD_VERSION,
            "startedAt": box.started_at.isoformat(),
            "endAt": box.end_at.isoformat(),
            "cpuCount": limits.threads,
            "memoryMB": limits.memory_bytes >> 20,
            "diskSizeMB": limits.disk_bytes >> 20,
            "state": "running",
            "metadata": dict(box.request.tags),
        }

    def _detail(self, box: Box) -> Mapping[str, object]:
        return {
            **self._listed(box),
            "domain": None,
            "envdAccessToken": box.token,
            "allowInternetAccess": False,
            "lifecycle": {"onTimeout": "kill", "autoResume": False},
        }


async def _json(request: Request) -> object:
    try:
        body: object = await request.json()
    except ValueError:
        raise BadKey("the request's body is no JSON.") from None
    return body


def _tags(query: str) -> Mapping[str, str]:
    """The metadata filter; the SDK quotes names and values once more inside the query string."""
    pairs = urllib.parse.parse_qsl(query, keep_blank_values=True)
    return {urllib.parse.unquote(name): urllib.parse.unquote(value) for name, value in pairs}


def _number(query: Mapping[str, str], name: str, default: int) -> int:
    value = query.get(name, str(default))
    if not value.isdecimal():
        raise BadKey(f"list: {name!r} must be a whole number.")
    return int(value)
