"""The prompt cache as a prefix of tools, system and messages: what a request would read, and what it would write."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from tests.fakes.model_rules import Json, blocks_of, tokens

SMALLEST = 512  # tokens; a shorter prompt is not kept


class PromptCache:
    """Approximate on purpose: any seen prefix is found, and nothing is ever forgotten except by `forget`."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def forget(self) -> None:
        """What five minutes do."""
        self._seen.clear()

    def usage(self, request: Json) -> dict[str, int]:
        digest, total, read = hashlib.sha256(request["model"].encode()), 0, 0
        marked = "cache_control" in json.dumps(request)
        prefixes = []
        for part in _parts(request):
            digest.update(json.dumps(part).encode())
            total += tokens(part)
            prefixes.append(digest.hexdigest())
            if marked and digest.hexdigest() in self._seen and total >= SMALLEST:
                read = total
        written = total - read if marked and total >= SMALLEST else 0
        if written or read:
            self._seen.update(prefixes)
        return {
            "input_tokens": total - read - written,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
            "output_tokens": 1,
        }


def _parts(request: Json) -> list[Any]:
    parts: list[Any] = [*(request.get("tools") or []), *blocks_of(request.get("system") or [])]
    parts += [block for message in request["messages"] for block in blocks_of(message["content"])]
    return [{name: value for name, value in part.items() if name != "cache_control"} for part in parts]
