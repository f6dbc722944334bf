"""An address somewhere else: it takes every request, and remembers what was asked for."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Listener:
    """`asked` are the paths in order; `answers` is the status of every answer."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answers = 200
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                listener.asked.append(self.path)
                self.send_response(listener.answers)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"

    @contextmanager
    def running(self) -> Iterator[Listener]:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()

    def wait_for(self, path: str, within_s: float = 10.0) -> None:
        deadline = time.monotonic() + within_s
        while path not in self.asked:
            assert time.monotonic() < deadline, f"{path} was not asked for, only {self.asked}"
            time.sleep(0.05)
