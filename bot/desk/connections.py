"""Cutting an HTTP connection in the middle of a call, so that clients meet a lost reply as the network makes it."""

from __future__ import annotations

import asyncio
from typing import cast

from starlette.requests import Request
from starlette.responses import Response
from uvicorn.protocols.http.h11_impl import H11Protocol

# The open connections by the client's address, which is all that a request tells of its connection.
_open: dict[tuple[str, int], asyncio.Transport] = {}


class CuttableHttp(H11Protocol):
    """Uvicorn's HTTP protocol; it also notes its transport, so that a handler can cut it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # uvicorn's own choice
        super().connection_made(transport)
        _open[peer_of(transport)] = transport

    def connection_lost(self, exc: Exception | None) -> None:
        _open.pop(peer_of(self.transport), None)
        super().connection_lost(exc)


def peer_of(transport: asyncio.BaseTransport) -> tuple[str, int]:
    peer = cast("tuple[str, int] | None", transport.get_extra_info("peername"))
    return (peer[0], peer[1]) if peer else ("", 0)


async def cut_connection(request: Request) -> Response:
    """Reset the connection of this request. The response that is returned reaches nobody."""
    client = request.client
    transport = _open.get((client.host, client.port)) if client else None
    if transport:
        transport.abort()
        await asyncio.sleep(0)  # let the protocol learn of it before a response is tried
    return Response(status_code=500)
