"""A line to PostgreSQL that is cut right after a commit: the server did it, and whoever asked never hears so."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy.engine import make_url

from tests.serving import serving

# How psycopg ends a transaction: a simple query (PostgreSQL's protocol, "Query").
COMMIT = b"Q\x00\x00\x00\x0bCOMMIT\x00"
DONE = b"COMMIT\x00Z\x00\x00\x00\x05I"  # the command is complete, and the server waits for the next


class Line:
    """Counts commits over all its connections. `cut_at` is the one whose answer is lost; 0 is none."""

    def __init__(self, url: str) -> None:
        parsed = make_url(url)
        self._server_at = f"{parsed.query['host']}/.s.PGSQL.{parsed.query.get('port', '5432')}"
        self.commits = self.cut_at = 0
        line = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                line.carry(self.request)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        host, port = self._server.server_address[:2]
        query = {"host": str(host), "port": str(port), "sslmode": "disable", "gssencmode": "disable"}
        self.url = parsed.set(host=None, port=None, query=query).render_as_string(hide_password=False)

    @contextmanager
    def open(self) -> Iterator[Line]:
        with serving(self._server):
            yield self

    def carry(self, client: socket.socket) -> None:
        """Both ways, until one side is gone or the moment to cut has come."""
        with socket.socket(socket.AF_UNIX) as server:
            server.connect(self._server_at)
            to_cut = threading.Event()
            threading.Thread(target=self._back, args=(server, client, to_cut), daemon=True).start()
            while data := _read(client):
                if COMMIT in data:
                    self.commits += 1
                    if self.commits == self.cut_at:
                        to_cut.set()
                server.sendall(data)

    def _back(self, server: socket.socket, client: socket.socket, to_cut: threading.Event) -> None:
        heard = b""
        with suppress(OSError):  # whoever asked may be gone
            while data := _read(server):
                heard = (heard + data)[-len(DONE) :]
                if to_cut.is_set() and heard == DONE:
                    break
                client.sendall(data)
            client.shutdown(socket.SHUT_RDWR)


def _read(side: socket.socket) -> bytes:
    try:
        return side.recv(65_536)
    except OSError:
        return b""
