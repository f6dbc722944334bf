"""Replay: a new version over the stored inputs of earlier slots. It compares and delivers nothing."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.slots import schedule_of, slot_words
from bot.store import runs
from bot.store.plans import known
from bot.work.parts import JobParts
from bot.work.shaped import AROUND_S
from bot.work.slot_facts import slot_facts
from library.manifest import Manifest
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder
from sandbox.execute import SlotFacts, run_plan
from sandbox.outcome import Crashed, Outcome, Report, Surprised
from sandbox.outcome_keys import read_outcome_keys

# The newest earlier slots; each takes a box of its own.
SLOTS = 4


@dataclass(frozen=True)
class Earlier:
    """A slot that was reported, with what it was made from."""

    facts: SlotFacts
    inputs: dict[str, str]
    report: Outcome


def replayed(parts: JobParts, routine_id: int, folder: PlanFolder, before: datetime) -> tuple[str, ...]:
    """One line that counts, then one for each earlier slot that would come out differently. Raises BoxError."""
    manifest = read_manifest(folder.files["plan.toml"])
    earlier = _earlier(parts, routine_id, manifest, before)
    if not earlier:
        return ("There is no earlier report to compare with.",)
    lines = [line for one in earlier if (line := _difference(parts, folder, manifest, one))]
    return (_counted(len(earlier), len(lines)), *lines)


def _counted(count: int, other: int) -> str:
    """How many come out as they were. Another outcome is what some fixes are for, so it is no alarm by itself."""
    if not other:
        return (
            "The earlier report comes out the same."
            if count == 1
            else f"All {count} earlier reports come out the same."
        )
    which = "The earlier report" if count == 1 else f"{other} of {count} earlier reports"
    return f"{which} would be different with this version. That is right if it is meant to count otherwise:"


def _earlier(parts: JobParts, routine_id: int, manifest: Manifest, before: datetime) -> list[Earlier]:
    with parts.db.transaction() as session:
        return [
            Earlier(
                slot_facts(session, slot, manifest),
                {one.name: one.sha256 for one in runs.inputs_of(session, known(run.id))},
                read_outcome_keys(run.outcome),
            )
            for slot, run in runs.reported_before(session, routine_id, before, SLOTS)
        ]


def _difference(parts: JobParts, folder: PlanFolder, manifest: Manifest, earlier: Earlier) -> str:
    """What the new version makes of an earlier slot, in a line; empty when the report is the same."""
    lifetime_s = manifest.limits.time_s + AROUND_S
    with (
        parts.blobs.local(earlier.inputs) as paths,
        parts.boxes.open("replay", tags={"routine": manifest.name}, lifetime_s=lifetime_s) as box,
    ):
        now = run_plan(box, folder, paths, earlier.facts, manifest.limits)
    if isinstance(now, Report) and now.same_as(earlier.report):
        return ""
    schedule = schedule_of(manifest)
    when = schedule.local(earlier.facts.due_at) if schedule else slot_words(earlier.facts.due_at, None)
    return f"{when}: {_changed(earlier.report, now)}"


def _changed(before: Outcome, now: Outcome) -> str:
    """What is another one, in numbers where the numbers differ."""
    if not (isinstance(before, Report) and isinstance(now, Report)):
        return _words(now)
    names = [name for name in now.metrics if before.metrics.get(name) != now.metrics[name]]
    moved = [f"{name} {_number(before.metrics.get(name))} → {_number(now.metrics[name])}" for name in names[:4]]
    return ", ".join(moved) or "the same numbers, another text or table"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:,}"


def _words(outcome: Outcome) -> str:
    if isinstance(outcome, Surprised):
        return f"this version would stop there: {outcome.name}, {outcome.message}"
    if isinstance(outcome, Crashed):
        return f"this version would break there: {outcome.error}, {outcome.message}"
    return "the report would be another one" if isinstance(outcome, Report) else "the box gave no outcome"
