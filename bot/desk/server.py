"""The desk's one web server: Web API, files, Socket Mode, clock, control API and page, for loopback only."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from bot.desk import (
    api_assistant,
    api_chat,
    api_conversations,
    api_files,
    api_views,
    api_workspace,
    control,
    control_files,
    control_messages,
    control_places,
    page_routes,
)
from bot.desk.desk import Desk
from bot.desk.look import Look
from bot.desk.methods import WebApi
from bot.desk.response_urls import respond

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

METHODS = (
    *api_workspace.METHODS,
    *api_conversations.METHODS,
    *api_chat.METHODS,
    *api_assistant.METHODS,
    *api_files.METHODS,
    *api_views.METHODS,
)


def application(desk: Desk) -> ASGIApp:
    """The ASGI application that serves this desk."""
    api = WebApi(desk, METHODS)

    def serving(run: Callable[[Desk, Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return await run(desk, request)

        return endpoint

    async def link(socket: WebSocket) -> None:
        await desk.hub.serve(socket)

    async def clock(_request: Request) -> Response:
        return JSONResponse(Look(desk).clock())

    routes = [
        Route("/api/{method}", api.answer, methods=["GET", "POST"]),
        Route("/upload/v1/{file}", serving(api_files.upload), methods=["POST"]),
        Route("/files-pri/{place}/{rest:path}", serving(api_files.download)),
        Route("/response/{answer}", serving(respond), methods=["POST"]),
        WebSocketRoute("/link/", link),
        Route("/clock", clock),
        Mount(
            "/desk/api",
            routes=[
                *control_files.routes(desk),
                *control.routes(desk, (*control_files.ORDERS, *control_messages.ORDERS, *control_places.ORDERS)),
            ],
        ),
        *page_routes.routes(desk),
    ]
    return LoopbackOnly(Starlette(routes=routes))


class LoopbackOnly:
    """Refuses requests under another host's name, and changes that another site's page asks for.

    A web page can make a browser send requests to 127.0.0.1, also under a name of its own that resolves to it. The
    Host header tells the second, the Origin header the first.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            refusal = _refusal(scope["method"], scope["path"], Headers(scope=scope))
            if refusal:
                await PlainTextResponse(refusal, 403)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _refusal(method: str, path: str, headers: Headers) -> str:
    host = headers.get("host", "")
    if urlsplit(f"//{host}").hostname not in _LOOPBACK:
        return "The desk answers only on the loopback interface, as 127.0.0.1 or localhost."
    if method in ("GET", "HEAD") or not path.startswith("/desk/"):
        return ""
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != host:
        return "Another site's page may not act at the desk."
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return "Another site's page may not act at the desk."
    return ""
