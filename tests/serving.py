"""A web server that answers while a test looks at it: one of the standard library, or ours."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer

from bot.processes.front import Front


@contextmanager
def serving(server: BaseServer) -> Iterator[None]:
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def listening(front: Front) -> Iterator[str]:
    """The address at which ours listens."""
    stop, ready = threading.Event(), threading.Event()
    running = threading.Thread(target=front.run, args=(stop, ready.set))
    running.start()
    assert ready.wait(10)
    try:
        yield f"http://127.0.0.1:{front.port}"
    finally:
        stop.set()
        running.join()
