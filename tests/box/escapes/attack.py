"""One hostile script, how it is run, and how it is judged by its effects and not by its words alone."""

from __future__ import annotations

import contextlib
import json
import textwrap
from dataclasses import dataclass

from sandbox.client import Box, Boxes, Exit
from sandbox.errors import BoxError, BoxTimeout
from tests.box.escapes.host import Host
from tests.box.local_server import LocalServer, until

PRELUDE = """
import ctypes, errno, fcntl, json, os, signal, socket, struct, subprocess, sys, threading, time
host = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)

def attempt(action):
    try:
        print("got", action(), flush=True)
    except BaseException as error:
        print("denied", type(error).__name__, error, flush=True)

def call(number, *words):
    if libc.syscall(number, *words) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "done"
"""
TRIED = "\nprint('tried', flush=True)\n"


@dataclass(frozen=True)
class Attack:
    """`shows` must be in what it printed or was told, so that an attack which never began is no success of ours.

    `fetched` are outputs that we fetch afterwards as for a report. A bomb names the limit that stops it; that limit
    is proved in the same box first. `time_s` is what the command may take.
    """

    name: str
    script: str
    shows: str = "tried"
    fetched: tuple[str, ...] = ()
    limit: str = ""
    time_s: float = 30.0
    ends_by_time: bool = False

    def source(self) -> str:
        return PRELUDE + textwrap.dedent(self.script) + TRIED


# Bounded, each: they stop by themselves where there is no limit, long before they would hurt.
PROOFS = {
    "processes": """
        made = 0
        try:
            for made in range(100):
                if os.fork() == 0:
                    time.sleep(5)
                    os._exit(0)
        except BlockingIOError:
            print("limit of processes holds at", made)
        os.kill(-1, signal.SIGKILL)
    """,
    "memory": """
        try:
            kept = bytearray(600 << 20)
        except MemoryError:
            print("limit of memory holds")
    """,
    "disk": """
        import resource
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        try:
            with open("proof", "wb") as file:
                file.truncate(301 << 20)
        except OSError as error:
            print("limit of disk holds", error, soft == hard)
    """,
    "descriptors": """
        kept = []
        try:
            for _ in range(2000):
                kept.append(os.dup(0))
        except OSError:
            print("limit of descriptors holds at", len(kept))
    """,
    "time": "print('limit of time holds')",  # it is the command's own, given with each
}


@dataclass(frozen=True)
class Verdict:
    """What an attack came to. `escaped` names everything that got out; `unproved` why it shows nothing."""

    name: str
    escaped: tuple[str, ...]
    unproved: str
    said: str


def carry_out(attack: Attack, server: LocalServer, boxes: Boxes, host: Host) -> Verdict:
    """Runs one attack in a box of its own and looks at the host afterwards."""
    with boxes.open("attack", tags={}, lifetime_s=120) as box:
        if attack.limit and f"limit of {attack.limit} holds" not in _said(_run(box, PROOFS[attack.limit], host, 30)):
            return Verdict(attack.name, (), f"the limit of {attack.limit} does not hold, so no bomb is set off", "")
        try:
            said = _said(_run(box, attack.script, host, attack.time_s))
        except BoxTimeout as error:
            said = f"ended by time: {error}"
            if not attack.ends_by_time:
                return Verdict(attack.name, (), "it had to be stopped by time", said)
        loot = said + "".join(_fetched(box, path) for path in attack.fetched)
        escaped = [*host.found_in(loot), *host.changes()]
        if not until(lambda: server.jails() == []):
            escaped.append("processes that live on after their command")
    unproved = "" if attack.shows in said else f"it did not show {attack.shows!r}"
    return Verdict(attack.name, tuple(escaped), unproved, said)


def _run(box: Box, script: str, host: Host, time_s: float) -> Exit:
    box.put("attack.py", (PRELUDE + textwrap.dedent(script) + TRIED).encode())
    return box.run(["python3", "attack.py", json.dumps(host.words)], timeout_s=time_s)


def _said(ended: Exit) -> str:
    return ended.stdout + ended.stderr


def _fetched(box: Box, path: str) -> str:
    """As a report's attachment would be taken out; whatever is refused is not taken."""
    with contextlib.suppress(BoxError):
        return box.get(path, 1 << 20).decode("utf-8", "replace")
    return ""
