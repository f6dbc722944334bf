"""What the Messages API refuses, as far as its documentation and its error reports say; checked on every request."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

Json = dict[str, Any]

TOP = {
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "stream", "thinking", "output_config",
    "metadata", "cache_control", "stop_sequences", "service_tier", "diagnostics", "container", "inference_geo", "speed",
}  # fmt: skip
TOOL_KEYS = {"name", "description", "input_schema", "strict", "input_examples", "cache_control", "type"}
VERSIONS = ("2023-06-01", "2026-10-21")
CURRENT = re.compile(r"-5-5|fable-5-[12]")  # models whose rules of November 2026 apply
SIGNING_KEY = b"only this server can sign"


class Refused(Exception):
    """An answer of the API that is no message."""

    def __init__(self, words: str, status: int = 400, kind: str = "invalid_request_error") -> None:
        super().__init__(words)
        self.status, self.kind = status, kind


def blocks_of(content: str | Sequence[Json]) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def prefix(request: Json, messages: int) -> str:
    """Everything before a message, to the byte; cache marks are the only thing that may move."""
    before = [[one["role"], blocks_of(one["content"])] for one in request["messages"][:messages]]
    return json.dumps(_unmarked([blocks_of(request.get("system") or []), request.get("tools") or [], before]))


def signature(thinking: str, before: str) -> str:
    return hmac.new(SIGNING_KEY, (thinking + before).encode(), hashlib.sha256).hexdigest()


def tokens(value: Any) -> int:
    return max(1, len(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)) // 4)


def check(
    request: Json, headers: Mapping[str, str], key: str, window: int, *, is_paused: bool = False
) -> dict[str, Json]:
    """The tools on offer, by name. Raises Refused with the words of the real one.

    `is_paused`: the last answer was a pause, which is sent back as it is.
    """
    _check_head(request, headers, key)
    offered = _check_tools(request.get("tools") or [])
    _check_marks(request)
    turns = _check_messages(request)
    _check_pairs(turns)
    if any(block["type"] == "tool_use" for _, blocks, _ in turns for block in blocks) and not offered:
        raise Refused("tools: Field required when messages contain `tool_use` blocks")
    if turns[-1][0] == "assistant" and not is_paused:
        raise Refused(
            "This model does not support assistant message prefill. The conversation must end with a user message."
        )
    size = sum(tokens(part) for part in (request.get("system") or "", request.get("tools") or "", request["messages"]))
    if size > window:
        raise Refused(f"prompt is too long: {size} tokens > {window} maximum")
    return offered


def _check_head(request: Json, headers: Mapping[str, str], key: str) -> None:
    if key not in (headers.get("x-api-key"), (headers.get("authorization") or "").removeprefix("Bearer ")):
        raise Refused("invalid x-api-key", 401, "authentication_error")
    version = headers.get("anthropic-version")
    if version not in VERSIONS:
        raise Refused(f"anthropic-version: {version!r} is not a valid version")
    for name in ("temperature", "top_p", "top_k"):
        if name in request:
            raise Refused(f"{name}: not supported in API version {version}")
    if unknown := sorted(set(request) - TOP):
        raise Refused(f"{unknown[0]}: Extra inputs are not permitted")
    for name in ("model", "max_tokens", "messages"):
        if name not in request:
            raise Refused(f"{name}: Field required")
    if not isinstance(request["max_tokens"], int) or request["max_tokens"] < 1:
        raise Refused("max_tokens: Input should be a positive integer")
    if not request.get("stream"):
        raise Refused("this server streams only: a long answer without a stream is refused by the SDK")
    if CURRENT.search(request["model"]):
        _check_current(request)


def _check_current(request: Json) -> None:
    if (request.get("tool_choice") or {}).get("type") in ("any", "tool"):
        raise Refused("tool_choice: forced tool use is not supported on this model")
    kind = (request.get("thinking") or {}).get("type", "adaptive")
    if kind not in ("adaptive", "between_tools"):
        raise Refused(f"thinking.type: {kind!r} is not supported on this model")


def _check_tools(tools: Sequence[Json]) -> dict[str, Json]:
    offered: dict[str, Json] = {}
    for number, tool in enumerate(tools):
        where, schema = f"tools.{number}.custom", tool.get("input_schema") or {}
        if unknown := sorted(set(tool) - TOOL_KEYS):
            raise Refused(f"{where}.{unknown[0]}: Extra inputs are not permitted")
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", tool.get("name", "")):
            raise Refused(f"{where}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
        if tool["name"] in offered:
            raise Refused("tools: Tool names must be unique.")
        if schema.get("type") != "object":
            raise Refused(f"{where}.input_schema.type: Input should be 'object'")
        if tool.get("strict") and schema.get("additionalProperties") is not False:
            raise Refused(f"{where}: For 'object' type, 'additionalProperties' must be explicitly set to false")
        offered[tool["name"]] = schema
    return offered


def _check_marks(request: Json) -> None:
    marks = json.dumps([request["messages"], request.get("system"), request.get("tools")]).count('"cache_control": {')
    marks += bool(request.get("cache_control"))
    if marks > 4:
        raise Refused(f"A maximum of 4 blocks with cache_control may be provided. Found {marks}.")


Turn = tuple[str, list[Json], int]


def _check_messages(request: Json) -> list[Turn]:
    """Each message by itself; then, as the API does, consecutive ones of one role as one turn."""
    if not request["messages"]:
        raise Refused("messages: at least one message is required")
    turns: list[Turn] = []
    for number, message in enumerate(request["messages"]):
        if message.get("role") not in ("user", "assistant"):
            raise Refused(f"messages.{number}.role: unexpected role {message.get('role')!r}")
        if not blocks_of(message["content"]):
            raise Refused(f"messages.{number}: all messages must have non-empty content")
        for place, block in enumerate(blocks_of(message["content"])):
            _check_block(request, number, place, message["role"], block)
        if turns and turns[-1][0] == message["role"]:
            turns[-1][1].extend(blocks_of(message["content"]))
        else:
            turns.append((message["role"], blocks_of(message["content"]), number))
    if turns[0][0] != "user":
        raise Refused('messages: first message must use the "user" role')
    return turns


def _check_block(request: Json, number: int, place: int, role: str, block: Json) -> None:
    where = f"messages.{number}.content.{place}"
    if block["type"] == "text" and not block["text"].strip():
        raise Refused("messages: text content blocks must contain non-whitespace text")
    if block["type"] == "tool_use" and role != "assistant":
        raise Refused(f"{where}: `tool_use` blocks can only be in `assistant` messages")
    if block["type"] == "tool_result" and role != "user":
        raise Refused(f"{where}: `tool_result` blocks can only be in `user` messages")
    if block["type"] == "tool_use" and not isinstance(block.get("input"), dict):
        raise Refused(f"{where}.tool_use.input: Input should be a valid dictionary")
    if block["type"] == "thinking" and block.get("signature") != signature(block["thinking"], prefix(request, number)):
        raise Refused(
            f"{where}: Invalid `signature` in `thinking` block. The block is bound to a different conversation."
        )


def _check_pairs(turns: Sequence[Turn]) -> None:
    seen: set[str] = set()
    before: list[str] = []
    for _role, blocks, number in turns:
        uses = [block["id"] for block in blocks if block["type"] == "tool_use"]
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if len(uses) != len(set(uses)) or seen & set(uses):
            raise Refused("messages: `tool_use` ids must be unique")
        seen |= set(uses)
        if stray := [one for one in results if one not in before]:
            raise Refused(f"messages.{number}: unexpected `tool_use_id` found in `tool_result` blocks: {stray[0]}.")
        if len(results) != len(set(results)):
            raise Refused(f"messages.{number}: each tool_use must have a single result.")
        if missing := [one for one in before if one not in results]:
            raise Refused(
                f"messages.{number - 1}: `tool_use` ids were found without `tool_result` blocks right after: {missing}."
            )
        kinds = [block["type"] == "tool_result" for block in blocks]
        if kinds != sorted(kinds, reverse=True):
            raise Refused(f"messages.{number}: `tool_result` blocks must come before any other content in the message")
        before = uses


def _unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _unmarked(inner) for name, inner in value.items() if name != "cache_control"}
    return [_unmarked(inner) for inner in value] if isinstance(value, list) else value
