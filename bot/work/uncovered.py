"""The sentence of a report that begins long after the one before it ended."""

from sqlmodel import Session

from bot.domain.uncovered import Covered, uncovered
from bot.store import runs
from bot.store.tables_runs import Slot
from sandbox.outcome import Report
from sandbox.outcome_keys import read_outcome_keys

LOOKS_BACK = 12  # reports, by which one knows what is usual


def uncovered_words(session: Session, slot: Slot, report: Report) -> str:
    """Which time is in no report; empty where nothing is missing that is not missing every time."""
    before = []
    for earlier, run in reversed(runs.reported_before(session, slot.routine_id, slot.due_at, LOOKS_BACK)):
        outcome = read_outcome_keys(run.outcome)
        if isinstance(outcome, Report):
            before.append(Covered(earlier.due_at, outcome.metrics))
    found = uncovered([*before, Covered(slot.due_at, report.metrics)], slot.until - slot.since)
    if found is None:
        return ""
    ended, begins = (f"{one:%Y-%m-%d %H:%M}" for one in found)
    return f"**{ended} to {begins} UTC is in no report**: the one before this ends there, and this one begins after it."
