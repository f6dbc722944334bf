"""Health and metrics of one process over HTTP: /healthz, /readyz and /metrics."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy.exc import SQLAlchemyError

from bot.log import log
from bot.settings import Settings
from bot.store.session import Database
from bot.work.metrics import EVERYTHING

# One process of each kind finds a port of its own on one machine.
OFFSET = {"bot": 0, "agent": 1, "runner": 2, "clock": 3}

Claim = Callable[[], str]
"""Says what is wrong, or nothing."""


def serve_health(
    part: str, settings: Settings, db: Database, is_alive: Claim = lambda: "", is_ready: Claim = lambda: ""
) -> int:
    """Serve from a thread that dies with the process; the port, 0 where it is switched off or taken.

    What `is_alive` finds wrong a restart may cure; what `is_ready` finds passes by itself.
    """
    if not settings.health_port:
        return 0
    answers = claims(db, is_alive, is_ready)
    where = (settings.health_host, settings.health_port + OFFSET[part])
    try:
        server = ThreadingHTTPServer(where, _handler(answers))
    except OSError as error:
        log.warning("health_not_served", host=where[0], port=where[1], why=str(error))
        return 0
    threading.Thread(target=server.serve_forever, name="health", daemon=True).start()
    return int(server.server_address[1])


def claims(db: Database, is_alive: Claim = lambda: "", is_ready: Claim = lambda: "") -> dict[str, Claim]:
    """What each path answers."""
    return {"/healthz": is_alive, "/readyz": lambda: is_alive() or is_ready() or _unready(db)}


def _unready(db: Database) -> str:
    try:
        db.ping()
    except SQLAlchemyError as error:
        return f"the database cannot be reached ({type(error).__name__})"
    return ""


def _handler(answers: dict[str, Claim]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/metrics":
                self._answer(200, generate_latest(EVERYTHING), CONTENT_TYPE_LATEST)
            elif path in answers:
                wrong = answers[path]()
                self._answer(503 if wrong else 200, (wrong or "ok").encode() + b"\n", "text/plain; charset=utf-8")
            else:
                self._answer(404, b"try /healthz, /readyz or /metrics\n", "text/plain; charset=utf-8")

        def _answer(self, status: int, body: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Asked every few seconds; its answers are no news."""

    return Handler
