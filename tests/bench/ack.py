"""How long Slack waits for a word that an event was taken in: two hundred events a second for a minute, while the agent
works on two requests and the runner on two runs, beside a bare bolt app under the same load and the same work.

Every fifth message is a reply in a thread, every twentieth brings a file, some events come twice under two ids, and
every few seconds somebody mentions Standby without a word, which it answers once. What was lost or done twice is
counted by answers, and by files kept. The desk posts from lists that it is handed: a client for each message would need
more of the machine than all that is measured.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil
import psycopg

from bot.store.session import libpq_url
from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.bench.twins import twins
from tests.bench.worlds import whole_world
from tests.desk_client import Desk, Json
from tests.desk_server import running_desk
from tests.flows.small_logs import small
from tests.flows.world import Process, World

PER_S, SECONDS = 200, 60.0
BATCH = 200  # messages that the desk is handed at once, to post them at the pace
REPLY, WITH_FILE, MENTION, TWICE = 5, 20, 500, 40  # every so many messages
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
        with bare_app(folder) as (desk, app), working(world, 1) as work:
            bare = Load(desk, app, asked.per_s, asked.seconds).sent()
        beside_bare = work.done()
        with working(world, 2) as work:
            ours = Load(world.desk, world.processes["bot"], asked.per_s, asked.seconds).sent()
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
        "cpu_ms": round(ours.cpu_ms, 2),
        "bare_cpu_ms": round(bare.cpu_ms, 2),
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


def cpu_s_of(app: Process) -> float:
    """Processor time of the app's process until now: a figure that no neighbour changes."""
    assert app.popen is not None
    times = psutil.Process(app.popen.pid).cpu_times()
    return float(times.user + times.system)


class Load:
    """Messages at a steady pace, and how each of their events was acknowledged."""

    def __init__(self, desk: Desk, app: Process, per_s: int, seconds: float) -> None:
        self._desk, self._alice, self._app = desk, desk.person("Alice"), app
        self._count, self._pace_s = int(per_s * seconds), 1 / per_s
        self.files: list[str] = []
        self.mentions: list[str] = []
        self.acks_ms: list[float] = []
        self.unacked = 0
        self.per_s = 0.0
        self.cpu_ms = 0.0  # of the app, for each event

    def sent(self) -> Load:
        """Send all, wait until the desk knows of each event how it ended, and read that."""
        since = max((one["number"] for one in self._desk.ledger()), default=0)
        began, spent_s = time.monotonic(), cpu_s_of(self._app)
        for first in range(0, self._count, BATCH):
            self._say(range(first, min(first + BATCH, self._count)), began)
        self.per_s = self._count / (time.monotonic() - began)
        self._desk.no_faults()
        deadline = time.monotonic() + SETTLED_S
        while (tries := self._tries(since)) and any(not ended for ended in tries.values()):
            if time.monotonic() > deadline:
                break
            time.sleep(1)
        self.unacked = sum(not ended for ended in tries.values())
        self.acks_ms = [ms for ended in tries.values() for ms in ended]
        self.cpu_ms = (cpu_s_of(self._app) - spent_s) * 1000 / len(tries)
        return self

    def _say(self, numbers: range, began: float) -> None:
        """A batch, which ends when it is due: who is late hurries, so that the pace holds over the whole."""
        self._desk.fault("duplicate_message", "message", times=len(numbers) // TWICE)
        said = [self._message(number) for number in numbers]
        posted = self._alice.post_many(LOAD, said, max(0.0, began + numbers.stop * self._pace_s - time.monotonic()))
        for number, one, ts in zip(numbers, said, posted, strict=True):
            self.files += one.get("files", {})
            if number % MENTION == 0:
                self.mentions.append(ts)

    def _message(self, number: int) -> Json:
        if number % MENTION == 0:
            return {"text": "@standby"}
        if number % WITH_FILE == 0:
            return {"text": f"file {number}", "files": {f"load-{number}.txt": "one\n"}}
        if number % REPLY == REPLY - 1:
            return {"text": f"reply {number}", "thread_of": REPLY - 2}
        return {"text": f"message {number}"}

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
        answered = Counter(ts for ts in threads if ts in set(load.mentions))
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
def bare_app(folder: Path) -> Iterator[tuple[Desk, Process]]:
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
            yield client, app
        finally:
            app.stop()


BENCH = Bench(measure, PLANT)
