"""Ten and a hundred thousand routines in the database: how fast a clock starts, what it holds, how late slots are."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil
import psycopg

from bot.store.session import libpq_url
from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.bench.worlds import whole_world
from tests.flows.small_logs import small
from tests.flows.world import World

ROUTINES = (10_000, 100_000)
DUE = 200  # at the very same moment
WITHIN_S = 60.0
LATE_S = 10.0
# The clock looks at every routine, due or not.
PLANT = Plant("bot/store/plans.py", "        col(Routine.next_slot_at) <= now,\n", "")

# The same bytes under other names; most are due in a year.
_MORE = """
insert into routine (team_id, name, channel_id, thread_ts, owner_id, state, current_plan_id, vouched_by, ping_url,
    next_slot_at, created_at)
select team_id, name || '-' || number, channel_id, thread_ts, owner_id, state, current_plan_id, vouched_by, ping_url,
    case when number <= %(due)s then next_slot_at else next_slot_at + interval '52 weeks' end, created_at
from routine, generate_series(1, %(count)s) as number where id = %(id)s
"""
_SLOT = re.compile(r"^timestamp=(\S+) .*event=slot_due .*due_at=(\S+)", re.MULTILINE)


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    counts = tuple(int(one) for one in rest) or ROUTINES
    start_s: list[float] = []
    rss_mib: list[float] = []
    late: list[float] = []
    for count in counts:
        here = folder / str(count)
        here.mkdir(mode=0o711)
        with whole_world(here, code) as world:
            started, held, lateness = _one(world, count)
        start_s.append(round(started, 2))
        rss_mib.append(round(held, 1))
        late.append(round(lateness[int(len(lateness) * 0.99)], 2))
    demand(max(late) < LATE_S, f"slots come {late} s late")
    return {"routines": list(counts), "start_s": start_s, "rss_mib": rss_mib, "late_p99_s": max(late), "late_s": late}


def _one(world: World, count: int) -> tuple[float, float, list[float]]:
    """Seconds to a ready clock, MiB it holds, and how late each of the due slots was, sorted."""
    world.request(files=small(world.desk.now()))
    world.approve(world.card())
    world.stop()
    with psycopg.connect(libpq_url(world.settings.database_url)) as database:
        found = database.execute("select id from routine where state = 'active'").fetchone()
        assert found is not None
        database.execute(_MORE, {"due": DUE - 1, "count": count - 1, "id": found[0]})
    monday = _just_before_monday(world)
    clock = world.processes["clock"]
    began = time.monotonic()
    clock.start()
    started = time.monotonic() - began
    deadline = time.monotonic() + WITHIN_S
    while len(found_slots := _SLOT.findall(clock.log.read_text())) < DUE and time.monotonic() < deadline:
        time.sleep(0.5)
    demand(len(found_slots) == DUE, f"{len(found_slots)} of {DUE} slots came within {WITHIN_S:.0f} s")
    assert clock.popen is not None
    held = psutil.Process(clock.popen.pid).memory_info().rss / 2**20
    ahead = world.desk.now() - datetime.now(UTC)
    made = [datetime.fromisoformat(at.strip('"')) + ahead - monday for at, _ in found_slots]
    return started, held, sorted(one.total_seconds() for one in made)


def _just_before_monday(world: World) -> datetime:
    """Leaves half a minute, in which the clock has to start."""
    with psycopg.connect(libpq_url(world.settings.database_url)) as database:
        row = database.execute("select min(next_slot_at) from routine").fetchone()
    assert row is not None
    monday: datetime = row[0]
    world.desk.move_clock_to(monday - timedelta(seconds=15))
    return monday


BENCH = Bench(measure, PLANT)
