"""What a server's answer holds, as far as it can be trusted: usage within bounds, blocks that can be sent back.

Any server may be set as `base_url`, and the SDK checks none of what it says: not even that a text is one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from bot.domain.conversation import Block, Usage

WORD = re.compile(r"[!-~]{1,200}")  # an id, or the name of a tool
STOP_REASON = re.compile(r"[ -~]{1,200}")  # those of next year too
# The fields of a block that must be text, by its type. There are no other types in what Standby asks for.
TEXTS = {"text": ("text",), "thinking": ("thinking",), "redacted_thinking": ("data",), "tool_use": ("id", "name")}
MOST_TOKENS = 1_000_000_000


def usage_of(said: Any) -> Usage:
    """Tokens by their price; what a server does not say counts as none."""
    parts = getattr(said, "cache_creation", None)
    details = getattr(said, "output_tokens_details", None)
    write = _count(said, "cache_creation_input_tokens")
    write_1h = min(write, _count(parts, "ephemeral_1h_input_tokens"))
    return Usage(
        fresh=_count(said, "input_tokens"),
        write_5m=write - write_1h,
        write_1h=write_1h,
        read=_count(said, "cache_read_input_tokens"),
        out=_count(said, "output_tokens"),
        thinking=_count(details, "thinking_tokens"),
    )


def _count(said: Any, name: str) -> int:
    """A number of tokens as a server may say it: not at all, or out of any range."""
    number = getattr(said, name, 0)
    return min(max(0, number), MOST_TOKENS) if isinstance(number, int) else 0


def word_of(said: Any) -> str:
    """An id of the provider as it may be kept; empty for what is none."""
    return said if isinstance(said, str) and WORD.fullmatch(said) else ""


def blocks_of(message: Any) -> tuple[Block, ...] | None:
    """The content as it was returned, since what is sent back must be that, byte for byte.

    None for an answer that a conversation could not go on with: what cannot be kept, sent back or told apart.
    """
    content = [block.model_dump(mode="json", exclude_none=True, exclude={"parsed_output"}, warnings="none")
               for block in message.content]  # fmt: skip
    is_whole = STOP_REASON.fullmatch(message.stop_reason) and all(map(_is_whole, content)) and _is_written(content)
    uses = [block["id"] for block in content if block.get("type") == "tool_use"] if is_whole else []
    return tuple(content) if is_whole and len(set(uses)) == len(uses) else None


def _is_whole(block: Block) -> bool:
    texts = TEXTS.get(block.get("type", ""))
    if texts is None or not all(isinstance(block.get(name), str) for name in texts):
        return False
    if block["type"] != "tool_use":
        return True
    return isinstance(block.get("input"), dict) and all(WORD.fullmatch(block[name]) for name in texts)


def _is_written(content: Sequence[Block]) -> bool:
    """Whether it is text that a database and a request can hold: no half characters, no nesting without a bottom."""
    try:
        return bool(json.dumps(content, ensure_ascii=False).encode())
    except (ValueError, RecursionError):
        return False


def is_kept(block: Block) -> bool:
    """The API sends blank texts, and refuses them when they come back."""
    return block["type"] != "text" or bool(block["text"].strip())
