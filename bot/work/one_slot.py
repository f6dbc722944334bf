"""“Skip spectro-07 this week”: a version for one slot alone, rehearsed and approved like any other."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from bot.domain.errors import PlanProblem
from bot.domain.leaving_out import LeavingOut, Unmatched, files_meant, not_expecting
from bot.domain.slots import schedule_of, slot_words
from bot.store.tables_talk import Task
from bot.work.briefing import resume_md
from bot.work.case import Case, newest_case
from bot.work.hear import with_hearing
from bot.work.parts import JobParts
from bot.work.progress import Progress
from bot.work.propose import Draft, propose
from bot.work.rehearse import STEP, rehearse
from bot.work.sampled import sampled
from library.manifest import OneSlot
from library.manifest_text import read_manifest, write_manifest
from library.plan_folder import PlanFolder
from sandbox.errors import BoxError
from sandbox.sample import SampleFailed
from sandbox.shape import shape_of

NOTHING_HALTED = (
    "Files are left out of one report when its run halted on them, and none is halted here now. Before a run, delete "
    "the file from the channel: then it is no input. Nothing was changed."
)
NOTHING_LEFT = "Then nothing would be left to report on. Press Skip this slot instead; nothing was changed."


def leave_out(parts: JobParts, task: Task, asker_id: str, asked: LeavingOut, key: str) -> str:
    """Rehearse the halted slot without these files and propose that; or say in words why it cannot be."""
    case = newest_case(parts, task)
    if case is None:
        return NOTHING_HALTED
    try:
        names = files_meant(asked, sorted(case.inputs))
    except Unmatched as unmatched:
        return str(unmatched)
    inputs = {name: sha256 for name, sha256 in case.inputs.items() if name not in names}
    if not inputs:
        return NOTHING_LEFT
    progress = Progress(parts, case.place, f"{key}:steps", f"Trying it without {', '.join(names)}")
    progress.begin()
    try:
        with parts.blobs.local(inputs) as paths:
            draft = _rehearsed(parts, case, asker_id, names, paths, progress)
        propose(parts, case.task, draft)
    except (PlanProblem, SampleFailed) as problem:
        progress.finish("This cannot be proposed")
        return f"Without {', '.join(names)} it was not proposed. {problem}"
    except BoxError as error:
        progress.finish("I stopped here")
        return f"The box failed while I tried it, so nothing is known about it yet: {error} Say it again."
    progress.finish("It works. The version for this one report is below, and a teammate decides")
    return ""


def _rehearsed(
    parts: JobParts, case: Case, asker_id: str, names: tuple[str, ...], paths: Mapping[str, Path], progress: Progress
) -> Draft:
    before = read_manifest(case.folder.files["plan.toml"])
    parameters = not_expecting(before.parameters, names)
    manifest = replace(before, parameters=parameters, only=OneSlot(case.facts.due_at.isoformat(), names))
    tags = {"surprise": str(case.surprise.id)}
    look = "Looking at the files that stay"
    with sampled(parts, paths, manifest.limits, progress, look, purpose="one slot", tags=tags) as (staged, samples):
        files = {
            **case.folder.files,
            "plan.toml": write_manifest(manifest).encode(),
            "shape.json": shape_of([sample.facts for sample in samples]),
        }
        with progress.step(STEP):
            folder, rehearsal = rehearse(
                staged, PlanFolder(files), paths, case.facts, samples, partial(resume_md, manifest.name)
            )
    rehearsal = with_hearing(parts, folder, rehearsal, paths, case.facts, samples, tags, progress)
    when = slot_words(case.facts.due_at, schedule_of(manifest))
    line = f"It counts for the report of {when} alone. Every other report is made by version {case.plan.version}."
    return Draft(
        folder,
        replace(rehearsal, change_from=case.plan.id, replay=(line,)),
        requester_id=asker_id,
        surprise_id=case.surprise.id,
    )
