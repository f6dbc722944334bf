"""The computer around the boxes as an attacker would like it: secrets to read, servers to call, files to spoil."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandbox.client import Box, Boxes
from tests.box.local_server import LocalServer

ABSTRACT = "standby-escape-canary"


@dataclass
class Host:
    """`words` tell a script where everything is; nobody attacks with less than full knowledge."""

    words: dict[str, Any]
    secrets: dict[str, str]
    victim: Path
    bystander: subprocess.Popen[bytes]
    server: LocalServer
    contacts: list[str] = field(default_factory=list)

    def found_in(self, text: str) -> list[str]:
        return [f"secret of {where}" for where, secret in self.secrets.items() if secret in text]

    def changes(self) -> list[str]:
        """What happened to the host since it was made; what was found once is not told again."""
        changes = [f"contact with {name}" for name in self.contacts]
        self.contacts.clear()
        if self.victim.read_text(encoding="ascii") != "untouched":
            changes.append("a file of the host was written")
            self.victim.write_text("untouched", encoding="ascii")
        if self.bystander.poll() is not None:
            changes.append("a process of the host was ended")
        if self.server.process.poll() is not None:
            changes.append("the box server was ended")
        return changes


@contextlib.contextmanager
def prepared_host(folder: Path, server: LocalServer, boxes: Boxes) -> Iterator[Host]:
    """Everything real: listeners that answer, files anybody may read or write, another box with a secret in it."""
    folder.chmod(0o755)
    found = {name: secrets.token_hex(16) for name in ("a file", "another box", "a bystander")}
    canary, victim = folder / "canary", folder / "victim"
    canary.write_text(found["a file"], encoding="ascii")
    victim.write_text("untouched", encoding="ascii")
    victim.chmod(0o666)
    environment = {"PATH": os.environ["PATH"], "SECRET": found["a bystander"]}
    found["the server's environment"] = server.SECRET
    found["the server's key"] = server.key
    with contextlib.ExitStack() as stack:
        other = stack.enter_context(boxes.open("victim", tags={}, lifetime_s=600))
        other.put("inputs/secret.csv", found["another box"].encode())
        bystander = subprocess.Popen(["sleep", "600"], env=environment)
        stack.callback(bystander.wait)
        stack.callback(bystander.kill)
        host = Host({}, found, victim, bystander, server)
        host.words = _words(stack, host, folder, other)
        host.words |= {"canary": str(canary), "victim": str(victim), "folder": str(folder)}
        yield host


def _words(stack: contextlib.ExitStack, host: Host, folder: Path, other: Box) -> dict[str, Any]:
    root = host.server.root
    abstract = f"{ABSTRACT}-{secrets.token_hex(4)}"  # its own: a thread that still accepts keeps a name in use
    return {
        "tcp": _listening(stack, host, socket.AF_INET, socket.SOCK_STREAM, ("0.0.0.0", 0))[1],
        "tcp6": _listening(stack, host, socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0))[1],
        "udp": _listening(stack, host, socket.AF_INET, socket.SOCK_DGRAM, ("0.0.0.0", 0))[1],
        "abstract": _listening(stack, host, socket.AF_UNIX, socket.SOCK_STREAM, f"\0{abstract}") and abstract,
        "unix": _listening(stack, host, socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "socket")),
        "lan": _lan_address(),
        "bystander": host.bystander.pid,
        "server": host.server.process.pid,
        "url": host.server.url,
        "boxes": str(root),
        "other": str(root / other.id / "tree/home/user/inputs/secret.csv"),
    }


def _listening(stack: contextlib.ExitStack, host: Host, family: int, kind: int, address: Any) -> Any:
    """Binds, listens and counts whoever comes; returns the address that a script is told."""
    listener = stack.enter_context(socket.socket(family, kind))
    listener.bind(address)
    if family == socket.AF_UNIX and not str(address).startswith("\0"):
        Path(address).chmod(0o777)
    if kind == socket.SOCK_STREAM:
        listener.listen()
    name = f"{socket.AddressFamily(family).name} {socket.SocketKind(kind).name}"

    def take() -> None:
        with contextlib.suppress(OSError):
            while True:
                listener.accept()[0].close() if kind == socket.SOCK_STREAM else listener.recv(100)
                host.contacts.append(name)

    threading.Thread(target=take, daemon=True).start()
    stack.callback(_shut, listener)
    return listener.getsockname()


def _shut(listener: socket.socket) -> None:
    """Wakes the thread that waits on it."""
    with contextlib.suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)


def _lan_address() -> str:
    """The address by which this computer would leave; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"
