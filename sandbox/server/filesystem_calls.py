"""envd's filesystem.Filesystem: look at, list, make, move and remove, inside the box's own folders."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import posixpath
import secrets
import stat
from collections.abc import Iterator, Mapping

from sandbox.server.boxes import Box
from sandbox.server.confined import entry_of
from sandbox.server.keys import Keys
from sandbox.server.paths import box_path
from sandbox.server.refusals import BadKey, RpcError
from sandbox.server.watchers import MOST, Watcher

LATEST = 253_402_300_799  # the last second of the year 9999; a script may have set any time
MAX_ENTRIES = 10_000  # a listing is one JSON message in memory; a script may make millions of names
Answer = Mapping[str, object]


def call(name: str, box: Box, keys: Keys) -> Answer:
    """Answers one call. Blocking. Raises RpcError, BadKey."""
    if name == "WatchDir":
        raise RpcError("unimplemented", "WatchDir is not offered by this server; make a watcher and ask it for events")
    calls = {"Stat": _stat, "ListDir": _list, "MakeDir": _make, "Move": _move, "Remove": _remove}
    calls |= {"CreateWatcher": _watch, "GetWatcherEvents": _events, "RemoveWatcher": _unwatch}
    if name not in calls:
        raise RpcError("unimplemented", f"filesystem.Filesystem/{name} is not offered by this server")
    with _translated():
        return calls[name](box, keys)


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise RpcError("not_found", f"path '{error.filename}' does not exist") from None
    except FileExistsError as error:
        raise RpcError("already_exists", f"path '{error.filename}' exists already") from None
    except OSError as error:
        raise RpcError("invalid_argument", f"path '{error.filename}': {error.strerror}") from None


def _stat(box: Box, keys: Keys) -> Answer:
    path = _path(keys)
    return {"entry": _entry(path, *box.files.stat(path))}


def _list(box: Box, keys: Keys) -> Answer:
    depth = keys.number("depth", 1)
    path = _path(keys)
    entries: list[Answer] = []
    pending = [(path, 1)]
    while pending:
        folder, level = pending.pop(0)
        for entry in _entries(box, folder, MAX_ENTRIES - len(entries)):
            entries.append(entry)
            if level < depth and entry["type"] == "FILE_TYPE_DIRECTORY":
                pending.append((str(entry["path"]), level + 1))
    return {"entries": entries}


def _entries(box: Box, folder: str, room: int) -> list[Answer]:
    with box.files.folder(folder) as fd:
        names = sorted(os.listdir(fd))  # noqa: PTH208 - an open folder, not a path
        if len(names) > room:
            raise RpcError("resource_exhausted", f"more than {MAX_ENTRIES} entries; list a smaller folder")
        return [_entry(posixpath.join(folder, name), *entry_of(fd, name)) for name in names]


def _make(box: Box, keys: Keys) -> Answer:
    path = _path(keys)
    try:
        box.files.stat(path)
    except FileNotFoundError:
        with box.files.folder(path, make=True):
            pass
        return {"entry": _entry(path, *box.files.stat(path))}
    raise RpcError("already_exists", f"path '{path}' exists already")


def _move(box: Box, keys: Keys) -> Answer:
    source, target = box_path(keys.text("source")), box_path(keys.text("destination"))
    keys.done()
    box.files.move(source, target)
    return {"entry": _entry(target, *box.files.stat(target))}


def _remove(box: Box, keys: Keys) -> Answer:
    with contextlib.suppress(FileNotFoundError):  # envd's remove succeeds on what is not there
        box.files.remove(_path(keys))
    return {}


def _watch(box: Box, keys: Keys) -> Answer:
    for name in ("recursive", "allowNetworkMounts", "includeEntry"):
        if keys.flag(name, False):
            raise BadKey(f"CreateWatcher: {name!r} must be false; this server tells what happens in one folder.")
    path = _path(keys)
    if len(box.watchers) >= MOST:
        raise RpcError("resource_exhausted", f"a box may have {MOST} watchers")
    with box.files.folder(path) as fd:
        watcher = Watcher(path, fd)
    watcher_id = secrets.token_hex(8)
    box.watchers[watcher_id] = watcher
    return {"watcherId": watcher_id}


def _events(box: Box, keys: Keys) -> Answer:
    watcher = box.watchers[_watcher_id(box, keys)]
    return {"events": [{"name": name, "type": kind} for name, kind in watcher.events()]}


def _unwatch(box: Box, keys: Keys) -> Answer:
    box.watchers.pop(_watcher_id(box, keys)).close()
    return {}


def _watcher_id(box: Box, keys: Keys) -> str:
    watcher_id = keys.text("watcherId")
    keys.done()
    if watcher_id not in box.watchers:
        raise RpcError("not_found", f"watcher with id {watcher_id} not found")
    return watcher_id


def _path(keys: Keys) -> str:
    path = box_path(keys.text("path"))
    keys.done()
    return path


def _entry(path: str, info: os.stat_result, target: str | None) -> Answer:
    kind = "SYMLINK" if target is not None else "DIRECTORY" if stat.S_ISDIR(info.st_mode) else "FILE"
    entry: dict[str, object] = {
        "name": posixpath.basename(path),
        "type": f"FILE_TYPE_{kind}",
        "path": path,
        "size": str(info.st_size),
        "mode": stat.S_IMODE(info.st_mode),
        "permissions": stat.filemode(info.st_mode),
        "owner": "user",
        "group": "user",
        "modifiedTime": dt.datetime.fromtimestamp(min(max(0, info.st_mtime), LATEST), dt.UTC)
        .isoformat()
        .replace("+00:00", "Z"),
    }
    return entry if target is None else {**entry, "symlinkTarget": target}
