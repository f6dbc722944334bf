"""A real box server in a process of its own, for tests: started, asked, hurt and ended."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from bot.processes.lifeline import VARIABLE
from sandbox.client import Box, Boxes, BoxSettings
from sandbox.errors import BoxError
from sandbox.server.tree import jails_under

START_S = 30.0
NOBODYS = 60_700  # no account of this computer, and none of a box
ROOT = Path(__file__).parents[2]


class LocalServer:
    """`python -m sandbox.server` with faults switched on. Its environment holds a secret no box may see."""

    SECRET = "canary-of-the-servers-environment"

    def __init__(
        self,
        folder: Path,
        *,
        flags: tuple[str, ...] = ("--faults",),
        before: tuple[str, ...] = (),
        uid: int | None = None,
        python: str = sys.executable,
        code: Path | None = None,
    ) -> None:
        """`before` stands in front of the command line; `uid` runs the server as that user and takes root.

        `python` is then one that this user may start; it borrows our libraries. `code` is where the server's own
        code is taken from; None is this checkout.
        """
        self.root = folder / "boxes"
        self.key = secrets.token_hex(16)
        self._flags, self._before, self._uid, self._python = flags, before, uid, python
        self._code = code or ROOT
        if uid is not None:
            os.chown(folder, uid, uid)
        self._ready = folder / "ready.json"
        self._held: int | None = None  # our end of its lifeline: it ends when we do, however we do
        self._key_file = folder / "key"
        self._key_file.write_text(self.key, encoding="utf-8")
        if uid is not None:
            os.chown(self._key_file, uid, uid)
        self.start()

    def start(self) -> None:
        self._ready.unlink(missing_ok=True)
        as_user: dict[str, Any] = {}
        if self._uid is not None:
            as_user = {"user": self._uid, "group": self._uid, "extra_groups": []}
        self._let_go()
        theirs, self._held = os.pipe()
        self.process = subprocess.Popen(
            [*self._before, *self.argv("bot.processes.lifeline", "sandbox.server")],
            env={**os.environ, "STANDBY_CANARY": self.SECRET, VARIABLE: str(theirs), **self._borrowed()},
            stderr=subprocess.PIPE,
            text=True,
            pass_fds=[theirs],
            **as_user,
        )
        os.close(theirs)
        deadline = time.monotonic() + START_S
        while not self._ready.exists():
            if self.process.poll() is not None:
                assert self.process.stderr is not None
                self._let_go()
                with self.process.stderr as said:
                    raise ServerRefused(said.read())
            assert time.monotonic() < deadline, "the box server did not become ready"
            time.sleep(0.02)
        self.url = str(json.loads(self._ready.read_text(encoding="utf-8"))["url"])
        self.http = httpx.Client(
            base_url=self.url, headers={"X-API-KEY": self.key}, trust_env=False, timeout=20, verify=False
        )

    def argv(self, *modules: str) -> list[str]:
        """The command line, here or behind other `modules`."""
        files = ["--root", str(self.root), "--key-file", str(self._key_file), "--ready-file", str(self._ready)]
        return [self._python, "-P", "-m", *(modules or ["sandbox.server"]), *files, *self._flags]

    def _borrowed(self) -> dict[str, str]:
        """Where the code is, and for another Python of the same version our libraries too."""
        libraries = [] if self._python == sys.executable else [sysconfig.get_paths()["purelib"]]
        return {"PYTHONPATH": os.pathsep.join([str(self._code), *libraries])}

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
        self._let_go()
        if self.process.stderr:
            self.process.stderr.close()
        return code

    def _let_go(self) -> None:
        if self._held is not None:
            os.close(self._held)
            self._held = None


@contextlib.contextmanager
def busy(box: Box, server: LocalServer) -> Iterator[None]:
    """While the block runs, a command with a detached child runs in `box`; it ends with the box or the server."""

    def work() -> None:
        with contextlib.suppress(BoxError):
            box.run(["bash", "-c", "setsid sleep 600 & sleep 600"], timeout_s=60)

    worker = threading.Thread(target=work)
    worker.start()
    assert until(lambda: len(server.jails()) > 0)
    yield
    worker.join(20)


_HERE = "import os, sys; sys.exit(not os.access(sys.argv[1], os.R_OK | os.X_OK))"


def somebody_else() -> dict[str, Any] | None:
    """For root: how to start a server as an account that is nobody's, with a Python it may start; None if none may."""
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            # The checkout too must lie where it may go.
            subprocess.run(
                [python, "-c", _HERE, ROOT], user=NOBODYS, group=NOBODYS, extra_groups=[], cwd="/", check=True
            )
            return {"uid": NOBODYS, "python": python}
    return None


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


# In front of a command line: a kernel that denies user namespaces, as in most containers.
WITHOUT_NAMESPACES = (
    *("unshare", "--user", "--map-root-user", "sh", "-c"),
    *('echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh"),
)
