"""The worker side of the queue: which jobs a process runs, how often, and what happens when one keeps failing."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from time import monotonic
from typing import Any

from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision
from procrastinate.connector import Notify
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job as QueuedJob
from procrastinate.manager import JobManager

from bot.domain.errors import ChatBusy
from bot.log import log
from bot.store.session import libpq_url
from bot.work.failures import TRIED_FOR_HOURS, in_words
from bot.work.holders import holding
from bot.work.jobs import Job
from bot.work.metrics import JOBS_FAILED
from bot.work.parts import JobParts
from bot.work.places import Places
from bot.work.steady import Steady

# A job that fails may be tried so often before Standby gives it up and says so.
ATTEMPTS = 4
# While Slack only asks to wait nothing is wrong, so that is waited for much longer: some hours in all.
BUSY_ATTEMPTS = 100
LONGEST_WAIT_S = 300
LISTENS_AGAIN_S = 1.0
# So long a workspace's worker stands in line for a thread, before it looks whether it should stop.
STANDS_IN_LINE_S = 5.0

Story = Callable[..., None]


class Patience(BaseRetryStrategy):
    """Failures come back after 2, 4, 8 seconds; a busy workspace when it said that it would take more."""

    def get_retry_decision(self, *, exception: BaseException, job: QueuedJob) -> RetryDecision:
        if isinstance(exception, ChatBusy):
            wait_s = min(LONGEST_WAIT_S, max(1.0, exception.retry_after_s) * (1 + job.attempts // 4))
        else:
            wait_s = 2.0 ** (1 + job.attempts)
        return RetryDecision(retry_in={"seconds": round(wait_s)})


class Listening(PsycopgConnector):
    """Hears of new jobs again after the database was away; procrastinate's own listener ends with its connection."""

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        """Until it is cancelled. What is missed meanwhile, asking every second finds."""
        while True:
            try:
                await super().listen_notify(on_notification, channels)
            except ConnectorException as gone:
                log.warning("not_listening", why=str(gone).split("\n")[0])
            await asyncio.sleep(LISTENS_AGAIN_S)


class Sharing(JobManager):
    """Claims a job only for a thread that is free: the workers of many workspaces share this process's threads.

    What it claimed and could not begin, another process with time for it would not get.
    """

    def __init__(self, app: App, threads: asyncio.Semaphore) -> None:
        super().__init__(app.job_manager.connector)
        self._threads = threads

    async def fetch_job(self, *args: Any, **kwargs: Any) -> QueuedJob | None:
        """None where there is no job, and where no thread became free in time."""
        try:
            await asyncio.wait_for(self._threads.acquire(), STANDS_IN_LINE_S)
        except TimeoutError:
            return None
        job = None
        try:
            job = await super().fetch_job(*args, **kwargs)
        finally:
            if job is None:
                self._threads.release()
        return job

    async def finish_job(self, *args: Any, **kwargs: Any) -> None:
        try:
            await super().finish_job(*args, **kwargs)
        finally:
            self._threads.release()

    async def retry_job(self, *args: Any, **kwargs: Any) -> None:
        try:
            await super().retry_job(*args, **kwargs)
        finally:
            self._threads.release()


@dataclass(frozen=True)
class Handler:
    """What a job does, and how it ends when it cannot be done.

    `give_up` gets the job's arguments and `why`, in whole sentences for people.
    """

    run: Story
    give_up: Story


@dataclass(frozen=True)
class Worker:
    """One process's worker: its queue, its handlers and how it shows that it lives."""

    queue: str
    handlers: Mapping[Job, Handler]
    concurrency: int
    places: Places | None = None  # how many of these jobs all processes together do at once

    def serve(self, parts: JobParts, ready: Callable[[], None]) -> None:
        """Run jobs until SIGINT or SIGTERM; jobs under way are finished first."""
        asyncio.run(self._run(Listening(conninfo=libpq_url(parts.settings.database_url)), parts, ready))

    async def work(self, parts: JobParts, threads: asyncio.Semaphore) -> None:
        """Run the jobs of one workspace of many, until it is cancelled; with few connections, for there are many.

        `threads` are those of this process that are free.
        """
        connector = Listening(conninfo=libpq_url(parts.settings.database_url), min_size=1, max_size=3)
        await self._run(connector, parts, lambda: None, threads)

    async def _run(
        self,
        connector: Listening,
        parts: JobParts,
        ready: Callable[[], None],
        threads: asyncio.Semaphore | None = None,
    ) -> None:
        app = App(connector=connector)
        if threads is not None:
            app.job_manager = Sharing(app, threads)
        for job, handler in self.handlers.items():
            app.task(name=job.value, queue=self.queue, pass_context=True, retry=Patience())(
                _task(parts, job, handler, self.places)
            )
        async with app.open_async():
            ready()
            await app.run_worker_async(
                queues=[self.queue],
                name=self.queue,
                concurrency=self.concurrency,
                update_heartbeat_interval=parts.settings.heartbeat_s,
                stalled_worker_timeout=parts.settings.stalled_after_s,
                fetch_job_polling_interval=1.0,
                delete_jobs="successful",
                install_signal_handlers=threads is None,
            )


def _task(parts: JobParts, job: Job, handler: Handler, places: Places | None) -> Callable[..., None]:
    def run(context: JobContext, **args: Any) -> None:
        attempt = context.job.attempts + 1
        if attempt > BUSY_ATTEMPTS:
            handler.give_up(parts, **args, why=TRIED_FOR_HOURS)
            return
        try:
            with places.one() if places else nullcontext():
                handler.run(holding(parts, context.job.worker_id), **args)
        except ChatBusy as busy:
            log.warning("job_waits", job=job.value, attempt=attempt, why=str(busy), **args)
            raise
        except Exception as error:
            log.exception("job_failed", job=job.value, attempt=attempt, **args)
            JOBS_FAILED.labels(job.value).inc()
            if attempt < ATTEMPTS and not isinstance(error, StopIteration):  # that one cannot leave a thread
                raise
            handler.give_up(parts, **args, why=in_words(error))

    return run


class Rescue:
    """Hands out again the jobs of workers that fell silent, as far as anybody may judge that."""

    def __init__(self, database_url: str, silent_s: float) -> None:
        self._url = libpq_url(database_url)
        self._silent_s = silent_s
        self._steady = Steady(silent_s)

    def round(self) -> int:
        """Retry stalled jobs once; the number of jobs that got another chance."""
        try:
            return asyncio.run(self._round())
        except (ConnectorException, OSError):
            self._steady.lost()
            raise

    async def _round(self) -> int:
        app = App(connector=PsycopgConnector(conninfo=self._url, min_size=1, max_size=1))
        async with app.open_async():
            stalled = list(await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=self._silent_s))
            now = (await app.connector.execute_query_one_async("select clock_timestamp() as now"))["now"]
            if not self._steady.seen(now, monotonic()):
                return 0
            for job in stalled:
                log.warning("job_rescued", job=job.task_name, attempt=job.attempts, **job.task_kwargs)
                await app.job_manager.retry_job(job)
        return len(stalled)
