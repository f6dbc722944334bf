"""A worker in a process of its own that says when it does a job: `python -m tests.work.listening_worker URL`."""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace
from typing import Any, cast

from bot.work.jobs import RUNNER, Job
from bot.work.parts import JobParts
from bot.work.queue import Handler, Worker


def _done(_parts: JobParts, **args: Any) -> None:
    print("done", args["key"], time.time(), flush=True)


if __name__ == "__main__":
    settings = SimpleNamespace(database_url=sys.argv[1], heartbeat_s=5.0, stalled_after_s=20.0)
    parts = cast("JobParts", SimpleNamespace(settings=settings))
    worker = Worker(RUNNER, {Job.SAY: Handler(_done, _done)}, concurrency=1)
    worker.serve(parts, lambda: print("ready", flush=True))
