"""The desk's one web server: Web API, files, Socket Mode, clock, control API and page, for loopback only."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
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
    control_app,
    control_files,
    control_messages,
    control_places,
    oauth_pages,
    page_routes,
)
from bot.desk.desk import Desk
from bot.desk.look import Look
from bot.desk.methods import WebApi, bearer
from bot.desk.response_urls import respond

BESIDE = "/beside"  # where a second workspace has its page, its files and its control API
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

METHODS = (
    *api_workspace.METHODS,
    *api_conversations.METHODS,
    *api_chat.METHODS,
    *api_assistant.METHODS,
    *api_files.METHODS,
    *api_views.METHODS,
    *oauth_pages.METHODS,
)


ORDERS = (*control_app.ORDERS, *control_files.ORDERS, *control_messages.ORDERS, *control_places.ORDERS)


def application(desk: Desk, beside: Desk | None = None) -> ASGIApp:
    """The ASGI application that serves this desk, and another workspace beside it. One Web API answers for both."""
    desks = [desk, beside] if beside else [desk]
    apis = {one.workspace.team.id: WebApi(one, METHODS) for one in desks}

    async def api(request: Request) -> Response:
        meant = desk.oauth.desk_of(bearer(request)) or desk
        return await apis[meant.workspace.team.id].answer(request)

    routes: list[BaseRoute] = [Route("/api/{method}", api, methods=["GET", "POST"]), *oauth_pages.routes(desk.oauth)]
    if beside:
        routes.append(Mount(BESIDE, routes=_of(beside)))
    return LoopbackOnly(Starlette(routes=[*routes, *_of(desk)]))


def _of(desk: Desk) -> list[BaseRoute]:
    """What one workspace serves: its files, its connections, its page and what people do there."""

    def serving(run: Callable[[Desk, Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return await run(desk, request)

        return endpoint

    async def link(socket: WebSocket) -> None:
        await desk.hub.serve(socket)

    async def clock(_request: Request) -> Response:
        return JSONResponse(Look(desk).clock())

    return [
        Route("/upload/v1/{file}", serving(api_files.upload), methods=["POST"]),
        Route("/files-pri/{place}/{rest:path}", serving(api_files.download)),
        Route("/response/{answer}", serving(respond), methods=["POST"]),
        WebSocketRoute("/link/", link),
        Route("/clock", clock),
        Mount(
            "/desk/api",
            routes=[
                *control_files.routes(desk),
                *control.routes(desk, ORDERS),
            ],
        ),
        *page_routes.routes(desk),
    ]


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
