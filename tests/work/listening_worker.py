"""A worker in a process of its own that says when it does a job: `python -m tests.work.listening_worker URL`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any, cast

from bot.domain.ports import Chat
from bot.settings import Settings
from bot.store.blobs import Blobs
from bot.store.session import Database
from bot.work.jobs import RUNNER, Job
from bot.work.parts import JobParts
from bot.work.queue import Handler, Worker
from bot.work.wall import SystemClock
from sandbox.client import Boxes, BoxSettings


def _done(_parts: JobParts, **args: Any) -> None:
    print("done", args["key"], time.time(), flush=True)


if __name__ == "__main__":
    url, folder = sys.argv[1:]
    parts = JobParts(
        db=Database(url),
        chat=cast("Chat", None),  # what it does needs no workspace
        clock=SystemClock(),
        settings=Settings.load({"STANDBY_DATABASE_URL": url}),
        boxes=Boxes(BoxSettings(api_key="e2b_none", api_url="http://127.0.0.1:9")),
        blobs=Blobs(str(Path(folder))),
        mail=None,
    )
    worker = Worker(RUNNER, {Job.SAY: Handler(_done, _done)}, concurrency=1)
    worker.serve(parts, lambda: print("ready", flush=True))
