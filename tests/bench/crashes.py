"""The crash matrix: a real process dies by SIGKILL at each named moment of a run, a delivery and a surprise.

`--pairs`: two of them on one Monday.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.bench.worlds import whole_world
from tests.flows.crash_points import die_at, matrix, pairs
from tests.flows.small_logs import small

# A mail that may have been sent is sent again.
PLANT = Plant("bot/work/deliver.py", "    if parcel.was_claimed:", "    if parcel.was_claimed and parts.mail is None:")


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    options = _options(rest)
    points: list[tuple[tuple[str, ...], bool]] = [((point,), healthy) for point, healthy in matrix()]
    if options.pairs:
        points = [(pair, True) for pair in pairs()]
    points = [one for one in points if options.only in " ".join(one[0])][:: options.every]
    wrong = []
    with whole_world(folder, code) as world:
        world.request(files=small(world.desk.now()))
        world.approve(world.card())
        for at, healthy in points:
            point, monday = ", then ".join(at), die_at(world, at, healthy)
            kind = "report" if healthy else "surprise"
            print(f"{point} ({kind}): {monday}", file=sys.stderr)
            if not monday.is_right(healthy):
                wrong.append(f"{point} ({kind}): {monday}")
            elif not healthy:
                _answer(world)
    demand(not wrong, f"{len(wrong)} of {len(points)} are wrong: {'; '.join(wrong)}")
    return {"points": len(points), "wrong": len(wrong)}


def _options(rest: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench crashes")
    parser.add_argument("--pairs", action="store_true", help="two deaths on each Monday")
    parser.add_argument("--only", default="", help="only points that have this in their name")
    parser.add_argument("--every", type=int, default=1, help="only each n-th of them")
    return parser.parse_args(rest)


def _answer(world: Any) -> None:
    """Skip it, so that the next odd week is a question of its own."""
    told = [m for m in world.desk.messages("#lab") if m.is_from_bot and m.has_button("Skip this slot")]
    world.alice.press(told[-1], "Skip this slot")


BENCH = Bench(measure, PLANT)
