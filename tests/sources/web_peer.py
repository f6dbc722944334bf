"""A web server that sends files as it is told to: whole, slow, cut, changing, or on to somewhere else."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.serving import serving


@dataclass
class Page:
    """What stands at one path. `etag` empty: the server says nothing about versions."""

    body: bytes = b""
    status: int = 200
    etag: str = '"1"'
    location: str = ""
    cut_at: int = 0  # the connection ends after so many bytes, `cuts` times
    cuts: int = 0
    silence_s: float = 0.0  # before the body
    login: str = ""  # the Authorization header that is wanted
    declared: int | None = None  # another Content-Length than the body's
    then: Page | None = None  # stands there once the body was sent
    knows_head: bool = True
    chunked: bool = False
    kind: str = ""  # Content-Type


@dataclass
class WebPeer:
    """`pages` by path; `asked` is (method, path, headers) of all that came."""

    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    port: int = 0
    scheme: str = "http"

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"


class _Handler(BaseHTTPRequestHandler):
    peer: WebPeer
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def log_message(self, *_: Any) -> None:
        """Quiet."""

    def _answer(self, *, with_body: bool) -> None:
        path = self.path
        self.peer.asked.append((self.command, path, {k.lower(): v for k, v in self.headers.items()}))
        page = self.peer.pages.get(path, Page(status=404))
        if not with_body and not page.knows_head:
            page = Page(status=405)
        if page.login and self.headers.get("Authorization") != page.login:
            page = Page(status=401)
        start = self._start(page)
        self.send_response(206 if start else page.status)
        if page.location:
            self.send_header("Location", page.location)
        if page.kind:
            self.send_header("Content-Type", page.kind)
        if page.etag:
            self.send_header("ETag", page.etag)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(page.body) - 1}/{len(page.body)}")
        if page.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            size = page.declared if page.declared is not None else len(page.body) - start
            self.send_header("Content-Length", str(size))
        self.end_headers()
        if with_body and page.status == 200:
            self._body(path, page, start)

    def _start(self, page: Page) -> int:
        asked = self.headers.get("Range", "")
        is_same = self.headers.get("If-Range", page.etag) == page.etag
        return int(asked.removeprefix("bytes=").rstrip("-")) if asked and is_same and page.status == 200 else 0

    def _body(self, path: str, page: Page, start: int) -> None:
        time.sleep(page.silence_s)
        body = page.body[start:]
        if page.cuts:
            page.cuts -= 1
            self.wfile.write(body[: page.cut_at])
            self.close_connection = True
            return
        if page.chunked:
            self.wfile.write(f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n")
        else:
            self.wfile.write(body)
        if page.then is not None:
            self.peer.pages[path] = page.then


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Whoever asked went away: that is what some tests are about."""


@contextmanager
def web_peer(context: ssl.SSLContext | None = None) -> Iterator[WebPeer]:
    peer = WebPeer(scheme="https" if context else "http")
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"peer": peer}))
    peer.port = server.server_address[1]
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    with serving(server):
        yield peer
