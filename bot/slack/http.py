"""HTTP mode: each of Slack's requests is read whole, checked, and handed to bolt on a thread.

Bolt's own ASGI adapter calls the app on the event loop, where one request would wait for the transaction of another;
and it parses a body before it looks at the signature. The rest is bolt's: its requests, its answers, its app.
"""

import asyncio
from collections.abc import Callable

from anyio import CapacityLimiter, to_thread
from slack_bolt import BoltRequest, BoltResponse
from slack_sdk.signature import SignatureVerifier
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from bot.log import log
from bot.slack.socket import WORKERS
from bot.work.metrics import SLACK_RETRIES

PATH = "/slack/events"
"""Where events, presses, commands and shortcuts are sent to."""

KINDS = frozenset({"application/json", "application/x-www-form-urlencoded"})
MOST_BYTES = 2 * 1024 * 1024
"""A form of a hundred full blocks, encoded twice, stays below it."""

WHOLE_WITHIN_S = 3.0
"""Slack waits no longer for the answer, so nothing it sends takes longer to arrive."""

Dispatch = Callable[[BoltRequest], BoltResponse]


class Door:
    """The endpoint of Slack's requests. Nobody learns here what was wrong with a request that Slack did not sign."""

    def __init__(self, dispatch: Dispatch, signing_secret: str) -> None:
        self._dispatch = dispatch
        self._verifier = SignatureVerifier(signing_secret)
        self._threads: CapacityLimiter | None = None

    async def receive(self, request: Request) -> Response:
        """Answer one request; an error of ours is answered 500, and Slack sends an event again."""
        if request.method == "GET":  # Slack's look at our certificate: ?ssl_check=1
            return PlainTextResponse("Slack posts here.\n")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in KINDS:
            return PlainTextResponse("This takes JSON and forms, as Slack sends them.\n", 415)
        try:
            body = await asyncio.wait_for(_whole(request), WHOLE_WITHIN_S)
        except (TimeoutError, ClientDisconnect):
            return PlainTextResponse("The request did not arrive in time.\n", 408)
        if body is None:
            return PlainTextResponse("The request is larger than any of Slack's.\n", 413)
        if not self._is_slacks(body, request):
            return PlainTextResponse("This is not signed by Slack.\n", 401)
        _note_retry(request)
        asked = _read(body, request)
        if asked is None:
            return PlainTextResponse("The body cannot be read.\n", 400, {"X-Slack-No-Retry": "1"})
        self._threads = self._threads or CapacityLimiter(WORKERS)
        return as_sent(await to_thread.run_sync(self._dispatch, asked, limiter=self._threads))

    def _is_slacks(self, body: bytes, request: Request) -> bool:
        stamp, signature = (request.headers.get(f"x-slack-{name}", "") for name in ("request-timestamp", "signature"))
        if not (stamp.isascii() and stamp.isdigit() and len(stamp) < 20 and signature.isascii()):
            return False
        return self._verifier.is_valid(body, stamp, signature)


async def _whole(request: Request) -> bytes | None:
    """The body; None where it is too large, whatever its length was said to be."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            return None
    return bytes(body)


def _read(body: bytes, request: Request) -> BoltRequest | None:
    """As bolt takes it; None for what is no event, no press and no command."""
    try:
        asked = as_bolt(body, request)
    except (ValueError, TypeError, AttributeError):
        return None
    return asked if "type" in asked.body or "command" in asked.body else None


def _note_retry(request: Request) -> None:
    """A redelivery is taken in like a first delivery, which may have died: what was seen already is known by its id."""
    number, reason = (request.headers.get(f"x-slack-retry-{name}", "") for name in ("num", "reason"))
    if number not in ("", "0"):
        SLACK_RETRIES.inc()
        log.warning("slack_sends_again", number=number, reason=reason)


def as_bolt(body: bytes, request: Request) -> BoltRequest:
    """Raises ValueError, TypeError or AttributeError for what is no UTF-8, no JSON or no object."""
    return BoltRequest(body=body.decode(), query=request.url.query, headers=dict(request.headers))


def as_sent(answer: BoltResponse) -> Response:
    """Bolt's answer, cookies included."""
    response = Response(answer.body, answer.status)
    for name, values in answer.headers.items():
        for value in values:
            response.headers.append(name, value)
    return response
