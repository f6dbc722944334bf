"""Many slots through several runners while processes are killed and frozen, the database is stopped hard, and
Slack and mail are slow, busy and lose answers: nothing missing, nothing doubled, every unknown told."""

from __future__ import annotations

import argparse
import math
import os
import random
import re
import signal
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from bot.processes.environment import for_part
from bot.store.session import libpq_url
from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.bench.twins import twins
from tests.bench.worlds import whole_world
from tests.flows.small_logs import small
from tests.flows.world import Process, World

ROUTINES = 25
RUNNERS = 4
# Shares of the slots: a kill for each fifth, a freeze for each twenty-fifth, at least one hard stop of the database.
KILLS, FREEZES, STOPS = 5, 25, 150
FROZEN_S = 5.0  # longer than the 3 s after which a worker counts as dead in a world of tests
WEEK_WITHIN_S = 240.0
SETTLED_S = 8.0
LOOKS_EVERY_S = 1.5  # each look reads the whole channel, which costs the runners' time
FAULTS = (
    ("delay", "chat.postMessage", {"seconds": 2}),
    ("lost_reply", "chat.postMessage", {}),
    ("server_error", "chat.postMessage", {}),
    ("rate_limited", "chat.postMessage", {"seconds": 2}),
    ("mail_slow", "", {"seconds": 2}),
    ("mail_refused", "", {}),
    ("mail_lost_reply", "", {}),
)
# The jobs of a worker that died stay with it for ever.
PLANT = Plant("bot/work/queue.py", "                await app.job_manager.retry_job(job)", "                pass")


@dataclass
class Seen:
    """What stands outside: how often each delivery was posted or mailed, and which were said to be unknown."""

    posts: Counter[str] = field(default_factory=Counter)
    mails: Counter[str] = field(default_factory=Counter)
    unknown: set[str] = field(default_factory=set)

    @property
    def ended(self) -> int:
        """Deliveries somebody outside knows the end of."""
        return len(self.posts.keys() | self.mails.keys() | self.unknown)

    @property
    def duplicates(self) -> int:
        return sum(times - 1 for found in (self.posts, self.mails) for times in found.values())


def look(world: World) -> Seen:
    seen = Seen()
    for message in world.desk.messages("#lab"):
        key = str(message.metadata.get("event_payload", {}).get("key", ""))
        if found := re.fullmatch(r"delivery:(\w+)(:unknown)?", key):
            if found[2]:
                seen.unknown.add(found[1])
            else:
                seen.posts[found[1]] += 1
    for mail in world.desk.mails():
        if found := re.search(r"delivery-(\w+)@", mail.headers.get("Message-ID", "")):
            seen.mails[found[1]] += 1
    return seen


class Trouble:
    """Kills, freezes and stops, spread over the run by a seeded draw."""

    def __init__(self, world: World, runners: list[Process], slots: int, seed: int) -> None:
        self._world, self._runners, self._draw = world, runners, random.Random(seed)
        self._plan = ["kill"] * max(2, slots // KILLS) + ["freeze"] * max(1, slots // FREEZES)
        self._all = len(self._plan)
        self._draw.shuffle(self._plan)
        self._stops = max(1, min(3, slots // STOPS))
        self.kills = self.freezes = self.stops = 0

    def week(self, share: float) -> None:
        """One week's share of all trouble."""
        for kind, target, more in self._draw.sample(FAULTS, 3):
            self._world.desk.fault(kind, target, **more)
        for _ in range(math.ceil(share * self._all)):
            time.sleep(self._draw.uniform(0.3, 2.0))
            if self._plan:
                (self._kill if self._plan.pop() == "kill" else self._freeze)()
        if self.stops < self._stops:
            self._stop_database()

    def _kill(self) -> None:
        victim = self._draw.choice([*self._runners, self._world.processes["clock"]])
        victim.kill()
        self.kills += 1
        victim.spawn()

    def _freeze(self) -> None:
        popen = self._draw.choice(self._runners).popen
        assert popen is not None
        os.kill(popen.pid, signal.SIGSTOP)
        self.freezes += 1
        timer = threading.Timer(FROZEN_S, _thaw, (popen,))
        timer.start()

    def _stop_database(self) -> None:
        database = self._world.database
        assert database is not None
        os.kill(database.pid, signal.SIGQUIT)
        time.sleep(1.0)
        database.stop()
        database.start()
        self.stops += 1

    def revive(self) -> None:
        """Start again what ended by itself, as a supervisor would."""
        for process in [*self._runners, *self._world.processes.values()]:
            if process.popen is not None and process.popen.poll() is not None:
                process.spawn()


def _thaw(popen: Any) -> None:
    if popen.poll() is None:
        os.kill(popen.pid, signal.SIGCONT)


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="chaos")
    parser.add_argument("--slots", type=int, default=500)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args(rest)
    began = time.monotonic()
    weeks = max(1, options.slots // ROUTINES)
    slots = weeks * ROUTINES
    with whole_world(folder, code) as world:
        world.request(files=small(world.desk.now()))
        world.approve(world.card())
        twins(world.settings.database_url, ROUTINES - 1)
        runners = [world.processes["runner"], *more_runners(world, RUNNERS - 1)]
        trouble = Trouble(world, runners, slots, options.seed)
        try:
            for week in range(1, weeks + 1):
                world.alice.post("#lab", f"Week {week}", files=small(world.desk.now()))
                world.monday()
                trouble.week(1 / weeks)
                _settle(world, trouble, 2 * ROUTINES * week)
            time.sleep(SETTLED_S)
            seen = look(world)
        finally:
            for process in runners:
                process.kill()
    missing = 2 * slots - seen.ended
    demand(missing == 0 and seen.duplicates == 0, f"{missing} missing, {seen.duplicates} doubled: {seen}")
    told = len(seen.unknown)
    return {
        "slots": slots,
        "kills": trouble.kills,
        "freezes": trouble.freezes,
        "database_stops": trouble.stops,
        "minutes": round((time.monotonic() - began) / 60, 1),
        "missing": missing,
        "duplicates": seen.duplicates,
        "unknown": told,
        "unknown_told": told,
    }


def more_runners(world: World, count: int) -> list[Process]:
    """Further runners beside the world's own, each with a log of its own. Whoever asks for them ends them."""
    found = []
    for number in range(count):
        environment = for_part("runner", world.settings, os.environ) | world.environment
        if world.code is not None:
            environment["PYTHONPATH"] = str(world.code)
        found.append(Process("runner", environment, world.folder / f"runner-{number}.log"))
        found[-1].start()
    return found


def _settle(world: World, trouble: Trouble, deliveries: int) -> None:
    deadline = time.monotonic() + WEEK_WITHIN_S
    while (seen := look(world)).ended < deliveries and time.monotonic() < deadline:
        trouble.revive()
        time.sleep(LOOKS_EVERY_S)
    print(f"{seen.ended} of {deliveries}, {seen.duplicates} doubled, {len(seen.unknown)} unknown", file=sys.stderr)
    demand(seen.ended == deliveries, f"{deliveries - seen.ended} deliveries have no end: {_unended(world)}")


_UNENDED = """
select slot.id, slot.state, slot.reason, run.id, run.state, run.attempt, delivery.id, delivery.state, delivery.attempts,
    job.id, job.task_name, job.status, job.attempts, job.scheduled_at, job.lock, worker.last_heartbeat, now()
from slot left join run on run.slot_id = slot.id left join delivery on delivery.slot_id = slot.id
left join procrastinate_jobs as job on job.lock in ('slot:' || slot.id, 'delivery:' || delivery.id)
left join procrastinate_workers as worker on worker.id = job.worker_id
where slot.ended_at is null or slot.state not in ('delivered', 'unknown') order by 1, 4, 7, 10
"""


def _unended(world: World) -> str:
    """Slots that have not ended, or not well, with their runs, deliveries and jobs."""
    with psycopg.connect(libpq_url(world.settings.database_url)) as database:
        return "\n".join(str(row) for row in database.execute(_UNENDED))


BENCH = Bench(measure, PLANT)
