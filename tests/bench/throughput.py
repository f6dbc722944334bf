"""Runs a minute with one, two and four runners: routines that are all due at once, until each is posted and mailed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.chaos import look, more_runners
from tests.bench.plants import Plant
from tests.bench.twins import twins
from tests.bench.worlds import whole_world
from tests.flows.small_logs import small
from tests.flows.world import World

WORKERS = (1, 2, 4)
ROUTINES = 12
WITHIN_S = 120.0
# However many workers there are, all runs wait for one another.
PLANT = Plant(
    "bot/work/sweep.py", 'enqueue(session, Job.RUN, lock=f"slot:{slot_id}", ', "enqueue(session, Job.RUN, after_s=300, "
)


def measure(folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    figures = []
    with whole_world(folder, code) as world:
        world.request(files=small(world.desk.now()))
        world.approve(world.card())
        twins(world.settings.database_url, ROUTINES - 1)
        runners = [world.processes["runner"]]
        try:
            for week, count in enumerate(WORKERS, 1):
                runners += more_runners(world, count - len(runners))
                figures.append(round(ROUTINES / _minutes(world, week), 1))
        finally:
            for process in runners:
                process.stop()
    return {"workers": list(WORKERS), "runs_per_min": figures}


def _minutes(world: World, week: int) -> float:
    """From the due moment until all are delivered, in the channel and by mail."""
    world.alice.post("#lab", f"Week {week}", files=small(world.desk.now()))
    began = time.monotonic()
    world.monday()
    wanted = 2 * ROUTINES * week
    while (seen := look(world)).ended < wanted and time.monotonic() - began < WITHIN_S:
        time.sleep(0.2)
    minutes = (time.monotonic() - began) / 60
    demand(seen.ended == wanted and seen.duplicates == 0, f"{seen.ended} of {wanted} deliveries in {WITHIN_S:.0f} s")
    return minutes


BENCH = Bench(measure, PLANT)
