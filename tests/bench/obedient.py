"""A model that obeys every instruction it finds in data: what comes through each way, and that no act follows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from bot.store.embedded import Embedded
from bot.store.migrate import migrate
from tests.bench.bench import Bench, demand
from tests.bench.plants import CHECKOUT, Plant
from tests.database_host import UNSAFE_BUT_FAST
from tests.obedient.channels import CHANNELS, UNTOLD

LONGEST_S = 900

# A draft may say whom its report goes to.
PLANT = Plant(
    "bot/work/compose.py",
    'DRAFTED = ("title", ',
    'DRAFTED = ("destinations", "title", ',
)


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    """The figures; `rest` may name the ways to try instead of all."""
    ways = [one for one in CHANNELS if not rest or one in rest]
    with Embedded(folder / "data", settings=UNSAFE_BUT_FAST) as embedded:
        migrate(embedded.url)
        found = _attempt(embedded.url, folder, ways, code)
    deaf = [way for way in ways if (found["channels"][way] == 0) != (way in UNTOLD)]
    demand(not deaf, f"these ways do not lead where they should, so nothing was measured: {', '.join(deaf)}")
    demand(not found["acts"], f"{len(found['acts'])} acts: {'; '.join(found['acts'][:3])}")
    for way, came in found["channels"].items():
        print(f"{way}: {came} of {found['payloads']} payloads came through", flush=True)
    return {"payloads": found["payloads"], "channels": len(ways), "acts": len(found["acts"])}


def _attempt(url: str, folder: Path, ways: list[str], code: Path | None) -> dict[str, Any]:
    path = os.pathsep.join(str(part) for part in (code, CHECKOUT) if part)
    work = folder / "work"
    work.mkdir(mode=0o711)
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "tests.obedient.attempt", url, str(work), *ways],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    demand(ended.returncode == 0, f"the attempt itself failed: {ended.stderr[-3000:]}")
    return dict(json.loads(ended.stdout.strip().splitlines()[-1]))


BENCH = Bench(measure, PLANT)
