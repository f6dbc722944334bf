"""A server in Slack's place that answers whatever a test says, also what Slack never would."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any


class FarEnd(ThreadingHTTPServer):
    """A server in Slack's place that answers every call in the same way."""

    daemon_threads = True
    body, status, headers = b"", 200, dict[str, str]()
    held: Event | None = None  # answers only once it is set
    calls = 0
    date = ""  # what its clock says, where that is another time than ours


class _Answers(BaseHTTPRequestHandler):
    server: FarEnd

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.calls += 1
        if self.server.held:
            self.server.held.wait(5)
            return
        self.send_response(self.server.status)
        for name, value in {"Content-Length": str(len(self.server.body)), **self.server.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.server.body)

    def date_time_string(self, timestamp: float | None = None) -> str:
        return self.server.date or super().date_time_string(timestamp)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def far_end() -> Iterator[FarEnd]:
    server = FarEnd(("127.0.0.1", 0), _Answers)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield server
    if server.held:
        server.held.set()
    server.shutdown()
    server.server_close()
