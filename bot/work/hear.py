"""The hearing test of a rehearsed plan: the changes of its data that it would not notice, for card and model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bot.log import log
from bot.store.tables_plans import Plan
from bot.work.parts import JobParts
from bot.work.progress import Progress
from bot.work.rehearsal import Rehearsal, read_by
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder
from sandbox.execute import SlotFacts
from sandbox.hearing import Hearing, HearingFailed, heard
from sandbox.hearing.ears import WELL
from sandbox.sample import Sample

STEP = "Trying what could go wrong with such data, and whether it would notice"
OFTEN = (
    "Scripts are often deaf to: last slot's files sent again, or an older copy beside a file; rows or lines twice, "
    "left out, or only the first part of them; a header missing, repeated or moved; rows above or below the data with "
    "units, notes or totals; other decimal marks, quotes or units; a source that went silent."
)


def with_hearing(
    parts: JobParts,
    folder: PlanFolder,
    rehearsal: Rehearsal,
    inputs: Mapping[str, Path],
    facts: SlotFacts,
    samples: Sequence[Sample],
    tags: Mapping[str, str],
    progress: Progress | None = None,
) -> Rehearsal:
    """The rehearsal with what the hearing test found. Raises BoxError.

    A hearing test without an answer keeps no plan from people; the card says that it has none.
    """
    if progress is None:
        return replace(rehearsal, hearing=_heard(parts, folder, inputs, facts, samples, tags, None))
    with progress.step(STEP):
        hearing = _heard(parts, folder, inputs, facts, samples, tags, progress)
        progress.detail(hearing.problem or f"it copes with {hearing.well} of {hearing.fit}")
    return replace(rehearsal, hearing=hearing)


def _heard(
    parts: JobParts,
    folder: PlanFolder,
    inputs: Mapping[str, Path],
    facts: SlotFacts,
    samples: Sequence[Sample],
    tags: Mapping[str, str],
    progress: Progress | None,
) -> Hearing:
    def said(done: int, count: int) -> None:
        if progress is not None:
            progress.doing(f"{done} of {count} changes tried")

    files = read_by(read_manifest(folder.files["plan.toml"]), samples)
    try:
        hearing = heard(parts.boxes, folder, inputs, files, facts, tags=tags, said=said)
    except HearingFailed as failed:
        log.warning("hearing_failed", why=str(failed))
        return Hearing((), problem=str(failed))
    log.info("heard", fit=hearing.fit, well=hearing.well, alone=hearing.alone, seconds=hearing.seconds)
    return hearing


def compared(parts: JobParts, before_id: int, now: Hearing | None) -> tuple[str, ...]:
    """A fix replayed over every drift that fits, beside the version before, in lines for the card."""
    with parts.db.transaction() as session:
        before = Rehearsal.read(session.get_one(Plan, before_id).rehearsal).hearing
    return difference(before, now)


def difference(before: Hearing | None, now: Hearing | None) -> tuple[str, ...]:
    """Counts of both, then each change of data that the version before noticed or stood and this one does not."""
    if before is None or now is None or before.problem or now.problem:
        return ()
    heard_before = {ear.drift for ear in before.ears if ear.guarded in WELL}
    lost = [ear for ear in now.ears if ear.guarded not in WELL and ear.drift in heard_before]
    ways = f"{now.well} of {now.fit} ways in which the files could change"
    counts = f"It copes with {ways}; before with {before.well} of {before.fit}"
    return (
        counts,
        *(f"It would not notice if {ear.says} ({ear.file}); before, over the files of then, it did" for ear in lost),
    )


def deaf_words(hearing: Hearing | None) -> str:
    """What a model is told of it, so that it may improve its draft; empty where there is nothing to improve.

    Which changes it was depends on how much data there is, and what a model is sent must not: people read that on
    the card, the model how many, and what scripts are often deaf to.
    """
    if hearing is None or not (hearing.deaf or hearing.broke):
        return ""
    return f"Hearing test: {len(hearing.deaf)} changes of the data go unnoticed, {len(hearing.broke)} break it. {OFTEN}"
