"""A proxy on this machine that leads every name to one server, and tells who was asked for by which login."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from socketserver import BaseRequestHandler, ThreadingTCPServer

from tests.serving import serving


@dataclass
class ProxyPeer:
    """`asked` are the first lines and headers of what came, before it was let through, or with `refuses` was not."""

    to_port: int
    port: int = 0
    refuses: bool = False
    asked: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://lab:pw-secret@127.0.0.1:{self.port}"


class _Handler(BaseRequestHandler):
    peer: ProxyPeer

    def handle(self) -> None:
        head = b""
        while b"\r\n\r\n" not in head and (piece := self.request.recv(4096)):
            head += piece
        self.peer.asked.append(head.decode())
        if self.peer.refuses:
            self.request.sendall(b"HTTP/1.1 403 Not by this way\r\n\r\n")
            return
        with socket.create_connection(("127.0.0.1", self.peer.to_port)) as far:
            self.request.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            back = threading.Thread(target=_pass_on, args=(far, self.request))
            back.start()
            _pass_on(self.request, far)
            back.join()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while piece := one.recv(65_536):
            other.sendall(piece)
    with suppress(OSError):
        other.shutdown(socket.SHUT_WR)


class _Server(ThreadingTCPServer):
    daemon_threads = True


@contextmanager
def proxy_peer(to_port: int) -> Iterator[ProxyPeer]:
    peer = ProxyPeer(to_port)
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"peer": peer}))
    peer.port = server.server_address[1]
    with serving(server):
        yield peer
