"""How long Slack waits for a word that an event was taken in: two hundred events a second for a minute, while the agent
works on two requests and the runner on two runs, beside a bare bolt app under the same load and the same work.

Every twentieth message brings a file, some events come twice under two ids, and every few seconds somebody mentions
Standby without a word, which it answers once. What was lost or done twice is counted by answers, and by files kept.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psycopg

from bot.store.session import libpq_url
from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.bench.twins import twins
from tests.bench.worlds import whole_world
from tests.desk_client import Desk, Message
from tests.desk_server import running_desk
from tests.flows.small_logs import small
from tests.flows.world import Process, World

PER_S, SECONDS = 200, 60.0
PEOPLE = 4  # who write at the same time
WITH_FILE, MENTION, TWICE = 20, 1000, 40  # every so many messages
LOAD = "#general"  # a channel of its own, so that #lab stays readable
ROUTINES = 12
SETTLED_S = 120.0
SLACKS_PATIENCE_MS = 3_000.0
# What came once under another id is taken for something new.
PLANT = Plant(
    "bot/work/intake.py",
    'f"message:{said.team_id}:{said.channel_id}:{said.ts}", now)',
    'f"message:{said.team_id}:{said.channel_id}:{said.ts}:{said.event_id}", now)',
)


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench ack")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--per-s", type=int, default=PER_S)
    asked = parser.parse_args(rest)
    with whole_world(folder, code, agent_jobs=2, runner_jobs=2) as world:
        world.request(files=small(world.desk.now()))
        world.approve(world.card())
        twins(world.settings.database_url, ROUTINES - 1)
        world.desk.channel("invite_bot", LOAD)
        with bare_app(folder) as desk, working(world, 1) as work:
            bare = Load(desk, asked.per_s, asked.seconds).sent()
        beside_bare = work.done()
        with working(world, 2) as work:
            ours = Load(world.desk, asked.per_s, asked.seconds).sent()
        beside_ours = work.done()
        lost, twice = judged(world, ours)
    figures = {
        "events": len(ours.acks_ms),
        "per_s": round(ours.per_s),
        "p50_ms": round(statistics.median(ours.acks_ms), 1),
        "p99_ms": round(p99(ours.acks_ms), 1),
        "bare_p50_ms": round(statistics.median(bare.acks_ms), 1),
        "bare_p99_ms": round(p99(bare.acks_ms), 1),
        "ratio": round(p99(ours.acks_ms) / p99(bare.acks_ms), 1),
        "lost": lost,
        "twice": twice,
        "reports_meanwhile": [beside_bare, beside_ours],
    }
    demand(lost == 0 and twice == 0, f"{lost} lost, {twice} done twice: {figures}")
    demand(
        p99(ours.acks_ms) < SLACKS_PATIENCE_MS, f"Slack waits 3 s for an answer and would have sent again: {figures}"
    )
    demand(ours.per_s > 0.9 * asked.per_s, f"this machine cannot make the load: {figures}")
    return figures


def p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


class Load:
    """Messages of several people at a steady pace, and how each of their events was acknowledged."""

    def __init__(self, desk: Desk, per_s: int, seconds: float) -> None:
        self._desk, self._count, self._pace_s = desk, int(per_s * seconds), 1 / per_s
        self.files: list[str] = []
        self.mentions: list[Message] = []
        self.acks_ms: list[float] = []
        self.unacked = 0
        self.per_s = 0.0

    def sent(self) -> Load:
        """Send all, wait until the desk knows of each event how it ended, and read that."""
        since = max((one["number"] for one in self._desk.ledger()), default=0)
        self._desk.fault("duplicate_message", "message", times=self._count // TWICE)
        began = time.monotonic()
        numbers = itertools.count()
        with ThreadPoolExecutor(PEOPLE) as people:
            for one in [people.submit(self._write, began, numbers) for _ in range(PEOPLE)]:
                one.result()
        self.per_s = self._count / (time.monotonic() - began)
        self._desk.no_faults()
        deadline = time.monotonic() + SETTLED_S
        while (tries := self._tries(since)) and any(not ended for ended in tries.values()):
            if time.monotonic() > deadline:
                break
            time.sleep(1)
        self.unacked = sum(not ended for ended in tries.values())
        self.acks_ms = [ms for ended in tries.values() for ms in ended]
        return self

    def _write(self, began: float, numbers: Iterator[int]) -> None:
        with closing(Desk(self._desk.url)) as desk:
            alice = desk.person("Alice")
            while (number := next(numbers)) < self._count:
                time.sleep(max(0.0, began + number * self._pace_s - time.monotonic()))
                if number % MENTION == 0:
                    self.mentions.append(alice.post(LOAD, "@standby"))
                elif number % WITH_FILE == 0:
                    alice.post(LOAD, f"file {number}", files={f"load-{number}.txt": b"one\n"})
                    self.files.append(f"load-{number}.txt")
                else:
                    alice.post(LOAD, f"message {number}")

    def _tries(self, since: int) -> dict[str, list[float]]:
        """By event id: after how many milliseconds each of its tries was acknowledged."""
        tries: dict[str, list[float]] = {}
        for one in self._desk.ledger("event", since):
            if one["type"] in ("message", "app_mention"):
                ended = tries.setdefault(one["event_id"], [])
                if one["acked_at"]:
                    waited = datetime.fromisoformat(one["acked_at"]) - datetime.fromisoformat(one["at"])
                    ended.append(waited.total_seconds() * 1000)
        return tries


def judged(world: World, load: Load) -> tuple[int, int]:
    """Events lost and things done twice: by answers in the channel, and by the files that a run would find."""
    answered: Counter[str] = Counter()
    deadline = time.monotonic() + SETTLED_S
    while time.monotonic() < deadline and len(answered) < len(load.mentions):
        time.sleep(1)
        greetings = [one for one in world.desk.messages(LOAD) if one.is_from_bot and one.says("Hello. I make reports")]
        threads = [one.raw.get("thread_ts", "") for one in greetings]
        answered = Counter(ts for ts in threads if ts in {one.ts for one in load.mentions})
    with psycopg.connect(libpq_url(world.settings.database_url)) as database:
        rows = database.execute("select name from shared_file where name like 'load-%'").fetchall()
    kept = Counter(name for (name,) in rows)
    lost = load.unacked + (len(load.mentions) - len(answered)) + len(set(load.files) - set(kept))
    return lost, sum(times - 1 for found in (answered, kept) for times in found.values())


class Work:
    """Two requests and two runs at any moment, until it is enough."""

    def __init__(self, world: World, week: int) -> None:
        self._world, self._enough = world, Event()
        self._reports = world.count("error summary")
        world.alice.post("#lab", f"Week {week}", files=small(world.desk.now()))
        world.monday()
        self._thread = Thread(target=self._ask, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._enough.set()
        self._thread.join()

    def done(self) -> int:
        """Reports that were posted meanwhile."""
        return self._world.count("error summary") - self._reports

    def _ask(self) -> None:
        with closing(Desk(self._world.desk.url)) as desk:
            alice, files = desk.person("Alice"), small(desk.now())
            while not self._enough.is_set():
                for place in range(2):
                    alice.post(
                        "#lab", f"@standby every Tuesday compile these logs into an error summary ({place})", files
                    )
                self._enough.wait(20)


@contextmanager
def working(world: World, week: int) -> Iterator[Work]:
    work = Work(world, week)
    work.start()
    try:
        yield work
    finally:
        work.stop()


@contextmanager
def bare_app(folder: Path) -> Iterator[Desk]:
    """A desk of its own, with the least of all apps listening."""
    here = folder / "bare"
    here.mkdir()
    with running_desk(here) as desk, closing(Desk(desk.url)) as client:
        environment = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ} | {
            "BARE_BOT_TOKEN": desk.bot_token,
            "BARE_APP_TOKEN": desk.app_token,
            "BARE_API_URL": desk.api_url,
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        app = Process("bare", environment, here / "app.log", module="tests.bench.bare_bolt")
        app.start()
        try:
            client.channel("invite_bot", LOAD)
            yield client
        finally:
            app.stop()


BENCH = Bench(measure, PLANT)
