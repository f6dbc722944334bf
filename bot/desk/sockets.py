"""Socket Mode: tickets, connections, envelopes and their acknowledgements, with Slack's redeliveries."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from starlette.websockets import WebSocket, WebSocketDisconnect

from bot.desk import limits
from bot.desk.app import InstalledApp
from bot.desk.changes import Changes
from bot.desk.faults import FaultKind, Faults
from bot.desk.ledger import EventEntry, Ledger
from bot.desk.shapes import Json

MOST_CONNECTIONS = 10

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


@dataclass(eq=False)
class Connection:
    """One open WebSocket of the app, and the envelopes that await their acknowledgement on it."""

    socket: WebSocket
    waiting: dict[str, asyncio.Future[Ack | None]] = field(default_factory=dict)

    async def send(self, message: Json) -> None:
        await self.socket.send_text(json.dumps(message))

    def received(self, answer: Json) -> None:
        future = self.waiting.pop(str(answer.get("envelope_id", "")), None)
        if future and not future.done():
            future.set_result(Ack(answer.get("payload") or {}))

    def lost(self) -> None:
        for future in self.waiting.values():
            if not future.done():
                future.set_result(None)


class SocketHub:
    """All connections of the app. Each envelope goes to one of them, in turn."""

    def __init__(self, app: InstalledApp, ledger: Ledger, faults: Faults, changes: Changes) -> None:
        self._app, self._ledger, self._faults, self._changes = app, ledger, faults, changes
        self._tickets: set[str] = set()
        self._arrived = asyncio.Event()
        self.connections: list[Connection] = []
        self.redelivery_waits_s: Sequence[float] = REDELIVERY_WAITS_S
        self.ack_within_s = limits.ACK_WITHIN_S

    def issue_ticket(self) -> str:
        """A ticket for one WebSocket handshake."""
        ticket = secrets.token_hex(16)
        self._tickets.add(ticket)
        return ticket

    async def serve(self, socket: WebSocket) -> None:
        """Carry one connection from handshake to end. A ticket that is unknown or used is refused."""
        ticket = socket.query_params.get("ticket", "")
        refused = ticket not in self._tickets or self._faults.take(FaultKind.REFUSE_SOCKET) is not None
        self._tickets.discard(ticket)
        if refused:
            await socket.close()  # before accept: the client sees HTTP 403
            return
        await socket.accept()
        connection = Connection(socket)
        await connection.send(self._hello())
        if len(self.connections) >= MOST_CONNECTIONS:
            await connection.send(_disconnect("too_many_websockets"))
            await socket.close()
            return
        await self._keep_open(connection)

    async def deliver(self, kind: Envelope, payload: Json, *, type_: str = "") -> Ack | None:
        """Send one envelope and wait for its acknowledgement; None if it never came.

        Events are sent again (see REDELIVERY_WAITS_S) until acknowledged; while the app has no connection a
        redelivery comes as soon as it has one, but no later than Slack's last would. Interactions get one try.
        """
        waits = self.redelivery_waits_s if kind is Envelope.EVENT else ()
        ack = await self._attempt(kind, payload, type_, 0)
        for attempt, wait_s in enumerate(waits, start=1):
            if ack is not None:
                break
            await self._pause(wait_s)
            ack = await self._attempt(kind, payload, type_, attempt)
        return ack

    async def ask_to_reconnect(self, reason: str) -> int:
        """Tell every connection that it will go away (`warning`, `refresh_requested`); the app opens new ones."""
        connections = list(self.connections)
        for connection in connections:
            await connection.send(_disconnect(reason))
        return len(connections)

    async def cut(self) -> int:
        """Close every connection without a word."""
        connections = list(self.connections)
        for connection in connections:
            await connection.socket.close(code=1001)
        return len(connections)

    async def _keep_open(self, connection: Connection) -> None:
        self.connections.append(connection)
        self._arrived.set()
        self._changes.tell("connections", open=len(self.connections))
        try:
            while True:
                connection.received(json.loads(await connection.socket.receive_text()))
        except (WebSocketDisconnect, RuntimeError):
            pass  # the app went away; what it left unacknowledged is delivered elsewhere
        finally:
            self.connections.remove(connection)
            connection.lost()
            self._changes.tell("connections", open=len(self.connections))

    async def _pause(self, wait_s: float) -> None:
        """Wait as long as Slack would, or until a connection appears if there is none."""
        if self.connections or not wait_s:
            await asyncio.sleep(wait_s)
            return
        self._arrived.clear()
        try:
            await asyncio.wait_for(self._arrived.wait(), wait_s)
        except TimeoutError:
            return

    async def _attempt(self, kind: Envelope, payload: Json, type_: str, attempt: int) -> Ack | None:
        envelope_id = secrets.token_hex(16)
        entry = self._ledger.event(type_ or kind, envelope_id, str(payload.get("event_id", "")), attempt)
        self._changes.tell("ledger")
        if not self.connections:
            return None
        connection = self.connections.pop(0)
        self.connections.append(connection)
        future: asyncio.Future[Ack | None] = asyncio.get_running_loop().create_future()
        connection.waiting[envelope_id] = future
        await self._send(connection, _envelope(envelope_id, kind, payload, attempt))
        return await self._acknowledged(future, connection, entry)

    async def _send(self, connection: Connection, envelope: Json) -> None:
        try:
            await connection.send(envelope)
        except (WebSocketDisconnect, RuntimeError):
            connection.lost()

    async def _acknowledged(
        self, future: asyncio.Future[Ack | None], connection: Connection, entry: EventEntry
    ) -> Ack | None:
        try:
            ack = await asyncio.wait_for(future, self.ack_within_s)
        except TimeoutError:
            ack = None
        connection.waiting.pop(entry.envelope_id, None)
        if ack is not None:
            entry.acked_at, entry.ack_payload = self._ledger.now(), ack.payload or None
            self._changes.tell("ledger")
        return ack

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self.connections) + 1,
            "debug_info": {"host": "desk", "build_number": 1, "approximate_connection_time": 18_060},
            "connection_info": {"app_id": self._app.id},
        }


def _disconnect(reason: str) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": {"host": "desk"}}


def _envelope(envelope_id: str, kind: Envelope, payload: Json, attempt: int) -> Json:
    envelope: Json = {
        "envelope_id": envelope_id,
        "type": kind.value,
        "payload": payload,
        "accepts_response_payload": kind is not Envelope.EVENT,
    }
    if kind is Envelope.EVENT:
        envelope |= {"retry_attempt": attempt, "retry_reason": "timeout" if attempt else ""}
    return envelope
