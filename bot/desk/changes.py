"""Tells open pages what changed, so that they redraw that part, and the snapshot that something did."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

Json = dict[str, Any]

# A page that reads slower than this loses changes; it then reloads the state as a whole.
_QUEUE_LENGTH = 1000


class Changes:
    """One queue per open page; None in it means the end. `audience` names the one person a change is for, or ""."""

    def __init__(self) -> None:
        # How many there were: whoever keeps the workspace sees by it that there is something to keep.
        self.count = 0
        self._pages: dict[asyncio.Queue[Json | None], str] = {}

    @contextmanager
    def subscribe(self, person: str) -> Iterator[asyncio.Queue[Json | None]]:
        queue: asyncio.Queue[Json | None] = asyncio.Queue(_QUEUE_LENGTH)
        self._pages[queue] = person
        try:
            yield queue
        finally:
            del self._pages[queue]

    def tell(self, kind: str, audience: str = "", **what: Any) -> None:
        self.count += 1
        for queue, person in list(self._pages.items()):
            if audience in ("", person):
                _offer(queue, {"kind": kind, **what})

    def close(self) -> None:
        """End every page's stream."""
        for queue in self._pages:
            _offer(queue, None)


def _offer(queue: asyncio.Queue[Json | None], change: Json | None) -> None:
    if queue.full():
        while not queue.empty():
            queue.get_nowait()
        change = change and {"kind": "reload"}
    queue.put_nowait(change)
