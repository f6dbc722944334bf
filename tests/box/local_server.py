"""A real box server in a process of its own, for tests: started, asked, hurt and ended."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from sandbox.client import Boxes, BoxSettings
from sandbox.server.tree import jails_under

START_S = 30.0


class LocalServer:
    """`python -m sandbox.server` with faults switched on. Its environment holds a secret no box may see."""

    SECRET = "canary-of-the-servers-environment"

    def __init__(self, folder: Path, *, flags: tuple[str, ...] = ("--faults",)) -> None:
        self.root = folder / "boxes"
        self.key = secrets.token_hex(16)
        self._flags = flags
        self._ready = folder / "ready.json"
        self._key_file = folder / "key"
        self._key_file.write_text(self.key, encoding="utf-8")
        self.start()

    def start(self) -> None:
        self._ready.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            self.argv(), env={**os.environ, "STANDBY_CANARY": self.SECRET}, stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + START_S
        while not self._ready.exists():
            if self.process.poll() is not None:
                raise ServerRefused(self.process.stderr.read() if self.process.stderr else "")
            assert time.monotonic() < deadline, "the box server did not become ready"
            time.sleep(0.02)
        self.url = str(json.loads(self._ready.read_text(encoding="utf-8"))["url"])
        self.http = httpx.Client(
            base_url=self.url, headers={"X-API-KEY": self.key}, trust_env=False, timeout=20, verify=False
        )

    def argv(self) -> list[str]:
        files = ["--root", str(self.root), "--key-file", str(self._key_file), "--ready-file", str(self._ready)]
        return [sys.executable, "-m", "sandbox.server", *files, *self._flags]

    def settings(self, **changes: Any) -> BoxSettings:
        values = {"api_key": self.key, "api_url": self.url, "sandbox_url": self.url, **changes}
        return BoxSettings(**values)

    def boxes(self) -> Boxes:
        return Boxes(self.settings())

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def kill(self) -> int:
        return self._end(signal.SIGKILL)

    def fault(self, kind: str, path: str, **details: Any) -> None:
        self.http.post("/_test/faults", json={"kind": kind, "path": path, **details}).raise_for_status()

    def no_faults(self) -> None:
        self.http.delete("/_test/faults").raise_for_status()

    def ledger(self) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = self.http.get("/_test/ledger").json()
        return found

    def folders(self) -> list[str]:
        """The boxes that lie on disk, whatever the server says."""
        return [path.name for path in self.root.iterdir() if path.is_dir()]

    def jails(self) -> list[int]:
        return jails_under(self.root)

    def _end(self, name: signal.Signals) -> int:
        self.http.close()
        self.process.send_signal(name)
        code = self.process.wait(20)
        if self.process.stderr:
            self.process.stderr.close()
        return code


class ServerRefused(Exception):
    """The server would not start; the message is what it said."""


def until(claim: Any, within_s: float = 10.0) -> bool:
    """Whether `claim()` comes true in time; for what the system does a moment later."""
    deadline = time.monotonic() + within_s
    while not claim():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
