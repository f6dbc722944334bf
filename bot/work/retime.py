"""Another time or other recipients of an approved routine: its current version with nothing else changed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sqlmodel import Session

from bot.agent.picker import Asking
from bot.agent.wanted import Wanted, delivery
from bot.domain.accounted import Heard, left_out
from bot.domain.errors import PlanProblem
from bot.domain.request import read
from bot.domain.unread_words import unread
from bot.store import plans, runs, talk
from bot.store.plans import known
from bot.store.tables_plans import Plan, Routine
from bot.store.tables_runs import Slot
from bot.store.tables_talk import Task
from bot.work.briefing import resume_md
from bot.work.hear import with_hearing
from bot.work.parts import JobParts
from bot.work.progress import Progress
from bot.work.propose import Draft
from bot.work.rehearse import STEP, rehearse
from bot.work.sampled import sampled
from bot.work.slot_facts import MEMORY, slot_facts
from bot.work.wishes import names_of_files
from library.manifest_text import read_manifest, write_manifest
from library.plan_folder import PlanFolder
from sandbox.errors import BoxError
from sandbox.execute import SlotFacts
from sandbox.kits import box_json, image_of

FIX_FIRST = (
    "A fix of this routine waits for a decision, and another time would take its place. "
    "Decide on the fix first, then say the time again. Nothing was changed."
)
SO_ALREADY = "That is when it runs and who gets it already, so nothing was changed."


@dataclass(frozen=True)
class _Current:
    """The version that runs, with the inputs of the newest slot that it reported on."""

    plan: Plan
    folder: PlanFolder
    facts: SlotFacts
    inputs: Mapping[str, str]


def retimed(
    parts: JobParts, task: Task, wanted: Wanted, routine: Routine | None, progress: Progress
) -> Draft | Asking | None:
    """The current version under what people say now; None where more is said, so that it has to be drafted anew.

    What was approved since the request, a fix above all, stays. Raises PlanProblem and RequestProblem.
    """
    with parts.db.transaction() as session:
        current = _current(parts, session, task, routine)
    if current is None:
        return None
    before = read_manifest(current.folder.files["plan.toml"])
    destinations, unknown = delivery(wanted)
    if unknown:
        return Asking("Before I can change it, I need to know:", tuple(unknown))
    manifest = replace(before, schedule=wanted.schedule() or before.schedule, destinations=destinations)
    if manifest == before:
        raise PlanProblem(SO_ALREADY)
    files = {
        **current.folder.files,
        "plan.toml": write_manifest(manifest).encode(),
        "box.json": box_json(image_of(current.folder)),
    }
    try:
        with parts.blobs.local(dict(current.inputs)) as paths:
            return _rehearsed(parts, task, current, PlanFolder(files), paths, progress)
    except BoxError as error:
        raise PlanProblem(
            f"The box failed while I tried it, so there is no new version: {error} Write here to try again."
        ) from error


def _current(parts: JobParts, session: Session, task: Task, routine: Routine | None) -> _Current | None:
    """None where there is no version with a report yet, or where something else than when and to whom was said."""
    if routine is None or routine.current_plan_id is None:
        return None
    plan = session.get_one(Plan, routine.current_plan_id)
    if not _says_only_how(parts, session, task, plan):
        return None
    folder = plans.folder(session, known(plan.id))
    manifest = read_manifest(folder.files["plan.toml"])
    found = next(_whole_reports(parts, session, routine), None)
    if found is None:
        return None
    if any(card_plan.surprise_id is not None for _, card_plan in plans.open_cards(session, known(routine.id))):
        raise PlanProblem(FIX_FIRST)
    slot, inputs = found
    return _Current(plan, folder, slot_facts(session, slot, manifest), inputs)


def _whole_reports(parts: JobParts, session: Session, routine: Routine) -> Iterator[tuple[Slot, Mapping[str, str]]]:
    """Slots with their inputs, newest first, but for those that were reported on without some of their files."""
    for slot, run in runs.reported_before(session, known(routine.id), parts.clock.now(), MEMORY):
        inputs = {one.name: one.sha256 for one in runs.inputs_of(session, known(run.id))}
        if inputs and plans.manifest(session, run.plan_id).only is None:
            yield slot, inputs


def _says_only_how(parts: JobParts, session: Session, task: Task, plan: Plan) -> bool:
    """Whether all that was said since this version is about when and to whom, and no file came with it."""
    files = talk.files_of_thread(session, task)
    said = [row.text for row in talk.guidance(session, known(task.id)) if row.said_at > plan.created_at]
    names = names_of_files(session, task, parts.clock.now())
    wishes = [read(text, parts.settings.default_time) for text in said]
    is_how = all((wish.says_how or wish.at) and not wish.sources for wish in wishes) and not any(
        unread(text, Heard(files=tuple(names))) or left_out(text, names) for text in said
    )
    return bool(said) and is_how and all(file.posted_at <= plan.created_at for file in files)


def _rehearsed(
    parts: JobParts, task: Task, current: _Current, folder: PlanFolder, paths: Mapping[str, Path], progress: Progress
) -> Draft:
    manifest = read_manifest(folder.files["plan.toml"])
    tags = {"task": str(task.id)}
    look = "Taking the files of its newest report"
    with (
        sampled(parts, paths, manifest.limits, progress, look, purpose="another time", tags=tags) as (staged, samples),
        progress.step(STEP),
    ):
        resume = partial(resume_md, manifest.name)
        folder, rehearsal = rehearse(staged, folder, paths, current.facts, samples, resume)
    rehearsal = with_hearing(parts, folder, rehearsal, paths, current.facts, samples, tags, progress)
    with parts.db.transaction() as session:
        guides = talk.guides(session, known(task.id))
    return Draft(
        folder,
        replace(rehearsal, change_from=current.plan.id),
        requester_id=task.requester_id,
        author_id=current.plan.author_id,
        guides=guides,
    )
