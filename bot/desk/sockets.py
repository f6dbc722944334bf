"""Socket Mode: tickets, connections, envelopes and their acknowledgements."""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import dataclass, field

from starlette.websockets import WebSocket, WebSocketDisconnect

from bot.desk import limits
from bot.desk.app import InstalledApp
from bot.desk.changes import Changes
from bot.desk.delivery import Ack, Envelope, Missed, Try
from bot.desk.faults import FaultKind, Faults
from bot.desk.shapes import Json

MOST_CONNECTIONS = 10
UNANSWERED = Missed("timeout")


@dataclass(eq=False)
class Connection:
    """One open WebSocket of the app, and the envelopes that await their acknowledgement on it."""

    socket: WebSocket
    waiting: dict[str, asyncio.Future[Ack | Missed]] = field(default_factory=dict)

    async def send(self, message: Json) -> None:
        await self.socket.send_text(json.dumps(message))

    def received(self, answer: Json) -> None:
        future = self.waiting.pop(str(answer.get("envelope_id", "")), None)
        if future and not future.done():
            future.set_result(Ack(answer.get("payload") or {}))

    def lost(self) -> None:
        for future in self.waiting.values():
            if not future.done():
                future.set_result(UNANSWERED)


class SocketHub:
    """All connections of the app. Each envelope goes to one of them, in turn."""

    def __init__(self, app: InstalledApp, faults: Faults, changes: Changes) -> None:
        self._app, self._faults, self._changes = app, faults, changes
        self._tickets: set[str] = set()
        self._arrived = asyncio.Event()
        self.connections: list[Connection] = []
        self.is_enabled = True
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

    async def attempt(self, one: Try) -> Ack | Missed:
        """Send one envelope over the next connection, and wait for its acknowledgement."""
        if not self.connections:
            return UNANSWERED
        connection = self.connections.pop(0)
        self.connections.append(connection)
        future: asyncio.Future[Ack | Missed] = asyncio.get_running_loop().create_future()
        connection.waiting[one.id] = future
        await self._send(connection, _envelope(one))
        try:
            return await asyncio.wait_for(future, self.ack_within_s)
        except TimeoutError:
            return UNANSWERED
        finally:
            connection.waiting.pop(one.id, None)

    async def pause(self, wait_s: float) -> None:
        """Wait as long as Slack would, or until a connection appears if there is none."""
        if self.connections or not wait_s:
            await asyncio.sleep(wait_s)
            return
        self._arrived.clear()
        try:
            await asyncio.wait_for(self._arrived.wait(), wait_s)
        except TimeoutError:
            return

    async def switch(self, *, on: bool) -> int:
        """Socket Mode is switched on or off in the app's settings; off ends every connection (`link_disabled`)."""
        self.is_enabled = on
        return 0 if on else await self.end_all("link_disabled")

    async def end_all(self, reason: str) -> int:
        """End every connection with a word why."""
        count = await self.ask_to_reconnect(reason)
        await self.cut()
        return count

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

    async def _send(self, connection: Connection, envelope: Json) -> None:
        try:
            await connection.send(envelope)
        except (WebSocketDisconnect, RuntimeError):
            connection.lost()

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self.connections) + 1,
            "debug_info": {"host": "desk", "build_number": 1, "approximate_connection_time": 18_060},
            "connection_info": {"app_id": self._app.id},
        }


def _disconnect(reason: str) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": {"host": "desk"}}


def _envelope(one: Try) -> Json:
    envelope: Json = {
        "envelope_id": one.id,
        "type": one.kind.value,
        "payload": one.payload,
        "accepts_response_payload": one.kind is not Envelope.EVENT,
    }
    if one.kind is Envelope.EVENT:
        envelope |= {"retry_attempt": one.number, "retry_reason": one.reason}
    return envelope
