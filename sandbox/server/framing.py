"""Connect's wire: JSON messages, each in an envelope of one flag byte and a length, when they are streamed."""

from __future__ import annotations

import json
import struct
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

from starlette.responses import JSONResponse

from sandbox.server.refusals import RpcError

STREAM_TYPE = "application/connect+json"
UNARY_TYPE = "application/json"
_HEADER = struct.Struct(">BI")
_END_OF_STREAM = 2


class Json(JSONResponse):
    """A script's names need be no text: what UTF-8 cannot say is shown as a question mark."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def envelope(message: object) -> bytes:
    return _framed(0, message)


def end_of_stream(error: RpcError | None = None) -> bytes:
    return _framed(_END_OF_STREAM, {"error": error.body} if error else {})


def _framed(flags: int, message: object) -> bytes:
    data = json.dumps(message).encode()
    return _HEADER.pack(flags, len(data)) + data


def single_message(body: bytes, *, streamed: bool) -> object:
    """The one message of a request: a bare JSON document, or one envelope when the call streams."""
    if streamed:
        body = _only_envelope(body)
    try:
        message: object = json.loads(body or b"{}")
    except ValueError:
        raise RpcError("invalid_argument", "the request is no JSON") from None
    return message


async def messages(body: AsyncIterable[bytes], limit_bytes: int) -> AsyncIterator[object]:
    """The messages of a request that streams, each as it arrives; one may have `limit_bytes`. Raises RpcError."""
    kept = bytearray()
    async for chunk in body:
        kept += chunk
        while len(kept) >= _HEADER.size:
            flags, length = _HEADER.unpack_from(kept)
            if length > limit_bytes:
                raise RpcError("resource_exhausted", f"a message may have {limit_bytes} bytes")
            if len(kept) < _HEADER.size + length:
                break
            data = bytes(kept[_HEADER.size : _HEADER.size + length])
            del kept[: _HEADER.size + length]
            yield single_message(_HEADER.pack(flags, length) + data, streamed=True)
    if kept:
        raise RpcError("invalid_argument", "the request ended in the middle of a message")


def _only_envelope(body: bytes) -> bytes:
    if len(body) < _HEADER.size:
        raise RpcError("invalid_argument", "the request holds no envelope")
    flags, length = _HEADER.unpack_from(body)
    if flags or len(body) != _HEADER.size + length:
        raise RpcError("invalid_argument", "the request must be exactly one uncompressed envelope")
    return body[_HEADER.size :]
