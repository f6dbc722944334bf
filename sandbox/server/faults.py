"""For tests only: failures on demand in front of the real routes, and a ledger of what the server did."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandbox.server.keys import Keys
from sandbox.server.ledger import Ledger
from sandbox.server.refusals import BadKey

KINDS = ("status", "delay", "cut", "lost_reply")


@dataclass
class Fault:
    """What happens to the next `times` requests whose method and path match.

    status: answered with `status` and `message`, nothing is done. delay: done after `seconds`. cut: the
    connection breaks after `parts` pieces of the answer. lost_reply: done at once, answered after `seconds`.
    """

    kind: str
    method: str
    path: str
    times: int
    status: int
    message: str
    headers: dict[str, str]
    seconds: float
    parts: int

    def strikes(self, scope: Scope) -> bool:
        return self.times > 0 and self.method == scope["method"] and bool(re.fullmatch(self.path, scope["path"]))


class FaultyApp:
    """The app with faults in front; made only when the server is started with --faults."""

    def __init__(self, app: ASGIApp, ledger: Ledger) -> None:
        self._app = app
        self._ledger = ledger
        self._faults: list[Fault] = []

    def routes(self) -> list[Route]:
        return [
            Route("/_test/faults", self.add, methods=["POST"]),
            Route("/_test/faults", self.clear, methods=["DELETE"]),
            Route("/_test/ledger", self.show, methods=["GET"]),
        ]

    async def add(self, request: Request) -> Response:
        keys = Keys("fault", await request.json())
        fault = Fault(
            kind=keys.text("kind"),
            method=keys.text("method", "POST"),
            path=keys.text("path"),
            times=keys.number("times", 1),
            status=keys.number("status", 500),
            message=keys.text("message", "injected"),
            headers=dict(keys.text_map("headers")),
            seconds=keys.number("milliseconds", 0) / 1000,
            parts=keys.number("parts", 1),
        )
        keys.done()
        if fault.kind not in KINDS:
            raise BadKey(f"fault: 'kind' must be one of {', '.join(KINDS)}.")
        self._faults.append(fault)
        return Response(status_code=204)

    async def clear(self, _: Request) -> Response:
        self._faults.clear()
        return Response(status_code=204)

    async def show(self, _: Request) -> Response:
        return JSONResponse(self._ledger.as_json())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/_test/"):
            await self._app(scope, receive, send)
            return
        self._ledger.request(scope["method"], scope["path"])
        fault = next((each for each in self._faults if each.strikes(scope)), None)
        if fault is None:
            await self._app(scope, receive, send)
            return
        fault.times -= 1
        await self._strike(fault, scope, receive, send)

    async def _strike(self, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
        if fault.kind == "status":
            body = {"code": fault.status, "message": fault.message}
            await JSONResponse(body, fault.status, fault.headers)(scope, receive, send)
        elif fault.kind == "delay":
            whole = await _received(receive)  # first, or the body is lost when the client leaves meanwhile
            await asyncio.sleep(fault.seconds)
            await self._app(scope, whole, send)
        elif fault.kind == "cut":
            await self._app(scope, receive, _cutting(send, fault.parts))
        else:
            await self._app(scope, receive, _late(send, fault.seconds))


async def _received(receive: Receive) -> Receive:
    """The whole request, to be read later even if nobody waits for the answer any more."""
    messages = [await receive()]
    while messages[-1].get("more_body"):
        messages.append(await receive())
    left = iter(messages)

    async def again() -> Message:
        return next(left, None) or await receive()

    return again


def _cutting(send: Send, parts: int) -> Send:
    left = parts

    async def cut(message: Message) -> None:
        nonlocal left
        if message["type"] == "http.response.body":
            left -= 1
            if left < 0:
                raise ConnectionResetError("injected cut")
        await send(message)

    return cut


def _late(send: Send, seconds: float) -> Send:
    async def late(message: Message) -> None:
        if message["type"] == "http.response.start":
            await asyncio.sleep(seconds)
        await send(message)

    return late
