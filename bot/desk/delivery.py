"""What reaches the app: each envelope by one of two ways, acknowledged or sent again as Slack would."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from bot.desk.changes import Changes
from bot.desk.ledger import Ledger
from bot.desk.shapes import Json

# Waits before the second, third and fourth try of an event: at once, a minute, five minutes (Slack's Events API page).
REDELIVERY_WAITS_S = (0.0, 60.0, 300.0)


class Envelope(StrEnum):
    """The kinds of envelope that an app receives."""

    EVENT = "events_api"
    INTERACTIVE = "interactive"
    COMMAND = "slash_commands"


@dataclass
class Ack:
    """The app's acknowledgement, perhaps with an answer in it."""

    payload: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Missed:
    """A try that was not acknowledged: Slack's word for why, and whether the app asked for no other."""

    reason: str
    is_last: bool = False


@dataclass(frozen=True)
class Try:
    """One try to deliver one envelope: the `number` of tries before it, and why the last of these came to nothing."""

    id: str
    kind: Envelope
    payload: Json
    number: int = 0
    reason: str = ""


class Way(Protocol):
    """How the app is reached."""

    async def attempt(self, one: Try) -> Ack | Missed:
        """Deliver once, and wait for the acknowledgement as long as Slack does."""

    async def pause(self, wait_s: float) -> None:
        """Wait before the next try."""


class Delivery:
    """Delivers by the app's request URL where it has one, else by its sockets. Slack, too, uses one of the two."""

    def __init__(self, sockets: Way, posts: Way, has_url: Callable[[], bool], ledger: Ledger, changes: Changes) -> None:
        self._sockets, self._posts, self._has_url = sockets, posts, has_url
        self._ledger, self._changes = ledger, changes
        self.redelivery_waits_s: Sequence[float] = REDELIVERY_WAITS_S

    async def deliver(self, kind: Envelope, payload: Json, *, type_: str = "") -> Ack | None:
        """Send one envelope and wait for its acknowledgement; None if it never came.

        Events are sent again (see REDELIVERY_WAITS_S) until acknowledged; interactions get one try.
        """
        waits = self.redelivery_waits_s if kind is Envelope.EVENT else ()
        answer = await self._attempt(Try(secrets.token_hex(16), kind, payload), type_)
        for number, wait_s in enumerate(waits, start=1):
            if isinstance(answer, Ack) or answer.is_last:
                break
            await self._way.pause(wait_s)
            answer = await self._attempt(Try(secrets.token_hex(16), kind, payload, number, answer.reason), type_)
        return answer if isinstance(answer, Ack) else None

    @property
    def _way(self) -> Way:
        return self._posts if self._has_url() else self._sockets

    async def _attempt(self, one: Try, type_: str) -> Ack | Missed:
        entry = self._ledger.event(type_ or one.kind, one.id, str(one.payload.get("event_id", "")), one.number)
        self._changes.tell("ledger")
        answer = await self._way.attempt(one)
        if isinstance(answer, Ack):
            entry.acked_at, entry.ack_payload = self._ledger.now(), answer.payload or None
            self._changes.tell("ledger")
        return answer
