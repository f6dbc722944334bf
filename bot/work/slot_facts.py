"""What a script is told of its slot: the moment, the window of its inputs, and what earlier slots measured."""

from datetime import datetime

from sqlmodel import Session

from bot.store import runs
from bot.store.tables_runs import Slot
from library.manifest import Manifest
from sandbox.execute import PastMetrics, SlotFacts
from sandbox.outcome import Report
from sandbox.outcome_keys import read_outcome_keys

# How many earlier reports a script may compare with.
MEMORY = 12


def slot_facts(session: Session, slot: Slot, manifest: Manifest) -> SlotFacts:
    """The same for a run, its replay and an exported script. A plan without a schedule thinks in UTC."""
    zone = manifest.schedule.zone if manifest.schedule else "UTC"
    history = _past_metrics(session, slot.routine_id, slot.due_at)
    return SlotFacts(slot.due_at, slot.since, slot.until, zone, history)


def _past_metrics(session: Session, routine_id: int, due_at: datetime) -> tuple[PastMetrics, ...]:
    """What earlier slots of a routine measured, oldest first."""
    found = []
    for slot, row in reversed(runs.reported_before(session, routine_id, due_at, MEMORY)):
        report = read_outcome_keys(row.outcome)
        if isinstance(report, Report):
            found.append(PastMetrics(slot.due_at, report.metrics))
    return tuple(found)
