"""A worker hears of new jobs at once, also after the database stopped hard under it."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store.embedded import Embedded
from bot.store.migrate import migrate
from bot.store.session import Database
from bot.work.jobs import Job, enqueue

AT_ONCE_S = 0.3  # a worker that does not hear asks once a second


@pytest.fixture
def embedded(data_dir: Path) -> Iterator[Embedded]:
    with Embedded(data_dir) as opened:
        migrate(opened.url)
        yield opened


def said(worker: subprocess.Popen[str], word: str) -> list[str]:
    assert worker.stdout is not None
    while (line := worker.stdout.readline()) and not line.startswith(word):
        pass
    return line.split()


def median_delay_s(worker: subprocess.Popen[str], database: Database) -> float:
    delays = []
    for number in range(7):
        time.sleep(0.37)
        began = time.time()
        with database.transaction() as session:
            enqueue(session, Job.SAY, key=str(number))
        delays.append(float(said(worker, "done")[2]) - began)
    return statistics.median(delays)


@pytest.mark.slow
def test_a_worker_hears_of_jobs_again_after_a_hard_stop_of_the_database(embedded: Embedded, tmp_path: Path) -> None:
    database = Database(embedded.url)
    command = [sys.executable, "-m", "tests.work.listening_worker", embedded.url, str(tmp_path)]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        said(worker, "ready")
        assert median_delay_s(worker, database) < AT_ONCE_S

        os.kill(embedded.pid, signal.SIGQUIT)
        time.sleep(1)
        embedded.stop()
        embedded.start()
        time.sleep(4)

        assert median_delay_s(worker, database) < AT_ONCE_S
    finally:
        worker.kill()
        worker.communicate(timeout=10)
        database.close()
