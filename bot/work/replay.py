"""Replay: a new version over the stored inputs of earlier slots. It compares and delivers nothing."""

from dataclasses import dataclass, replace
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

# The newest earlier slots; each takes a box of its own, and scripts that take long are tried on fewer.
SLOTS = 12
MOST_S = 120.0


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
    lines: list[str] = []
    count, spent_s = 0, 0.0
    for one in earlier:
        now = _again(parts, folder, manifest, one)
        count, spent_s = count + 1, spent_s + (now.seconds if isinstance(now, Report) else 0.0)
        if not is_same(one.report, now):
            lines.append(f"{_when(manifest, one)}: {_changed(one.report, now)}")
        if spent_s > MOST_S:
            break
    return (counted(count, len(lines)), *lines)


def counted(count: int, other: int) -> str:
    """How many come out as they were. Another outcome is what some fixes are for, so it is no alarm by itself."""
    if not other:
        return "The earlier report is identical." if count == 1 else f"All {count} earlier reports are identical."
    if count == 1:
        which = "The earlier report would be different with this version"
    else:
        which = f"{count - other} of {count} earlier reports identical, {other} differ{'s' if other == 1 else ''}"
    return f"{which}. That is right if it is meant to count otherwise:"


def _earlier(parts: JobParts, routine_id: int, manifest: Manifest, before: datetime) -> list[Earlier]:
    with parts.db.transaction() as session:
        found = [
            Earlier(
                slot_facts(session, slot, manifest),
                {one.name: one.sha256 for one in runs.inputs_of(session, known(run.id))},
                read_outcome_keys(run.outcome),
            )
            for slot, run in runs.reported_before(session, routine_id, before, SLOTS)
        ]
    return [one for one in found if all(parts.blobs.has(sha256) for sha256 in one.inputs.values())]  # others are gone


def _again(parts: JobParts, folder: PlanFolder, manifest: Manifest, earlier: Earlier) -> Outcome:
    """What the new version makes of an earlier slot."""
    lifetime_s = manifest.limits.time_s + AROUND_S
    with (
        parts.blobs.local(earlier.inputs) as paths,
        parts.boxes.open("replay", tags={"routine": manifest.name}, lifetime_s=lifetime_s) as box,
    ):
        return run_plan(box, folder, paths, earlier.facts, manifest.limits)


def is_same(before: Outcome, now: Outcome) -> bool:
    """Equal in everything a reader sees. A check or a metric that only one version has is no other report."""
    if not (isinstance(before, Report) and isinstance(now, Report)):
        return False
    both = before.metrics.keys() & now.metrics.keys()
    old, new = (replace(one, checks=(), metrics={name: one.metrics[name] for name in both}) for one in (before, now))
    return new.same_as(old)


def _when(manifest: Manifest, earlier: Earlier) -> str:
    schedule = schedule_of(manifest)
    return schedule.local(earlier.facts.due_at) if schedule else slot_words(earlier.facts.due_at, None)


def _changed(before: Outcome, now: Outcome) -> str:
    """What is another one, in numbers where the numbers differ."""
    if not (isinstance(before, Report) and isinstance(now, Report)):
        return _words(now)
    names = [name for name in now.metrics if before.metrics.get(name, now.metrics[name]) != now.metrics[name]]
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
