"""Showing that a box is sealed by trying to get out of it, for `standby doctor` and for tests."""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.client import Box

_PROBE_TIMEOUT_S = 60

# Runs inside the box, so it imports nothing of ours. Prints one JSON object; a text says what went wrong.
_PROBE = """
import json, os, socket, sys
port, canary = int(sys.argv[1]), sys.argv[2]
found = {}

def attempt(name, action):
    try:
        found[name] = repr(action())
    except Exception as error:
        found[name] = "denied: " + type(error).__name__

attempt("loopback", lambda: socket.create_connection(("127.0.0.1", port), 3).recv(9))
attempt("outside", lambda: socket.create_connection(("1.1.1.1", 53), 3))
attempt("names", lambda: socket.getaddrinfo("example.org", 80))
attempt("shadow", lambda: open("/etc/shadow").read()[:1])
attempt("canary", lambda: open(canary).read()[:9])
found["capabilities"] = next(l.split()[1] for l in open("/proc/self/status") if l.startswith("CapEff"))
try:
    import duckdb
    found["duckdb"] = repr(duckdb.sql("select 6 * 7").fetchall()[0][0])
except Exception as error:
    found["duckdb"] = type(error).__name__ + ": " + str(error)
print(json.dumps(found))
"""


@dataclass(frozen=True)
class Proof:
    """One thing a sealed box must or must not do. `seen` is what really happened."""

    claim: str
    holds: bool
    seen: str


def prove_sealed(box: Box) -> list[Proof]:
    """Tries, from inside `box`, what no script may reach. Raises BoxError when the box itself fails."""
    with _listener() as listener, _canary() as canary:
        box.put(".probe.py", _PROBE.encode())
        argv = ["python", ".probe.py", str(listener.getsockname()[1]), str(canary)]
        ended = box.run(argv, timeout_s=_PROBE_TIMEOUT_S)
    if ended.code != 0:
        return [Proof("a script runs in the box", False, f"exit code {ended.code}: {ended.stderr[-300:]}")]
    found: dict[str, str] = json.loads(ended.stdout)
    return [
        _denied("a server on this computer cannot be reached", found["loopback"]),
        _denied("no address outside can be reached", found["outside"]),
        _denied("no name is resolved", found["names"]),
        _denied("the host's /etc/shadow is hidden", found["shadow"]),
        _denied("a file of ours on the host is hidden", found["canary"]),
        Proof("no capability is held", int(found["capabilities"], 16) == 0, found["capabilities"]),
        Proof("python with duckdb computes", found["duckdb"] == "42", found["duckdb"]),
    ]


def _denied(claim: str, seen: str) -> Proof:
    return Proof(claim, seen.startswith("denied:"), seen)


def _listener() -> socket.socket:
    """Something that really listens, so that a refused connection proves a wall and not an empty port."""
    return socket.create_server(("127.0.0.1", 0))


@contextlib.contextmanager
def _canary() -> Iterator[Path]:
    """A file that everybody on this computer may read, so that not seeing it proves it is hidden."""
    with tempfile.NamedTemporaryFile("w", prefix="standby-canary-") as file:
        file.write(secrets.token_hex(16))
        file.flush()
        path = Path(file.name)
        path.chmod(0o644)
        yield path
