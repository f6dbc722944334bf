"""For a server started as root: one user namespace, made at start, in which every box has a uid of its own."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_CLONE_NEWUSER = 0x10000000
# systemd's registry of uids leaves this stretch below 65536 unused; containers rarely map more.
FIRST_UID = 60706
UID_COUNT = 478


class NamespaceDenied(Exception):
    """The kernel refused a user namespace; the message is the system's own reason."""


def may_give_uids() -> bool:
    """Whether we are a root that may use the boxes' uids. In a container that maps one uid alone, "root" is an
    ordinary user of the host, and is treated as one."""
    if os.geteuid() != 0:
        return False
    ranges = [[int(word) for word in line.split()] for line in Path("/proc/self/uid_map").read_text().splitlines()]
    return any(first <= FIRST_UID and first + count >= FIRST_UID + UID_COUNT for first, _, count in ranges)


def shared_namespace() -> int:
    """A descriptor of a new user namespace that holds root (to mount) and the boxes' uids, nothing else.

    Root keeps its own number in it, because only the host's root can reach an interpreter under a 0700
    folder; scripts never run as that uid. No further user namespace can be made inside. Call it before any
    thread is started: it forks. Raises NamespaceDenied.
    """
    from_child, to_parent = os.pipe()
    from_parent, to_child = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(to_child)  # else our own copy would keep the pipe we wait on open
        _be_the_namespace(to_parent, from_parent)
    try:
        _await(from_child, "unshare")
        mapping = f"0 0 1\n{FIRST_UID} {FIRST_UID} {UID_COUNT}\n"
        Path(f"/proc/{pid}/uid_map").write_text(mapping, encoding="ascii")
        Path(f"/proc/{pid}/gid_map").write_text(mapping, encoding="ascii")
        os.write(to_child, b"1")
        _await(from_child, "user.max_user_namespaces")
        return os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise NamespaceDenied(str(error)) from None
    finally:
        os.close(to_child)  # the child ends when its pipe does
        os.waitpid(pid, 0)
        for fd in (from_child, to_parent, from_parent):
            os.close(fd)


def _be_the_namespace(to_parent: int, from_parent: int) -> None:
    """The child: enters a new namespace, forbids further ones once it is mapped, waits, and ends."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        failed = libc.unshare(_CLONE_NEWUSER)
        os.write(to_parent, bytes([ctypes.get_errno() if failed else 0]))
        if failed or not os.read(from_parent, 1):
            return
        limit = os.open("/proc/sys/user/max_user_namespaces", os.O_WRONLY)
        os.write(limit, b"0")
        os.write(to_parent, b"\0")
        os.read(from_parent, 1)
    finally:
        os._exit(0)


def _await(pipe: int, step: str) -> None:
    answer = os.read(pipe, 1)
    if answer != b"\0":
        reason = os.strerror(answer[0]) if answer else "the helper ended"
        raise NamespaceDenied(f"{step}: {reason}")
