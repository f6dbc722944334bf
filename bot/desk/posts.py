"""HTTP mode: envelopes posted to the app's request URL, signed as Slack signs them."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from urllib.parse import urlencode

import httpx

from bot.desk import limits
from bot.desk.delivery import Ack, Envelope, Missed, Try
from bot.desk.errors import BadRequest
from bot.desk.shapes import Json

JSON, FORM = "application/json", "application/x-www-form-urlencoded"


class Posts:
    """Posts to one address, which proved by a challenge that it is the app's."""

    def __init__(self, signing_secret: str) -> None:
        self._secret = signing_secret
        self.url = ""
        self.ack_within_s = limits.ACK_WITHIN_S

    async def move_to(self, url: str) -> None:
        """Use this address from now on, none where it is empty. Raises BadRequest where it fails the challenge."""
        if url:
            challenge = secrets.token_hex(20)
            said = {"token": "desk-verification", "challenge": challenge, "type": "url_verification"}
            response = await self._post(url, json.dumps(said), JSON, {})
            if isinstance(response, Missed):
                raise BadRequest(f"{url} did not answer the challenge: {response.reason}.")
            if response.status_code != httpx.codes.OK or challenge not in response.text:
                raise BadRequest(f"{url} answered the challenge with {response.status_code} {response.text[:200]!r}.")
        self.url = url

    async def attempt(self, one: Try) -> Ack | Missed:
        """Post once. Only an answer of 200 within three seconds counts; what it says is the app's answer."""
        again = {"X-Slack-Retry-Num": str(one.number), "X-Slack-Retry-Reason": one.reason} if one.number else {}
        response = await self._post(self.url, *_body(one), again)
        if isinstance(response, Missed):
            return response
        if response.status_code != httpx.codes.OK:
            return Missed("http_error", is_last=response.headers.get("x-slack-no-retry") == "1")
        return Ack(_answer(one.kind, response))

    async def pause(self, wait_s: float) -> None:
        """As long as Slack waits."""
        await asyncio.sleep(wait_s)

    async def _post(self, url: str, body: str, kind: str, headers: dict[str, str]) -> httpx.Response | Missed:
        headers = {"Content-Type": kind, "User-Agent": "Slackbot 1.0", **self.signed(body), **headers}
        try:
            async with httpx.AsyncClient(trust_env=False) as client:
                return await asyncio.wait_for(
                    client.post(url, content=body.encode(), headers=headers, timeout=None), self.ack_within_s
                )
        except TimeoutError:
            return Missed("http_timeout")
        except httpx.HTTPError:
            return Missed("connection_failed")

    def signed(self, body: str) -> dict[str, str]:
        """The headers that prove whose this is. By this computer's clock: the app has no other to check them by."""
        stamp = str(int(time.time()))
        made = hmac.new(self._secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256).hexdigest()
        return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={made}"}


def _body(one: Try) -> tuple[str, str]:
    """The body and its content type: events are JSON, whatever people do comes as a form."""
    if one.kind is Envelope.EVENT:
        return json.dumps(one.payload), JSON
    fields = one.payload if one.kind is Envelope.COMMAND else {"payload": json.dumps(one.payload)}
    return urlencode(fields), FORM


def _answer(kind: Envelope, response: httpx.Response) -> Json:
    if kind is Envelope.EVENT or not response.content:
        return {}
    if JSON in response.headers.get("content-type", ""):
        said = response.json()
        return said if isinstance(said, dict) else {}
    return {"text": response.text} if kind is Envelope.COMMAND else {}
