"""One Web API call from request to answer: token, scope, faults, the method itself, and the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.desk.arguments import Arguments, read_arguments
from bot.desk.connections import cut_connection
from bot.desk.desk import Desk
from bot.desk.errors import Refused
from bot.desk.faults import FaultKind
from bot.desk.shapes import Json


class TokenKind(StrEnum):
    """Which token a method takes."""

    BOT = "xoxb"
    APP = "xapp"
    NONE = "none"  # blocks.validate asks for none


@dataclass(frozen=True)
class Method:
    """A Web API method. `scopes` lists alternatives: one of them is enough."""

    name: str
    run: Callable[[Desk, Arguments], Json]
    scopes: tuple[str, ...] = ()
    token: TokenKind = TokenKind.BOT


class WebApi:
    """The methods by name."""

    def __init__(self, desk: Desk, methods: Iterable[Method]) -> None:
        self._desk = desk
        self._methods = {method.name: method for method in methods}

    async def answer(self, request: Request) -> Response:
        """Answer one call, as Slack would, or as the armed faults say."""
        name = request.path_params["method"]
        faults = self._desk.faults
        limited = faults.take(FaultKind.RATE_LIMITED, name)
        if limited:
            self._desk.ledger.call(name, {}, ok=False, error="ratelimited", status=429)
            headers = {"Retry-After": str(max(1, round(limited.seconds)))}
            return JSONResponse({"ok": False, "error": "ratelimited"}, 429, headers)
        if faults.take(FaultKind.SERVER_ERROR, name):
            self._desk.ledger.call(name, {}, ok=False, error="internal_error", status=500)
            return PlainTextResponse("internal error", 500)
        result = await self._call(name, request)
        delay = faults.take(FaultKind.DELAY, name)
        if delay:
            await asyncio.sleep(delay.seconds)
        if faults.take(FaultKind.LOST_REPLY, name):
            return await cut_connection(request)
        return JSONResponse(result, headers={"x-oauth-scopes": ",".join(sorted(self._desk.scopes))})

    async def _call(self, name: str, request: Request) -> Json:
        arguments = Arguments({})
        try:
            arguments = await read_arguments(request)
            result = {"ok": True, **self._run(name, request, arguments)}
        except Refused as refused:
            result = {"ok": False, "error": refused.error, **refused.detail}
        self._desk.ledger.call(name, arguments.values, ok=result["ok"], error=result.get("error", ""))
        self._desk.changes.tell("ledger")
        return result

    def _run(self, name: str, request: Request, arguments: Arguments) -> Json:
        method = self._methods.get(name)
        if method is None:
            raise Refused("unknown_method", req_method=name)
        if method.token is not TokenKind.NONE:
            self._require_token(method, bearer(request) or arguments.text("token"))
            self._require_scope(method)
        return method.run(self._desk, arguments)

    def _require_token(self, method: Method, token: str) -> None:
        tokens = self._desk.tokens
        if not token:
            raise Refused("not_authed")
        if token != tokens.app:
            self._desk.require_bot_token(token)
        if (token == tokens.app) != (method.token is TokenKind.APP):
            raise Refused("not_allowed_token_type")

    def _require_scope(self, method: Method) -> None:
        have = self._desk.scopes
        if method.token is TokenKind.BOT and method.scopes and have.isdisjoint(method.scopes):
            raise Refused("missing_scope", needed=method.scopes[0], provided=",".join(sorted(have)))


def bearer(request: Request) -> str:
    """The token in the request's Authorization header, "" if there is none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
