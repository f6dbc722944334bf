"""Ten Mondays, each with another failure of the boxes' provider: all delivered, none a surprise, no box left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.bench.worlds import whole_world
from tests.desk_client import NothingCame
from tests.flows.box_faults import FAULTS, Monday, live_through
from tests.flows.small_logs import small
from tests.flows.world import World

# A lost box is called a surprise.
PLANT = Plant(
    "bot/work/run.py",
    'endings.lost(parts, work.run_id, f"The box failed: {error}")',
    'endings.ended(parts, work.run_id, Surprised("BoxFailed", str(error)))',
)


def measure(folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    with whole_world(folder, code) as world:
        world.request(files=small(world.desk.now()))
        world.approve(world.card())
        mondays = {name: _monday(world, name) for name in FAULTS}
    return {
        "faults": len(mondays),
        "lost_and_retried": sum(monday.delivered == 1 for monday in mondays.values()),
        "leaked_boxes": sum(monday.boxes_left for monday in mondays.values()),
        "woke_agent": sum(monday.agent_boxes + monday.surprises for monday in mondays.values()),
    }


def _monday(world: World, name: str) -> Monday:
    try:
        monday = live_through(world, FAULTS[name], small(world.desk.now()))
    except NothingCame as missing:
        demand(False, f"{name}: {missing}")
        raise
    demand(monday.is_right, f"{name}: {monday}")
    return monday


BENCH = Bench(measure, PLANT)
