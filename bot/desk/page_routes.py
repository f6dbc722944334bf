"""The page: three plain files, and a stream of what changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from bot.desk.desk import Desk

PAGE = Path(__file__).with_name("page")
# Nothing from elsewhere, no inline script, and no frame but a mail's.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
# So often that a page which lost the desk notices it soon.
HEARTBEAT_S = 15.0


def routes(desk: Desk) -> list[Route]:
    """The page at / and at every permalink, its assets, and its stream."""

    async def index(_request: Request) -> Response:
        return FileResponse(PAGE / "index.html", headers=HEADERS)

    async def asset(request: Request) -> Response:
        path = PAGE / Path(request.path_params["name"]).name
        return FileResponse(path, headers=HEADERS) if path.is_file() else Response(status_code=404)

    return [
        Route("/", index),
        Route("/archives/{rest:path}", index),
        Route("/page/{name}", asset),
        Route("/desk/changes", _changes(desk)),
    ]


def _changes(desk: Desk) -> Callable[[Request], Awaitable[Response]]:
    async def stream(person: str) -> AsyncIterator[str]:
        with desk.changes.subscribe(person) as queue:
            yield "retry: 1000\n\n"
            while True:
                try:
                    change = await asyncio.wait_for(queue.get(), HEARTBEAT_S)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if change is None:
                    return
                yield f"data: {json.dumps(change)}\n\n"

    async def endpoint(request: Request) -> Response:
        person = request.query_params.get("person", "")
        return StreamingResponse(stream(person), media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    return endpoint
