"""An address somewhere else: it takes every request, and remembers what was asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.serving import serving


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
        with serving(self._server):
            yield self

    def wait_for(self, path: str, within_s: float = 10.0) -> None:
        deadline = time.monotonic() + within_s
        while path not in self.asked:
            assert time.monotonic() < deadline, f"{path} was not asked for, only {self.asked}"
            time.sleep(0.05)
