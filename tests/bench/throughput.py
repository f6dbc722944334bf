"""Runs a minute with one, two and four runners: routines that are all due at once, until each is posted and mailed.

One runner does four runs at once and each takes most of a core, so on two cores one is as good as four; what a run
costs in processor time is given too, and what share of the machine others had meanwhile.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.chaos import look, more_runners
from tests.bench.cpu import Cpu
from tests.bench.plants import Plant
from tests.bench.twins import twins
from tests.bench.worlds import whole_world
from tests.flows.small_logs import small
from tests.flows.world import Process, World

WORKERS = (1, 2, 4)
ROUNDS = 3
ROUTINES = 12
WITHIN_S = 120.0
# However many workers there are, all runs wait for one another.
PLANT = Plant(
    "bot/work/sweep.py", 'enqueue(session, Job.RUN, lock=f"slot:{slot_id}", ', "enqueue(session, Job.RUN, after_s=300, "
)


def measure(folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    minutes: dict[int, list[float]] = {count: [] for count in WORKERS}
    spent: dict[int, list[Cpu]] = {count: [] for count in WORKERS}
    with whole_world(folder, code) as world:
        world.request(files=small(world.desk.now()))
        world.approve(world.card())
        twins(world.settings.database_url, ROUTINES - 1)
        more: list[Process] = []
        try:
            # In turns, so that what else the machine does falls on all of them alike.
            for week, count in enumerate(WORKERS * ROUNDS, 1):
                more = _changed(world, more, count - 1)
                before = Cpu.now()
                minutes[count].append(_minutes(world, week))
                spent[count].append(Cpu.now().since(before))
        finally:
            for process in more:
                process.stop()
    return {
        "workers": list(WORKERS),
        "runs_per_min": [round(ROUTINES / median(minutes[count]), 1) for count in WORKERS],
        "best": [round(ROUTINES / min(minutes[count]), 1) for count in WORKERS],
        "cpu_s_per_run": [round(median(one.ours_s for one in spent[count]) / ROUTINES, 2) for count in WORKERS],
        "others_share": [round(median(one.others_share for one in spent[count]), 2) for count in WORKERS],
        "cores": os.cpu_count(),
    }


def _changed(world: World, more: list[Process], count: int) -> list[Process]:
    """So many runners beside the world's own."""
    for process in more[count:]:
        process.stop()
    return [*more[:count], *more_runners(world, max(0, count - len(more)))]


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
