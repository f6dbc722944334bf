"""Watching one folder of a box: what was made, written, renamed, removed in it since the last look."""

from __future__ import annotations

import ctypes
import io
import os
import struct
from collections.abc import Iterator

from sandbox.server.refusals import RpcError

MOST = 16  # watchers of one box; each holds a descriptor of ours
_READ_BYTES = 256 << 10  # the kernel keeps 16,384 events and then says that it lost some
_READS = 4
_EVENT = struct.Struct("iIII")
# From <sys/inotify.h>, and what E2B calls each.
_KINDS = {
    0x100: "EVENT_TYPE_CREATE",  # IN_CREATE
    0x080: "EVENT_TYPE_CREATE",  # IN_MOVED_TO
    0x002: "EVENT_TYPE_WRITE",  # IN_MODIFY
    0x200: "EVENT_TYPE_REMOVE",  # IN_DELETE
    0x040: "EVENT_TYPE_RENAME",  # IN_MOVED_FROM
    0x004: "EVENT_TYPE_CHMOD",  # IN_ATTRIB
}
_ONLY_FOLDERS = 0x01000000


class Watcher:
    """Looks at the folder `path` of a box, given as an open descriptor; not at the folders in it."""

    def __init__(self, path: str, folder: int) -> None:
        self.path = path
        libc = ctypes.CDLL(None, use_errno=True)
        if not hasattr(libc, "inotify_init1"):
            raise RpcError("unimplemented", "folders can be watched on Linux only")
        fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if fd < 0:
            raise RpcError("resource_exhausted", f"'{path}' cannot be watched: {os.strerror(ctypes.get_errno())}")
        self._file = io.FileIO(fd)
        mask = _ONLY_FOLDERS
        for kind in _KINDS:
            mask |= kind
        if libc.inotify_add_watch(fd, os.fsencode(f"/proc/self/fd/{folder}"), mask) < 0:
            self.close()
            raise RpcError("resource_exhausted", f"'{path}' cannot be watched: {os.strerror(ctypes.get_errno())}")

    def events(self) -> Iterator[tuple[str, str]]:
        """Name and kind of each, oldest first; a run of equal ones is told once."""
        told: tuple[str, str] | None = None
        for _ in range(_READS):  # a script may make events faster than they are read
            for event in _parsed(self._file.read(_READ_BYTES) or b""):
                if event != told:
                    yield event
                told = event

    def close(self) -> None:
        self._file.close()


def _parsed(data: bytes) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(data):
        _, mask, _, length = _EVENT.unpack_from(data, at)
        at += _EVENT.size
        name = os.fsdecode(data[at : at + length].rstrip(b"\0"))
        at += length
        for bit, kind in _KINDS.items():
            if mask & bit and name:
                yield name, kind
