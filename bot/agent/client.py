"""One request to the model: streamed, tried again by our own rules, and no message without a reason why it ended."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import anthropic
import httpx2

from bot.agent.asked import Answer, Request
from bot.agent.budget import Ledger
from bot.agent.cleaning import clean
from bot.agent.config import ModelSettings
from bot.agent.errors import ModelAway, ModelRefused
from bot.agent.received import blocks_of, is_kept, usage_of, word_of
from bot.domain.conversation import ANSWERED, Attempt, Usage
from bot.domain.here import is_loopback
from bot.domain.redact import redacted

TRIES = 4
CONNECT_S, SILENCE_S, WHOLE_S = 10.0, 120.0, 480.0
# By the error's type: an overload in the middle of a stream comes with status 200.
TRANSIENT = frozenset({"overloaded_error", "rate_limit_error", "api_error", "timeout_error"})
SPENT = frozenset({"enforced_spend_limit_reached", "contract_spend_limit_reached"})
CUT = "the answer broke off"
SAID = 300  # characters of a server's own words that people are shown
ODD = "an answer that a conversation cannot go on with"
# A line that breaks comes as httpx2's own. What is no stream of messages, as whatever the SDK stumbled over.
BROKEN = (anthropic.APIError, httpx2.HTTPError, ValueError, AssertionError, LookupError, TypeError, AttributeError)
# Of these alone it is certain that no request went out; any other may have been worked on, and billed.
UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)


@dataclass(frozen=True)
class Tried:
    """One attempt: an answer, or a wait before the next, or words why there will be none."""

    attempt: Attempt
    answer: Answer | None = None
    wait_s: float | None = None
    why: str = ""


@dataclass(frozen=True)
class Lifecycle:
    """Where a model is in its life, in the provider's word (`active`, `deprecated`, `retired`); empty: not said."""

    word: str
    retires_on: str = ""


class Model:
    """The provider's Messages API. The only place that speaks to it."""

    def __init__(self, settings: ModelSettings, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.settings = settings
        self._sleep = sleep
        self._client = anthropic.Anthropic(
            api_key=settings.key.get_secret_value() or "none",
            base_url=settings.base_url,
            max_retries=0,
            http_client=_http_client(settings),
        )

    def close(self) -> None:
        self._client.close()

    def ask(self, request: Request, ledger: Ledger) -> Answer:
        """The next answer. Raises ModelRefused, ModelAway and, before anything is sent, Stopped."""
        slept, last = 0.0, CUT
        for number in range(1, TRIES + 1):
            call_id = ledger.reserve(number, request.messages, request.max_tokens)
            tried = self._try(request)
            ledger.close(call_id, tried.attempt)
            if tried.answer is not None:
                return tried.answer
            if tried.wait_s is None:
                raise ModelRefused(f"The model refused the request: {tried.why} It was not tried again.")
            last = tried.why
            wait_s = tried.wait_s or 2 ** (number - 1) * random.uniform(0.8, 1.2)
            if slept + wait_s > self.settings.patience_s:
                raise ModelAway(f"The model does not answer now ({last}).", wait_s)
            if number < TRIES:
                self._sleep(wait_s)
                slept += wait_s
        raise ModelAway(f"The model did not answer in {TRIES} tries ({last}).", self.settings.patience_s)

    def lifecycle(self) -> Lifecycle:
        """What the provider says of the model; asked by the doctor, costs nothing. Raises ModelRefused, ModelAway."""
        try:
            found = self._client.models.retrieve(self.settings.name, timeout=CONNECT_S)
        except anthropic.APIStatusError as error:
            if error.status_code >= 500 or error.status_code == 429:
                raise ModelAway(f"{error.status_code} {error.api_message or ''}".strip(), 0.0) from error
            raise ModelRefused(f"{error.api_message or error.status_code}.{_advice(error.status_code)}") from error
        except (anthropic.APIError, httpx2.HTTPError, ValueError) as error:
            raise ModelAway(f"no answer ({type(error).__name__})", 0.0) from error
        retires_at = getattr(found, "retires_at", None)
        return Lifecycle(str(getattr(found, "lifecycle", None) or ""), f"{retires_at:%Y-%m-%d}" if retires_at else "")

    def count_tokens(self, text: str) -> int:
        """How many tokens the model's own tokenizer makes of a text. Free; 0 where the provider does not say."""
        if not self.settings.sends_optional_fields:
            return 0
        try:
            found = self._client.messages.count_tokens(
                model=self.settings.name, messages=[{"role": "user", "content": text}], timeout=CONNECT_S
            )
        except (anthropic.APIError, httpx2.HTTPError, ValueError):
            return 0
        return found.input_tokens

    def _try(self, request: Request) -> Tried:
        seen, body = _Seen(), self._body(request)
        try:
            return self._stream(body, seen)
        except anthropic.APIStatusError as error:
            return _refused(error, seen)
        except BROKEN as error:
            is_unsent = isinstance(error.__cause__ or error, UNSENT)
            why = f"{'no connection' if is_unsent else CUT}: {type(error).__name__}"
            return Tried(seen.attempt(why, has_end=is_unsent), None, 0.0, why)

    def _stream(self, body: Mapping[str, Any], seen: _Seen) -> Tried:
        with self._client.messages.stream(**body) as stream:
            seen.request_id = word_of(stream.response.headers.get("request-id"))
            for event in stream:
                seen.note(event)
            message = stream.get_final_message()
        if message.stop_reason is None:  # a proxy closed the stream politely: half a message, and no exception
            return Tried(seen.attempt(CUT, has_end=False), None, 0.0, CUT)
        content = blocks_of(message)
        if content is None:
            return Tried(replace(seen.whole(message), outcome=ODD), None, 0.0, ODD)
        declined = _why_declined(message.stop_details) if message.stop_reason == "refusal" else ""
        return Tried(seen.whole(message), Answer(tuple(filter(is_kept, content)), message.stop_reason, declined))

    def _body(self, request: Request) -> dict[str, Any]:
        """The same bytes for the same rows, cache marks aside. A custom server gets the plain fields only."""
        frozen = request.frozen
        system: dict[str, Any] = {"type": "text", "text": frozen.system}
        body: dict[str, Any] = {
            "model": frozen.model,
            "max_tokens": request.max_tokens,
            "system": [system],
            "tools": json.loads(frozen.tools),
            "messages": [{"role": str(one.role), "content": list(one.content)} for one in request.messages],
        }
        if frozen.effort:
            body["output_config"] = {"effort": frozen.effort}
        if self.settings.sends_optional_fields:
            system["cache_control"] = {"type": "ephemeral"}
            body["cache_control"] = {"type": "ephemeral"}
            body["thinking"] = {"type": "adaptive"}
            body["diagnostics"] = {"previous_message_id": request.previous_id or None}
        return body


class _Seen:
    """What an attempt showed so far, for the ledger: even an answer that breaks off is billed."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.usage: Usage | None = None
        self.streamed_bytes = 0
        self.message_id = ""
        self.request_id = ""

    def note(self, event: Any) -> None:
        if event.type == "message_start":
            self.message_id, self.usage = word_of(event.message.id), usage_of(event.message.usage)
        elif event.type == "content_block_delta":
            said = [getattr(event.delta, name, "") for name in ("text", "partial_json", "thinking")]
            self.streamed_bytes += sum(len(one or "") for one in said)
        if time.monotonic() - self.began > WHOLE_S:
            raise TimeoutExceeded(f"no end after {WHOLE_S:.0f} s")

    def attempt(self, outcome: str, *, has_end: bool) -> Attempt:
        """An attempt without an answer. Where nobody saw its end, output is at least what streamed."""
        usage = self.usage
        if usage is not None:
            usage = replace(usage, out=max(usage.out, self.streamed_bytes // 4))
        is_partial = usage is not None or not has_end
        return Attempt(outcome, self._seconds(), usage, is_partial, "", self.message_id, self.request_id)

    def whole(self, message: Any) -> Attempt:
        miss = getattr(getattr(message, "diagnostics", None), "cache_miss_reason", None)
        return Attempt(
            outcome=ANSWERED,
            seconds=self._seconds(),
            usage=usage_of(message.usage),
            stop_reason=message.stop_reason,
            message_id=word_of(message.id),
            request_id=self.request_id,
            cache_miss=word_of(getattr(miss, "type", miss)),
        )

    def _seconds(self) -> float:
        return round(time.monotonic() - self.began, 3)


class TimeoutExceeded(httpx2.HTTPError):
    """The stream lives on its pings alone: as good as broken."""


def _refused(error: anthropic.APIStatusError, seen: _Seen) -> Tried:
    """By the body's type and code, never by its wording."""
    kind, code = word_of(error.type), word_of(error.error_code)
    seen.request_id = seen.request_id or word_of(error.request_id)
    attempt = seen.attempt(f"{error.status_code} {code or kind}".strip(), has_end=True)
    words = _shown(error.api_message or kind or f"status {error.status_code}")
    if code in SPENT or error.status_code == 402:
        return Tried(attempt, why=f"the account's spending limit is reached ({words}).")
    is_passing = error.status_code in (408, 409, 429) or error.status_code >= 500
    is_wordless = not kind and error.status_code < 300  # an error in a stream that was answered with 200
    if kind in TRANSIENT or is_passing or is_wordless:
        return Tried(attempt, None, _retry_after_s(error.response.headers), f"{error.status_code} {words}")
    return Tried(attempt, why=f"{words} (status {error.status_code})." + _advice(error.status_code))


def _why_declined(details: Any) -> str:
    """What a refusal says of itself, as far as it is words."""
    return _shown(getattr(details, "explanation", None) or getattr(details, "category", None) or "no reason given")


def _shown(said: Any) -> str:
    """A server's own words as people may see them: short, no secrets, nothing hidden."""
    return redacted(clean(str(said)[:SAID]))


def _advice(status: int) -> str:
    if status in (401, 403):
        return " Check ANTHROPIC_API_KEY of the agent."
    return " Check STANDBY_MODEL_NAME and STANDBY_MODEL_BASE_URL." if status == 404 else ""


def _retry_after_s(headers: Any) -> float:
    """Zero where nothing usable is said: then our own pause counts."""
    try:
        said = float(headers.get("retry-after") or 0)
    except ValueError:
        return 0.0
    return said if math.isfinite(said) and said > 0 else 0.0


def _http_client(settings: ModelSettings) -> httpx2.Client:
    """Nothing goes through a proxy to this very computer, and the key to no host that a server points to."""
    timeout = httpx2.Timeout(SILENCE_S, connect=CONNECT_S)
    is_here = is_loopback(settings.base_url)
    chosen: dict[str, Any] = {"trust_env": False} if is_here or settings.proxy else {}
    if settings.proxy and not is_here:
        chosen["proxy"] = settings.proxy
    return anthropic.DefaultHttpxClient(timeout=timeout, follow_redirects=False, **chosen)
