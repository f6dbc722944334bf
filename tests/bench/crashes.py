"""The crash matrix: a real process dies by SIGKILL at each named moment of a run, a delivery and a surprise."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.bench.worlds import whole_world
from tests.flows.crash_points import die_at, matrix
from tests.flows.small_logs import small

# A mail that may have been sent is sent again.
PLANT = Plant("bot/work/deliver.py", "    if parcel.was_claimed:", "    if parcel.was_claimed and parts.mail is None:")


def measure(folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    points = list(matrix())
    wrong = []
    with whole_world(folder, code) as world:
        world.request(files=small(world.desk.now()))
        world.approve(world.card())
        for point, healthy in points:
            monday = die_at(world, point, healthy)
            kind = "report" if healthy else "surprise"
            print(f"{point} ({kind}): {monday}", file=sys.stderr)
            if not monday.is_right(healthy):
                wrong.append(f"{point} ({kind}): {monday}")
            elif not healthy:
                _answer(world)
    demand(not wrong, f"{len(wrong)} of {len(points)} are wrong: {'; '.join(wrong)}")
    return {"points": len(points), "wrong": len(wrong)}


def _answer(world: Any) -> None:
    """Skip it, so that the next odd week is a question of its own."""
    told = [m for m in world.desk.messages("#lab") if m.is_from_bot and m.has_button("Skip this slot")]
    world.alice.press(told[-1], "Skip this slot")


BENCH = Bench(measure, PLANT)
