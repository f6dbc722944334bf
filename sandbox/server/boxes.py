"""The boxes that exist: made, found by token, ended by request or by their time, and swept when left over."""

from __future__ import annotations

import asyncio
import datetime as dt
import fcntl
import hmac
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.server.cgroups import Group, Groups
from sandbox.server.confined import Confined
from sandbox.server.jail import Cell, Jail
from sandbox.server.ledger import Ledger
from sandbox.server.processes import Command, Running, follow, start
from sandbox.server.refusals import ApiError, RpcError
from sandbox.server.removal import remove_folder
from sandbox.server.requests import CreateRequest
from sandbox.server.tree import jails_under, kill_tree
from sandbox.server.user_namespace import FIRST_UID, UID_COUNT, may_give_uids
from sandbox.server.watchdog import Watchdog
from sandbox.server.watchers import Watcher

SWEEP_S = 5.0  # killed jails take a moment to be gone


@dataclass(eq=False)
class Box:
    """One box. `token` opens its files and commands; nothing else does."""

    id: str
    request: CreateRequest
    token: str
    cell: Cell
    files: Confined
    started_at: dt.datetime
    end_at: dt.datetime
    group: Group | None
    running: dict[int, Running] = field(default_factory=dict)
    watchers: dict[str, Watcher] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None

    def pids(self) -> list[int]:
        """The launchers of all its commands; may be asked from any thread."""
        return [each.pid for each in list(self.running.values())]


class RootInUse(Exception):
    """Another box server works in this folder."""


class Boxes:
    """All boxes of this server, in folders under `root`."""

    def __init__(self, root: Path, jail: Jail, max_boxes: int, ledger: Ledger) -> None:
        self.root = root
        self.jail = jail
        self.max_boxes = max_boxes
        self.ledger = ledger
        self._groups = Groups.found(root, jail.limits.memory_bytes)
        self._boxes: dict[str, Box] = {}
        self._by_key: dict[str, tuple[CreateRequest, Box]] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def __iter__(self) -> Iterator[Box]:
        return iter(sorted(self._boxes.values(), key=lambda box: (box.started_at, box.id)))

    def find(self, box_id: str) -> Box:
        """Raises ApiError 404."""
        if box_id not in self._boxes:
            raise ApiError(404, f"Sandbox {box_id} was not found")
        return self._boxes[box_id]

    def opened(self, box_id: str, token: str) -> Box:
        """The running box, for one who shows its token. Raises ApiError 502 (gone) or 401."""
        box = self._boxes.get(box_id)
        if box is None:  # what E2B's proxy says of a box that is no more; the SDK looks for these words
            raise ApiError(502, "The sandbox was not found", sandboxId=box_id)
        if not hmac.compare_digest(token.encode(), box.token.encode()):
            raise ApiError(401, "the access token is not this sandbox's")
        return box

    def create(self, request: CreateRequest, key: str | None) -> Box:
        """A new box, or the one made earlier under the same idempotency key. Raises ApiError 409 or 429."""
        if key is not None and key in self._by_key:
            earlier, box = self._by_key[key]
            if earlier != request:
                raise ApiError(409, "this Idempotency-Key was used for a different request")
            return box
        if len(self._boxes) >= self.max_boxes:
            raise ApiError(429, f"you have reached the maximum number of concurrent sandboxes ({self.max_boxes})")
        box = self._make(request)
        self._boxes[box.id] = box
        self.ledger.box_created(box.id, request.tags)
        if key is not None:
            self._by_key[key] = (request, box)
        self.set_lifetime(box, request.lifetime_s)
        return box

    def set_lifetime(self, box: Box, seconds: int) -> None:
        """The box ends `seconds` from now, whatever was said before."""
        if box.timer:
            box.timer.cancel()
        box.end_at = _now() + dt.timedelta(seconds=seconds)
        box.timer = asyncio.get_running_loop().call_later(seconds, self._expire, box)

    async def run(self, box: Box, command: Command) -> Running:
        running = await start(self.jail, box.cell, command, box.group)
        if box.id not in self._boxes:  # ended while the jail started
            running.kill()
            raise ApiError(502, "The sandbox was not found", sandboxId=box.id)
        box.running[running.pid] = running
        ran = self.ledger.command_run(box.id, command.argv)
        watchdog = Watchdog(box.pids, box.cell.folder, self.jail.limits, box.group)
        running.finished = asyncio.create_task(follow(running, watchdog))
        running.finished.add_done_callback(lambda _: box.running.pop(running.pid, None))
        running.finished.add_done_callback(lambda _: ran.ended(running.process.returncode, _now()))
        return running

    async def kill(self, box: Box) -> None:
        """Ends everything in the box and deletes its folder."""
        if self._boxes.pop(box.id, None) is None:
            return
        self.ledger.box_killed(box.id)
        self._by_key = {key: made for key, made in self._by_key.items() if made[1] is not box}
        if box.timer:
            box.timer.cancel()
        while box.watchers:
            box.watchers.popitem()[1].close()
        for running in list(box.running.values()):
            running.cut_off(RpcError("unavailable", "the connection to the box ended before the stream completed"))
            running.kill()
        await asyncio.gather(*(each.finished for each in box.running.values() if each.finished))
        await asyncio.to_thread(remove_folder, box.cell.folder)
        if box.group:
            await asyncio.to_thread(box.group.remove)

    async def kill_all(self) -> None:
        await asyncio.gather(*(self.kill(box) for box in self), *self._ending)
        if self._groups:
            self._groups.close()

    def _expire(self, box: Box) -> None:
        task = asyncio.get_running_loop().create_task(self.kill(box))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    def _make(self, request: CreateRequest) -> Box:
        box_id = "i" + secrets.token_hex(10)
        cell = self.jail.cell(self.root / box_id, self._free_uid())
        cell.make()
        now = _now()
        token = secrets.token_hex(24)
        group = self._groups.make(box_id) if self._groups else None
        files = Confined(cell.tree, cell.uid if cell.own_uid else None)
        return Box(box_id, request, token, cell, files, now, now, group)

    def _free_uid(self) -> int:
        """As root each box gets a uid of its own, so that the kernel counts and separates them."""
        taken = {box.cell.uid for box in self._boxes.values() if box.cell.own_uid}
        for uid in range(FIRST_UID, FIRST_UID + UID_COUNT):
            if uid not in taken:
                return uid
        raise ApiError(429, "no uid is free for another sandbox")


def claim(root: Path) -> int:
    """Takes `root` for this server alone and returns the lock's descriptor. Raises RootInUse."""
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    root.chmod(0o711 if may_give_uids() else 0o700)  # boxes' own uids pass, each to its own folder
    lock = os.open(root / "server.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise RootInUse(f"another box server is using {root}; stop it, or give this one another folder") from None
    return lock


def sweep(root: Path) -> int:
    """Ends jails and deletes boxes that an earlier server left behind, however it died. Returns how many."""
    until = time.monotonic() + SWEEP_S
    while (pids := jails_under(root)) and time.monotonic() < until:
        for pid in pids:
            kill_tree(pid)
        time.sleep(0.02)
    left = [path for path in root.iterdir() if path.is_dir()]
    for path in left:
        remove_folder(path)
    return len(left)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
