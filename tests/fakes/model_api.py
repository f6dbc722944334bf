"""A local Messages API on a socket: it plays scripted turns to the real SDK and refuses what the real API refuses.

    api = ModelApi([use("think", thought="Looking"), lambda asked: [text("Done")]])
    with api.running(): ...  # STANDBY_MODEL_BASE_URL=api.url, ANTHROPIC_API_KEY=api.key
    api.done()               # every turn was played, nothing was refused

A turn is a list of blocks, a Reply, or a function of what was Asked that gives one of these. A function asserts what it
received before it answers; its assertion is kept and raised by `done`. One request more than scripted is refused.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakes.model_cache import PromptCache
from tests.fakes.model_rules import Json, Refused, blocks_of, check, prefix, signature, tokens

__all__ = ["Asked", "Json", "ModelApi", "Reply", "Turn", "text", "thinking", "use"]

KINDS = {429: "rate_limit_error", 529: "overloaded_error", 402: "billing_error", 401: "authentication_error"}
OVERLOADED = ("error", {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
MODEL = {"type": "model", "display_name": "", "created_at": "2026-10-07T00:00:00Z"}
DELTA = 24  # characters; small, so that a cut can fall anywhere


@dataclass(frozen=True)
class Reply:
    """An answer, or what goes wrong. `cut`, `eof` and `overload` are the number of the event at which it happens."""

    content: Sequence[Json] = ()
    stop_reason: str = ""
    stop_details: Json | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error_code: str = ""
    cut: int | None = None  # the connection breaks
    eof: int | None = None  # the stream ends politely, half-way
    overload: int | None = None  # an error event in the middle of the stream
    delay_s: float = 0.0
    partial_input: bool = False  # the last call's arguments stop half-way, as at max_tokens
    events: bytes = b""  # the whole stream as it is sent, in place of one made of `content`: a broken server's


@dataclass(frozen=True)
class Asked:
    """One request as it came, in the words of what a script asserts."""

    body: Json

    @property
    def last(self) -> str:
        """Everything since the last answer: texts and results, in order."""
        new = list(itertools.takewhile(lambda one: one["role"] == "user", reversed(self.body["messages"])))
        return "\n".join(_texts(block) for message in reversed(new) for block in blocks_of(message["content"]))

    @property
    def all(self) -> str:
        return "\n".join(_texts(block) for message in self.body["messages"] for block in blocks_of(message["content"]))

    def says(self, *words: str) -> None:
        """Assert that all these words came since the last answer."""
        missing = [word for word in words if word not in self.last]
        assert not missing, f"not received: {missing}; received was:\n{self.last}"

    def says_not(self, *words: str) -> None:
        found = [word for word in words if word in self.all]
        assert not found, f"received: {found}"


Blocks = Sequence[Json]
Turn = Blocks | Reply | Callable[[Asked], Blocks | Reply]


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def thinking(words: str) -> Json:
    return {"type": "thinking", "thinking": words}


def use(name: str, **given: Any) -> Json:
    return {"type": "tool_use", "name": name, "input": given}


class ModelApi:
    """The server. `requests` are all that were let through, `refused` what was not, `attempts` counts both."""

    def __init__(self, script: Sequence[Turn] = (), *, window: int = 200_000) -> None:
        self.script: list[Turn] = list(script)
        self.key = "sk-ant-local-0123456789abcdef"
        self.requests: list[Json] = []
        self.refused: list[str] = []
        self.failed: list[AssertionError] = []
        self.attempts = 0
        self.sent_bytes: list[int] = []
        self.cache = PromptCache()
        self.obeys_schemas = True  # False: a script may call what was not offered, as a model without a grammar can
        self.lifecycles: dict[str, Json] = {"claude-sonnet-5-5": {"lifecycle": "active"}}
        self._window, self._played, self._lock, self._is_paused = window, 0, threading.Lock(), False
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    @contextlib.contextmanager
    def running(self) -> Iterator[ModelApi]:
        thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._http.shutdown()
            self._http.server_close()
            thread.join(5)

    def say(self, *turns: Turn) -> None:
        """More turns, to be played after those that are left."""
        self.script += turns

    def done(self) -> None:
        """Raise what a script asserted in vain; then: nothing was refused, and no turn is left."""
        for problem in self.failed:
            raise problem
        assert self.refused == []
        assert self._played == len(self.script), f"{len(self.script) - self._played} turns were never asked for"

    def take(self, body: Json, size_bytes: int, headers: Any) -> tuple[Reply, Json, int]:
        """The reply to a request, as a message and its output tokens. Raises Refused."""
        with self._lock:
            self.attempts += 1
            try:
                offered = check(body, headers, self.key, self._window, is_paused=self._is_paused)
                self.requests.append(body)
                self.sent_bytes.append(size_bytes)
                reply = self._next(body)
                self._is_paused = reply.stop_reason == "pause_turn"
                return reply, *self._message(reply, body, offered)
            except Refused as refused:
                self.refused.append(str(refused))
                raise

    def _next(self, body: Json) -> Reply:
        if self._played >= len(self.script):
            raise Refused("the script has no more turns: the loop asked once too often")
        turn = self.script[self._played]
        self._played += 1
        if callable(turn):
            try:
                turn = turn(Asked(body))
            except AssertionError as problem:
                self.failed.append(problem)
                raise Refused(f"the script expected something else: {problem}") from problem
        return turn if isinstance(turn, Reply) else Reply(turn)

    def _message(self, reply: Reply, body: Json, offered: dict[str, Json]) -> tuple[Json, int]:
        if reply.status != 200:
            return {}, 0
        blocks = [self._block(number, block, body, offered) for number, block in enumerate(reply.content)]
        calls = any(block["type"] == "tool_use" for block in blocks)
        message = {
            "id": f"msg_{self._played:04d}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": blocks,
            "stop_reason": reply.stop_reason or ("tool_use" if calls else "end_turn"),
            "stop_sequence": None,
            "stop_details": reply.stop_details,
            "usage": self.cache.usage(body),
        }
        return message, sum(tokens(block) for block in blocks)

    def _block(self, number: int, block: Json, body: Json, offered: dict[str, Json]) -> Json:
        block = dict(block)
        if block["type"] == "thinking":
            block["signature"] = signature(block["thinking"], prefix(body, len(body["messages"])))
        if block["type"] == "tool_use":
            block.setdefault("id", f"toolu_{self._played:04d}_{number}")
            # A grammar holds real answers to the schema; a script has to hold itself to it.
            schema = offered.get(block["name"])
            fits = schema is not None and set(schema["required"]) == set(block["input"])
            if self.obeys_schemas and not fits:
                raise Refused(f"the script calls {block['name']} as it was not offered: {sorted(block['input'])}")
        return block


def _handler(api: ModelApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Tests say what they found; the server is silent."""

        def do_GET(self) -> None:
            """What is known of one model, by its name."""
            life = api.lifecycles.get(self.path.rsplit("/", 1)[-1])
            if api.key not in f"{self.headers.get('x-api-key')} {self.headers.get('authorization')}":
                return self._error(401, "authentication_error", "invalid x-api-key")
            if life is None or not self.path.startswith("/v1/models/"):
                return self._error(404, "not_found_error", f"model: {self.path}")
            return self._json(200, MODEL | {"id": self.path.rsplit("/", 1)[-1], **life})

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["content-length"]))
            try:
                if self.path.split("?")[0] == "/v1/messages/count_tokens":
                    return self._json(200, {"input_tokens": tokens(json.loads(data)["messages"])})
                if self.path.split("?")[0] != "/v1/messages":
                    raise Refused(self.path, 404, "not_found_error")
                reply, message, out = api.take(json.loads(data), len(data), self.headers)
            except Refused as refused:
                return self._error(refused.status, refused.kind, str(refused))
            time.sleep(reply.delay_s)
            if reply.status != 200:
                kind = KINDS.get(reply.status, "api_error")
                return self._error(reply.status, kind, kind, reply.headers, reply.error_code)
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # whoever asked may be dead by now
                self._stream(reply, message, out)
            return None

        def _error(
            self, status: int, kind: str, words: str, headers: dict[str, str] | None = None, code: str = ""
        ) -> None:
            error: Json = {"type": kind, "message": words} | ({"details": {"error_code": code}} if code else {})
            self._json(status, {"type": "error", "error": error, "request_id": "req_local"}, headers)

        def _json(self, status: int, answer: Json, headers: dict[str, str] | None = None) -> None:
            data = json.dumps(answer).encode()
            self.send_response(status)
            given = {"content-type": "application/json", "content-length": str(len(data)), "request-id": "req_local"}
            for name, value in (given | (headers or {})).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, reply: Reply, message: Json, out: int) -> None:
            self.close_connection = any(one is not None for one in (reply.cut, reply.eof, reply.overload))
            is_chunked = reply.eof is None
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("request-id", "req_local")
            if is_chunked:
                self.send_header("transfer-encoding", "chunked")
            if self.close_connection:
                self.send_header("connection", "close")
            self.end_headers()
            if reply.events:
                self.wfile.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(reply.events), reply.events))
                return
            for number, planned in enumerate(_events(message, out, reply.partial_input)):
                if number in (reply.cut, reply.eof):
                    return
                kind, event = OVERLOADED if number == reply.overload else planned
                data = f"event: {kind}\ndata: {json.dumps(event)}\n\n".encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if is_chunked else data)
                self.wfile.flush()
                if kind == "error":
                    break
            if is_chunked:
                self.wfile.write(b"0\r\n\r\n")

    return Handler


def _events(message: Json, out: int, partial_input: bool) -> Iterator[tuple[str, Json]]:
    """The stream of a message: small deltas, totals at the end."""
    yield "message_start", {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    yield "ping", {"type": "ping"}
    for index, block in enumerate(message["content"]):
        name, key, body, empty = _deltas_of(block)
        if partial_input and block is message["content"][-1]:
            body = body[: len(body) // 2]
        yield (
            "content_block_start",
            {"type": "content_block_start", "index": index, "content_block": {**block, **empty}},
        )
        for start in range(0, len(body), DELTA):
            delta = {"type": name, key: body[start : start + DELTA]}
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        if block["type"] == "thinking":
            delta = {"type": "signature_delta", "signature": block["signature"]}
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    ended = {name: message[name] for name in ("stop_reason", "stop_sequence", "stop_details")}
    usage = {**message["usage"], "output_tokens": out}
    yield "message_delta", {"type": "message_delta", "delta": ended, "usage": usage}
    yield "message_stop", {"type": "message_stop"}


def _deltas_of(block: Json) -> tuple[str, str, str, Json]:
    if block["type"] == "text":
        return "text_delta", "text", block["text"], {"text": ""}
    if block["type"] == "thinking":
        return "thinking_delta", "thinking", block["thinking"], {"thinking": "", "signature": ""}
    return "input_json_delta", "partial_json", json.dumps(block["input"]), {"input": {}}


def _texts(block: Json) -> str:
    return str(block.get("text") or block.get("content") or "")
