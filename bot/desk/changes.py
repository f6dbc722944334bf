"""Tells open pages what changed, so that they redraw that part."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

Json = dict[str, Any]

# A page that reads slower than this loses changes; it then reloads the state as a whole.
_QUEUE_LENGTH = 1000


class Changes:
    """One queue per open page. `audience` names the one person who may see a change, or "" for everybody."""

    def __init__(self) -> None:
        self._pages: dict[asyncio.Queue[Json], str] = {}

    @contextmanager
    def subscribe(self, person: str) -> Iterator[asyncio.Queue[Json]]:
        queue: asyncio.Queue[Json] = asyncio.Queue(_QUEUE_LENGTH)
        self._pages[queue] = person
        try:
            yield queue
        finally:
            del self._pages[queue]

    def tell(self, kind: str, audience: str = "", **what: Any) -> None:
        for queue, person in list(self._pages.items()):
            if audience in ("", person):
                _offer(queue, {"kind": kind, **what})


def _offer(queue: asyncio.Queue[Json], change: Json) -> None:
    if queue.full():
        while not queue.empty():
            queue.get_nowait()
        change = {"kind": "reload"}
    queue.put_nowait(change)
