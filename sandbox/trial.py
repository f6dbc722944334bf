"""A first try of code in a staged box: not a plan; what it printed, and what it declared with the kit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.errors import BoxFileMissing, BoxFileTooLarge
from sandbox.execute import SlotFacts, StagedBox
from sandbox.inside_files import LOOK
from sandbox.outcome import Report
from sandbox.outcome_json import OUTCOME_LIMIT_BYTES, OutcomeUnreadable, read_outcome

if TYPE_CHECKING:
    from sandbox.client import Exit

NAME = "trial.py"
TIME_S = 90.0
BYTES_A_SECOND = 20_000_000  # added for the data: half of what the kit reads on a busy machine
LONGEST_S = 900.0
# What the kit reads where no plan is there yet.
BARE = {"plan.toml": b"[parameters]\n", "report.md": b""}


@dataclass(frozen=True)
class Tried:
    """How a try ended. `report` is what the script declared; None where it failed."""

    exit: Exit
    report: Report | None

    def declared(self, rows_per_table: int) -> str:
        """The tables and text that were declared, as Markdown; empty where nothing was."""
        found = self.report
        return found.document(rows_per_table) if found and (found.tables or found.charts or found.markdown) else ""


def time_for(size_bytes: int) -> float:
    """Seconds that a try over so much data may take."""
    return min(LONGEST_S, TIME_S + size_bytes / BYTES_A_SECOND)


def try_code(staged: StagedBox, source: str, draft: Mapping[str, bytes], facts: SlotFacts, time_s: float) -> Tried:
    """Runs source where a plan would run, with the kit beside it. Raises BoxTimeout (the box is ended) and BoxError."""
    box = staged.box
    plan = {f"plan/{name}": data for name, data in {**BARE, **draft}.items()}
    box.put_all({**plan, "slot.json": facts.as_json(), NAME: source.encode()})
    environment = {"PYTHONHASHSEED": "0", "TZ": "UTC", "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
    ended = box.run(["python", f"{LOOK}/trying.py"], timeout_s=time_s, env=environment)
    return Tried(ended, _report(staged) if ended.code == 0 else None)


def _report(staged: StagedBox) -> Report | None:
    """What comes out of the box is read like an outcome; a script that wrote nonsense there declared nothing."""
    try:
        found = read_outcome(staged.box.get("tried.json", OUTCOME_LIMIT_BYTES))
    except (BoxFileMissing, BoxFileTooLarge, OutcomeUnreadable):
        return None
    return found if isinstance(found, Report) else None
