"""Figure `cards`: how many cards and views are as reviewed, how many properties hold, how many the desk refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.plants import CHECKOUT, Plant

# Approve on a card that does not show all of the script.
PLANT = Plant(
    "bot/slack/cards/approval.py",
    "shown = [b for b in view.buttons if is_whole or b.verb is not Verb.APPROVE]",
    "shown = list(view.buttons)",
)


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:  # noqa: ARG001  as all benches are
    """The figures of a process of its own, which takes our code from `code` and says on stderr how far it is."""
    path = os.pathsep.join(str(one) for one in (code, CHECKOUT) if one)
    wall = subprocess.run(
        [sys.executable, "-m", "tests.bench.card_wall"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    demand(wall.returncode == 0, "a card, a view or a property is not as it must be; it is named above")
    figures: dict[str, Any] = json.loads(wall.stdout.strip().splitlines()[-1])
    return figures


BENCH = Bench(measure, PLANT)
