"""One run with the shape guard over it: what the inputs look like is compared with what was approved."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from bot.work.parts import JobParts
from library.manifest import Manifest
from library.plan_folder import PlanFolder
from sandbox.execute import SlotFacts, StagedBox, stage
from sandbox.outcome import Crashed, Lost, Outcome, Report, Surprised
from sandbox.progress import Moves
from sandbox.sample import SampleFailed, sample_files
from sandbox.shape import Difference, compare, strangers

# Beyond the run itself: staging, sampling, taking results out.
AROUND_S = 240
SAID = 3
SHAPE_CHANGED = "ShapeChanged"


def run_shaped(
    parts: JobParts,
    folder: PlanFolder,
    manifest: Manifest,
    inputs: Mapping[str, Path],
    facts: SlotFacts,
    *,
    purpose: str,
    tags: Mapping[str, str],
    approved: str = "",
    new: Collection[str] = (),
    progress: Moves | None = None,
) -> tuple[Outcome, dict[str, str], tuple[str, ...]]:
    """Run in a fresh box, compare shapes, take attachments out. Raises BoxError and PlanRefused.

    `new` are names that the plan does not know; those that are clearly something else are left aside, and come last
    in the answer.

    A difference that matters withholds every output. The script still runs, and its own surprise, if it raises
    one, names the outcome with the difference as evidence; otherwise the outcome is `ShapeChanged`.
    """
    lifetime_s = manifest.limits.time_s + AROUND_S
    with parts.boxes.open(purpose, tags=tags, lifetime_s=lifetime_s) as box:
        staged = stage(box, inputs, parts.blobs.open, progress)
        try:  # before the script, which could change its inputs or what looks at them
            samples = sample_files(box, list(inputs))
        except SampleFailed as failed:
            return Lost(str(failed)), {}, ()
        aside = strangers(folder.files["shape.json"], [one.facts for one in samples], new)
        if aside:
            staged.take_out(aside)
        samples = [one for one in samples if one.facts.name not in aside]
        outcome = staged.run(folder, facts, manifest.limits, approved)
        if isinstance(outcome, Report | Surprised | Crashed):
            outcome = guarded(outcome, compare(folder.files["shape.json"], [sample.facts for sample in samples]))
        kept = keep_attachments(parts, staged, outcome) if isinstance(outcome, Report) else {}
    return outcome, kept, aside


def guarded(outcome: Outcome, differences: Sequence[Difference]) -> Outcome:
    """What a run comes to once the shapes were compared."""
    if not differences or not isinstance(outcome, Report | Surprised | Crashed):
        return outcome
    evidence = "; ".join(f"{one.file} {one.words}" for one in differences[:SAID])
    if len(differences) > SAID:
        evidence += f"; and {len(differences) - SAID} more"
    if isinstance(outcome, Surprised):
        return replace(outcome, seen=f"{outcome.seen} (compared with what was approved: {evidence})".strip())
    return Surprised(
        name=SHAPE_CHANGED,
        message=f"The files look different from those that were approved: {evidence}.",
        seen=evidence,
        expected="files of the shape that was approved",
        file=differences[0].file,
    )


def keep_attachments(parts: JobParts, staged: StagedBox, report: Report) -> dict[str, str]:
    """Copy a report's files out of its box: name -> sha256 of the kept content."""
    return {
        attachment.name: parts.blobs.keep(partial(staged.fetch, attachment)).sha256 for attachment in report.attachments
    }
