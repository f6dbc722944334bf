"""The arguments of a Web API call, however the client sent them: query, form, multipart or JSON with JSON inside."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from bot.desk.errors import Refused
from bot.desk.shapes import Json

# Arguments that form-encoded clients send as JSON text.
_JSON_ARGUMENTS = frozenset(
    ["attachments", "blocks", "chunks", "files", "loading_messages", "message", "metadata", "prompts", "view"]
)
_TRUE, _FALSE = ("1", "true", "True", True, 1), ("0", "false", "False", "", False, 0, None)


@dataclass(frozen=True)
class Arguments:
    """Named values with the checks that every method needs. All of them raise Refused(invalid_arguments)."""

    values: Json

    def text(self, name: str, default: str = "") -> str:
        value = self.values.get(name)
        if value is None:
            return default
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return str(value)
        raise _wrong(name, "must be a string")

    def required(self, name: str) -> str:
        value = self.text(name)
        if not value:
            raise _wrong(name, "is required")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        if name not in self.values:
            return default
        value = self.values[name]
        if value in _TRUE:
            return True
        if value in _FALSE:
            return False
        raise _wrong(name, "must be a boolean")

    def number(self, name: str, default: int) -> int:
        try:
            return int(self.values.get(name) or default)
        except (TypeError, ValueError) as error:
            raise _wrong(name, "must be a number") from error

    def items(self, name: str) -> list[Any]:
        """A JSON list; empty if absent."""
        value = self.values.get(name)
        if value in (None, ""):
            return []
        if not isinstance(value, list):
            raise _wrong(name, "must be an array")
        return value

    def object(self, name: str) -> Json | None:
        """A JSON object; None if absent."""
        value = self.values.get(name)
        if value in (None, ""):
            return None
        if not isinstance(value, dict):
            raise _wrong(name, "must be an object")
        return value

    def has(self, name: str) -> bool:
        return self.values.get(name) is not None


def _wrong(name: str, why: str) -> Refused:
    return Refused("invalid_arguments", response_metadata={"messages": [f"[ERROR] {name} {why}"]})


async def read_arguments(request: Request) -> Arguments:
    """Collect the arguments of a request. Raises Refused(invalid_json | invalid_form_data)."""
    values: Json = dict(request.query_params) | _client(request)
    content_type = request.headers.get("content-type", "")
    if "json" in content_type:
        values |= _json_body(await request.body())
    elif request.method == "POST" and content_type:
        async with request.form() as form:
            values |= {name: value for name, value in form.items() if isinstance(value, str)}
    return Arguments({name: _decoded(name, value) for name, value in values.items()})


def _client(request: Request) -> Json:
    """The app's own credentials, which come as a login where a token is asked for."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return {}
    try:
        client_id, _, client_secret = base64.b64decode(given, validate=True).decode().partition(":")
    except ValueError:
        return {}
    return {"client_id": client_id, "client_secret": client_secret}


def _json_body(body: bytes) -> Json:
    try:
        value = json.loads(body or b"{}")
    except ValueError as error:
        raise Refused("invalid_json") from error
    if not isinstance(value, dict):
        raise Refused("json_not_object")
    return value


def _decoded(name: str, value: Any) -> Any:
    if name not in _JSON_ARGUMENTS or not isinstance(value, str) or not value:
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise _wrong(name, "is no valid JSON") from error
