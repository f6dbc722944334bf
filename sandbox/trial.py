"""A first try of code in a staged box: not a plan, nothing is kept of it but what it prints."""

from __future__ import annotations

from collections.abc import Mapping

from sandbox.client import Exit
from sandbox.execute import SlotFacts, StagedBox

NAME = "trial.py"
TIME_S = 90.0
# What the kit reads where no plan is there yet.
BARE = {"plan.toml": b"[parameters]\n", "report.md": b""}


def try_code(
    staged: StagedBox, source: str, draft: Mapping[str, bytes], facts: SlotFacts, time_s: float = TIME_S
) -> Exit:
    """Runs source where a plan would run, with the kit beside it. Raises BoxTimeout (the box is ended) and BoxError."""
    box = staged.box
    for name, data in {**BARE, **draft}.items():
        box.put(f"plan/{name}", data)
    box.put("slot.json", facts.as_json())
    box.put(NAME, source.encode())
    environment = {"PYTHONHASHSEED": "0", "TZ": "UTC", "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
    return box.run(["python", NAME], timeout_s=time_s, env=environment)
