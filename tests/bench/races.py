"""Two processes press at the same instant: one decision comes of it, and every press is answered."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from bot.store.embedded import Embedded
from bot.store.migrate import migrate
from tests.approval.races import race
from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.database_host import UNSAFE_BUT_FAST

ROUNDS = 200

# Neither the card nor its routine is held while it is decided, and a move does not look at what it moves from.
PLANT = Plant(
    "bot/work/decide.py",
    "    card = session.get_one(Card, known(row.card_id), with_for_update=True)\n"
    "    plan = session.get_one(Plan, card.plan_id)\n"
    "    routine = session.get_one(Routine, plan.routine_id, with_for_update=True)\n",
    "    card = session.get_one(Card, known(row.card_id))\n"
    "    plan = session.get_one(Plan, card.plan_id)\n"
    "    routine = session.get_one(Routine, plan.routine_id)\n",
    also=Plant(
        "bot/store/guarded.py",
        "columns.id == row_id, columns.state == old)",
        "columns.id == row_id)",
    ),
)


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench races")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds: int = parser.parse_args(rest).rounds
    with Embedded(folder / "data", settings=UNSAFE_BUT_FAST) as embedded:
        migrate(embedded.url)
        wrong = race(embedded.url, folder / "blobs", rounds, code)
    demand(not wrong, f"{len(wrong)} of {rounds} rounds went wrong, such as: {wrong[:1]}")
    return {"rounds": rounds, "double_decisions": 0}


BENCH = Bench(measure, PLANT)
