"""What a server's answer holds, as far as it can be trusted: usage within bounds, blocks that can be sent back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bot.domain.conversation import Block, Usage

ID = re.compile(r"[!-~]{1,200}")
MOST_TOKENS = 1_000_000_000


def usage_of(said: Any) -> Usage:
    """Tokens by their price; what a server does not say counts as none."""
    parts = getattr(said, "cache_creation", None)
    write = _count(said.cache_creation_input_tokens)
    write_1h = min(write, _count(getattr(parts, "ephemeral_1h_input_tokens", 0)))
    details = getattr(said, "output_tokens_details", None)
    return Usage(
        fresh=_count(said.input_tokens),
        write_5m=write - write_1h,
        write_1h=write_1h,
        read=_count(said.cache_read_input_tokens),
        out=_count(said.output_tokens),
        thinking=_count(getattr(details, "thinking_tokens", 0)),
    )


def _count(said: Any) -> int:
    """A number of tokens as a server may say it: not at all, or out of any range."""
    return min(max(0, said), MOST_TOKENS) if isinstance(said, int) else 0


def block_of(block: Any) -> Block:
    """A content block as it was returned: what is sent back must be that, byte for byte."""
    said: dict[str, Any] = block.model_dump(mode="json", exclude_none=True, exclude={"parsed_output"})
    return said


def can_come_back(content: Sequence[Block]) -> bool:
    """Whether the conversation can go on with these calls in it; other servers than Anthropic's may send odd ones."""
    uses = [block for block in content if block["type"] == "tool_use"]
    ids = {block["id"] for block in uses}
    are_well_formed = all(isinstance(block["input"], dict) and ID.fullmatch(block["id"]) for block in uses)
    return are_well_formed and len(ids) == len(uses)


def is_kept(block: Block) -> bool:
    """The API sends blank texts, and refuses them when they come back."""
    return block["type"] != "text" or bool(block["text"].strip())
