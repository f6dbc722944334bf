"""The server put together: one port for control plane and boxes, the key checked in front of all."""

from __future__ import annotations

import contextlib
import hmac
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.server.boxes import Boxes
from sandbox.server.control import Control
from sandbox.server.envd import Envd
from sandbox.server.faults import FaultyApp
from sandbox.server.framing import Json
from sandbox.server.refusals import RPC_STATUS, ApiError, BadKey, RpcError

_KEYED = ("/v2/", "/sandboxes", "/standby/", "/_test/")


@dataclass(frozen=True)
class ServerOptions:
    """How the server was started. `key` opens the control plane."""

    key: str
    template: str
    ready_file: Path
    with_faults: bool


class _KeyGuard:
    """Lets nobody without the API key to the control plane; routes inside boxes want the box's own token."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self._app = app
        self._key = key.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(_KEYED):
            shown = Request(scope).headers.get("x-api-key", "").encode()
            if not hmac.compare_digest(shown, self._key):
                await Json({"code": 401, "message": "Invalid API key"}, 401)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def build_app(boxes: Boxes, options: ServerOptions) -> ASGIApp:
    """The ASGI app. Ending it ends every box."""

    @contextlib.asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        yield
        await boxes.kill_all()

    routes = [*Control(boxes, options.template).routes(), *Envd(boxes).routes()]
    app = Starlette(
        routes=routes,
        lifespan=life,
        exception_handlers={ApiError: _api_error, RpcError: _rpc_error, BadKey: _bad_key, 404: _unknown},
    )
    if not options.with_faults:
        return _KeyGuard(app, options.key)
    faulty = FaultyApp(app, boxes.ledger)
    app.router.routes.extend(faulty.routes())
    return _KeyGuard(faulty, options.key)


async def _api_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    return Json(error.body, error.status)


async def _rpc_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, RpcError)
    return Json(error.body, RPC_STATUS[error.code])


async def _bad_key(request: Request, error: Exception) -> Response:
    if request.url.path.startswith(("/process.", "/filesystem.")):
        return Json(RpcError("invalid_argument", str(error)).body, 400)
    return Json(ApiError(400, str(error)).body, 400)


async def _unknown(request: Request, _: Exception) -> Response:
    message = f"{request.method} {request.url.path} is not offered by this server"
    return Json(ApiError(404, message).body, 404)
