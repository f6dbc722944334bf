"""How the server says no: one error for REST routes, one for RPC calls, one for a key it does not know."""

from __future__ import annotations

from collections.abc import Mapping


class ApiError(Exception):
    """A REST answer of `status` with the body `{"code", "message"}` that the SDK reads."""

    def __init__(self, status: int, message: str, **extra: str) -> None:
        super().__init__(message)
        self.status = status
        self.body: Mapping[str, str | int] = {"code": status, "message": message, **extra}


# Connect's error codes and the HTTP status that carries each on a unary call.
RPC_STATUS: Mapping[str, int] = {
    "invalid_argument": 400,
    "unauthenticated": 401,
    "permission_denied": 403,
    "not_found": 404,
    "already_exists": 409,
    "resource_exhausted": 429,
    "internal": 500,
    "unimplemented": 501,
    "unavailable": 503,
    "deadline_exceeded": 504,
}


class RpcError(Exception):
    """A Connect error `{"code", "message"}`; `code` is a key of RPC_STATUS."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @property
    def body(self) -> Mapping[str, str]:
        return {"code": self.code, "message": self.message}


class BadKey(ValueError):
    """A request says something that this server does not know or cannot enforce; the message names the key."""
