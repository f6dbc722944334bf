"""What a script is told of its slot: the moment, the window of its inputs, and what earlier slots had."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

from sqlmodel import Session

from bot.domain.slots import schedule_from
from bot.store import runs
from bot.store.plans import known
from bot.store.tables_runs import Slot
from library.filling import Window
from library.manifest import Manifest
from library.manifest_schedule import Schedule
from sandbox.execute import PastMetrics, SlotFacts
from sandbox.outcome import Report
from sandbox.outcome_keys import read_outcome_keys

# How many earlier reports a script may compare with.
MEMORY = 12
# As the kit's window.py measures them, and from how many slots on it compares.
OUTSIDE = "OutsideWindow"
NEWEST, OLDEST, ENOUGH = "days since the newest entry", "days since the entries begin", 4


def slot_facts(session: Session, slot: Slot, manifest: Manifest) -> SlotFacts:
    """The same for a run, its replay and an exported script. A plan without a schedule thinks in UTC."""
    zone = manifest.schedule.zone if manifest.schedule else "UTC"
    history = _past_metrics(session, slot.routine_id, slot.due_at)
    return SlotFacts(slot.due_at, slot.since, slot.until, zone, history)


def _past_metrics(session: Session, routine_id: int, due_at: datetime) -> tuple[PastMetrics, ...]:
    """What earlier slots of a routine measured and were made of, oldest first."""
    found = []
    for slot, row in reversed(runs.reported_before(session, routine_id, due_at, MEMORY)):
        report = read_outcome_keys(row.outcome)
        if isinstance(report, Report):
            inputs = {one.name: one.sha256 for one in runs.inputs_of(session, known(row.id))}
            found.append(PastMetrics(slot.due_at, report.metrics, inputs))
    return tuple(found)


def window_of(facts: SlotFacts, surprise: str) -> Window:
    """The window of a slot that this surprise halted; where files may reach back too far, with what came before it."""
    past = [one for one in facts.history if NEWEST in one.metrics]
    if surprise != OUTSIDE or len(past) < ENOUGH or past[-1] is not facts.history[-1]:
        return Window(facts.since, facts.until)
    newest = past[-1].due_at - timedelta(days=past[-1].metrics[NEWEST])
    overlaps = [_overlap(*two) for two in pairwise(past) if OLDEST in two[1].metrics]
    return Window(facts.since, facts.until, newest_before=newest, usual_overlap=max([0.0, *overlaps]))


def _overlap(before: PastMetrics, after: PastMetrics) -> float:
    """Days by which a slot's tables began before the newest entry of the slot before it; below zero: after it."""
    between = (after.due_at - before.due_at).total_seconds() / 86_400
    return after.metrics[OLDEST] - between - before.metrics[NEWEST]


def of_its_time(slot: SlotFacts, newest_at: datetime | None, schedule: Schedule | None) -> SlotFacts:
    """The slot to rehearse in: this one, unless the data is an example of another time; then the slot after it."""
    if newest_at is None or schedule is None or slot.since == slot.until:
        return slot
    if slot.since - (slot.until - slot.since) < newest_at <= slot.until:
        return slot
    due_at = schedule_from(schedule).after(newest_at)
    since = schedule_from(schedule).before(due_at)
    return replace(slot, due_at=due_at, since=since, until=due_at) if since else slot
