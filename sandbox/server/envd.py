"""The routes inside a box, as E2B's envd offers them: health, files and the two RPC services."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sandbox.server import files, filesystem_calls, process_calls, signed_urls
from sandbox.server.boxes import Box, Boxes
from sandbox.server.framing import STREAM_TYPE, UNARY_TYPE, Json, end_of_stream, envelope, messages, single_message
from sandbox.server.keys import Keys
from sandbox.server.processes import Event
from sandbox.server.refusals import ApiError, BadKey, RpcError

_MAX_CALL_BYTES = 8 << 20  # a call carries paths and arguments; data goes through /files


class Envd:
    """Every route wants the box's id and its own token."""

    def __init__(self, boxes: Boxes) -> None:
        self._boxes = boxes

    def routes(self) -> list[Route]:
        return [
            Route("/health", self.health, methods=["GET"]),
            Route("/files", self.download, methods=["GET"]),
            Route("/files", self.upload, methods=["POST"]),
            Route("/process.Process/{name}", self.process, methods=["POST"]),
            Route("/filesystem.Filesystem/{name}", self.filesystem, methods=["POST"]),
        ]

    async def health(self, request: Request) -> Response:
        self._box(request)
        return Response(status_code=204)

    async def download(self, request: Request) -> Response:
        return await files.download(self._box_of_file(request), request)

    async def upload(self, request: Request) -> Response:
        return await files.upload(self._box_of_file(request), request, self._boxes.jail.limits.disk_bytes)

    async def filesystem(self, request: Request) -> Response:
        box, name = self._box(request), request.path_params["name"]
        keys = await _keys(request, name)
        return Json(await asyncio.to_thread(filesystem_calls.call, name, box, keys))

    async def process(self, request: Request) -> Response:
        box, name = self._box(request), request.path_params["name"]
        if name == "StreamInput":
            return await _taken(process_calls.stream_input(box, messages(request.stream(), _MAX_CALL_BYTES)))
        keys = await _keys(request, name)
        if not _is_streamed(request):
            return Json(await process_calls.call(name, box, keys))
        events = process_calls.stream(name, self._boxes, box, keys, request)
        return StreamingResponse(_streamed(events), media_type=STREAM_TYPE)

    def _box_of_file(self, request: Request) -> Box:
        return signed_urls.signed_box(self._boxes, request) if signed_urls.is_signed(request) else self._box(request)

    def _box(self, request: Request) -> Box:
        if request.headers.get("e2b-sandbox-port", "49983") != "49983":
            raise ApiError(502, "The sandbox is running but port is not open")
        _refuse_other_users(request)
        headers = request.headers
        return self._boxes.opened(headers.get("e2b-sandbox-id", ""), headers.get("x-access-token", ""))


async def _streamed(events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    try:
        async with contextlib.aclosing(events) as open_events:  # type: ignore[type-var]  # a generator
            async for event in open_events:
                yield envelope({"event": event})
        yield end_of_stream()
    except RpcError as error:
        yield end_of_stream(error)
    except BadKey as error:
        yield end_of_stream(RpcError("invalid_argument", str(error)))
    except ApiError as error:
        yield end_of_stream(RpcError("unavailable", str(error)))


async def _taken(work: Awaitable[None]) -> Response:
    """The answer to a call that streams only towards us, once all is taken: one empty message, or the error."""
    try:
        await work
        answer = envelope({}) + end_of_stream()
    except RpcError as error:
        answer = end_of_stream(error)
    except BadKey as error:
        answer = end_of_stream(RpcError("invalid_argument", str(error)))
    return Response(answer, media_type=STREAM_TYPE)


async def _keys(request: Request, name: str) -> Keys:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_CALL_BYTES:
            raise RpcError("resource_exhausted", f"a call may carry {_MAX_CALL_BYTES} bytes")
    return Keys(name, single_message(bytes(body), streamed=_is_streamed(request)))


def _is_streamed(request: Request) -> bool:
    kind = request.headers.get("content-type", "").split(";")[0]
    if kind not in (STREAM_TYPE, UNARY_TYPE):
        raise RpcError("invalid_argument", f"content type {kind!r} is not offered by this server")
    return kind == STREAM_TYPE


def _refuse_other_users(request: Request) -> None:
    """`user=` arrives as Basic authentication; a box has one user, so another name cannot be honoured."""
    if request.headers.get("authorization", "Basic dXNlcjo=") != "Basic dXNlcjo=":  # base64 of "user:"
        raise BadKey("header 'authorization': a box has only the user 'user'.")
