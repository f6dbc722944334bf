"""Signed addresses: a link to one file of one box that needs no header, as the SDK makes them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time

from starlette.requests import Request

from sandbox.server.boxes import Box, Boxes
from sandbox.server.refusals import ApiError

_OPERATIONS = {"GET": "read", "POST": "write"}


def is_signed(request: Request) -> bool:
    return "signature" in request.query_params


def signed_box(boxes: Boxes, request: Request) -> Box:
    """The box whose token made the signature; the address itself names none. Raises ApiError 401."""
    query = request.query_params
    until = query.get("signature_expiration")
    if until is not None and (not until.isdecimal() or int(until) < time.time()):
        raise ApiError(401, "the signature has expired")
    for box in boxes:
        if hmac.compare_digest(_signature(box, request, until), query["signature"].encode()):
            return box
    raise ApiError(401, "the signature is none of a running sandbox")


def _signature(box: Box, request: Request, until: str | None) -> bytes:
    query = request.query_params
    words = [query.get("path", ""), _OPERATIONS[request.method], query.get("username", ""), box.token]
    digest = hashlib.sha256(":".join(words + ([until] if until else [])).encode()).digest()
    return b"v1_" + base64.b64encode(digest).rstrip(b"=")
