"""One process's workers, one for each workspace that has Standby, as these come and go, without a restart."""

import asyncio
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from threading import Event
from typing import Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from bot.domain.errors import StandbyError
from bot.log import log
from bot.processes.installed import Installed
from bot.processes.many import LOOK_S, stale
from bot.processes.reaping import keep_ending_orphans
from bot.settings import SettingsError
from bot.store.tables_installed import Workspace
from bot.work.parts import JobParts
from bot.work.queue import Worker

P = TypeVar("P", bound=JobParts)


@dataclass(frozen=True)
class Served(Generic[P]):
    """A workspace with a worker: its row's stamp, its parts, and what ends the worker and its reaper."""

    changed_at: datetime
    parts: P
    task: "asyncio.Task[None]"
    reaping: Event


class Workers(Generic[P]):
    """All share this process's threads, so that `runner_jobs` and `agent_jobs` hold for all of them together."""

    def __init__(self, installed: Installed, worker: Worker, make: Callable[[Workspace], P]) -> None:
        self._installed, self._worker, self._make = installed, worker, make
        self._served: dict[str, Served[P]] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._looking = ThreadPoolExecutor(1, thread_name_prefix="looking")
        self._free = asyncio.Semaphore(worker.concurrency)

    def serve(self, ready: Callable[[], None]) -> None:
        """Run jobs until SIGINT or SIGTERM; jobs under way are finished first."""
        asyncio.run(self._serve(ready))

    async def _serve(self, ready: Callable[[], None]) -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        loop.set_default_executor(ThreadPoolExecutor(self._worker.concurrency, thread_name_prefix="job"))
        is_told = False
        while not stop.is_set():
            await self._look(loop)
            if not is_told:
                ready()
                is_told = True
            try:
                await asyncio.wait_for(stop.wait(), LOOK_S)
            except TimeoutError:
                continue
        for team_id in list(self._served):
            self._leave(loop, team_id)
        await asyncio.gather(*self._leaving)
        self._looking.shutdown()

    async def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            now = await loop.run_in_executor(self._looking, self._installed.now)
        except SQLAlchemyError as error:
            log.warning("installed_not_read", why=type(error).__name__)
            return
        living = {team_id: one.changed_at for team_id, one in self._served.items() if not one.task.done()}
        for team_id in [*(self._served.keys() - living), *stale(living, now)]:
            self._leave(loop, team_id)
        for team_id in sorted(now.keys() - self._served.keys()):
            await self._begin(loop, now[team_id])

    async def _begin(self, loop: asyncio.AbstractEventLoop, one: Workspace) -> None:
        """Where it cannot begin now, the next look tries again; the others are not kept from work."""
        try:
            parts = await loop.run_in_executor(self._looking, self._make, one)
        except (SettingsError, StandbyError, SQLAlchemyError) as error:
            log.error("workspace_not_served", team=one.team_id, why=str(error))
            return
        task = loop.create_task(self._worker.work(parts, self._free))
        reaping = keep_ending_orphans(parts.boxes, parts.db, parts.settings.stalled_after_s)
        self._served[one.team_id] = Served(one.changed_at, parts, task, reaping)
        log.info("workspace_served", team=one.team_id)

    def _leave(self, loop: asyncio.AbstractEventLoop, team_id: str) -> None:
        """Not waited for: a job may take minutes, and the others are minded meanwhile."""
        ending = loop.create_task(self._end(team_id, self._served.pop(team_id)))
        self._leaving.add(ending)
        ending.add_done_callback(self._leaving.discard)

    async def _end(self, team_id: str, served: Served[P]) -> None:
        """Jobs under way are finished; those that wait stay in the workspace's queue."""
        served.reaping.set()
        served.task.cancel()
        [ended] = await asyncio.gather(served.task, return_exceptions=True)
        if isinstance(ended, Exception):
            log.error("worker_ended", team=team_id, why=f"{type(ended).__name__}: {ended}")
        served.parts.chat.close()
        served.parts.db.close()
        log.info("workspace_left", team=team_id)
