"""A process that minds many workspaces takes no more jobs than it has threads; another process finds the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock
from typing import Any, cast

from bot.domain.ports import Chat
from bot.settings import Settings
from bot.store.blobs import Blobs
from bot.store.session import Database
from bot.work.jobs import RUNNER, Job, enqueue
from bot.work.parts import JobParts
from bot.work.queue import Handler, Worker
from bot.work.wall import SystemClock
from sandbox.client import Boxes, BoxSettings

WITHIN_S = 20.0


def parts_of(url: str, folder: Path) -> JobParts:
    return JobParts(
        db=Database(url),
        chat=cast("Chat", None),  # what it does needs no workspace
        clock=SystemClock(),
        settings=Settings.load({"STANDBY_DATABASE_URL": url}),
        boxes=Boxes(BoxSettings(api_key="e2b_none", api_url="http://127.0.0.1:9")),
        blobs=Blobs(str(folder)),
        mail=None,
    )


class Process:
    """Two threads for the jobs of several workspaces; a job is under way until `enough`."""

    def __init__(self, workspaces: list[JobParts], enough: Event) -> None:
        self._workspaces, self._enough, self._lock = workspaces, enough, Lock()
        self.begun: list[str] = []
        handler = Handler(self._run, self._run)
        self._worker = Worker(RUNNER, {Job.SAY: handler}, concurrency=2)

    def _run(self, _parts: JobParts, **args: Any) -> None:
        with self._lock:
            self.begun.append(args["key"])
        assert self._enough.wait(WITHIN_S)

    def start(self) -> list[asyncio.Task[None]]:
        threads = asyncio.Semaphore(2)
        return [asyncio.create_task(self._worker.work(parts, threads)) for parts in self._workspaces]


async def until(claim: Callable[[], bool]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not claim():
            await asyncio.sleep(0.02)


def test_what_a_process_has_no_thread_for_another_process_does(
    fresh_database: Callable[[], str], tmp_path: Path
) -> None:
    workspaces = [parts_of(fresh_database(), tmp_path) for _ in range(2)]
    for number, parts in enumerate(workspaces):
        with parts.db.transaction() as session:
            for job in range(3):
                enqueue(session, Job.SAY, key=f"{number}.{job}")
    enough = Event()
    one, other = Process(workspaces, enough), Process(workspaces, enough)

    async def story() -> None:
        # Given a process with two threads and six jobs in two workspaces, it takes two of them
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(8))
        tasks = one.start()
        await until(lambda: len(one.begun) == 2)
        await asyncio.sleep(0.3)
        assert len(one.begun) == 2

        # When another process comes, it finds two more at once
        tasks += other.start()
        await until(lambda: len(other.begun) == 2)

        # And when threads become free, the rest is done, each once
        enough.set()
        await until(lambda: len(one.begun + other.begun) == 6)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(story())
    assert sorted(one.begun + other.begun) == ["0.0", "0.1", "0.2", "1.0", "1.1", "1.2"]
    for parts in workspaces:
        parts.db.close()
