"""From a surprise to a proposal: look at what changed, try other parameters, or say plainly what was seen."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bot.agent.picker import NEEDS_MODEL, Asking, NoFit, Pick, repair
from bot.domain.errors import PlanProblem
from bot.domain.ports import Place
from bot.domain.views import NoteView
from bot.domain.words import Cause, SurpriseState
from bot.log import log
from bot.store import plans, runs, talk
from bot.store.plans import known
from bot.store.tables_plans import Plan, Routine
from bot.store.tables_runs import Run, Slot, SurpriseRow
from bot.store.tables_talk import Task
from bot.work.outbox import post_once
from bot.work.parts import JobParts
from bot.work.progress import Progress
from bot.work.propose import Draft, propose
from bot.work.questions import ask
from bot.work.rehearse import rehearse
from bot.work.replay import replayed
from bot.work.run import past_metrics
from bot.work.shaped import AROUND_S, SHAPE_CHANGED
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder
from sandbox.errors import BoxError
from sandbox.execute import SlotFacts, StagedBox, stage
from sandbox.sample import Sample, SampleFailed, sample_files


@dataclass(frozen=True)
class Case:
    """A surprise with what a new version has to be tried on: the inputs of the run that it ended."""

    surprise: SurpriseRow
    routine: Routine
    task: Task
    plan: Plan
    folder: PlanFolder
    facts: SlotFacts
    inputs: Mapping[str, str]


def resume(parts: JobParts, surprise_id: int) -> None:
    """Answer an open surprise with a version, a question, or what was seen. Faults never come here."""
    case = load_case(parts, surprise_id)
    if case is None:
        return
    place = place_of(case)
    if not case.inputs:
        _say(parts, case, "There is no input to look at. Post the files in the channel, then press Rerun.")
        return
    key = f"surprise:{surprise_id}:{case.task.round}:steps"
    progress = Progress(parts, place, key, f"Looking into {case.surprise.name}")
    progress.begin()
    try:
        with parts.blobs.local(dict(case.inputs)) as paths:
            found = _look(parts, case, paths, progress)
    except (PlanProblem, SampleFailed) as problem:
        progress.finish("I found no version that works")
        _say(parts, case, f"{problem} {_what_people_can_do()}")
    except BoxError as error:
        progress.finish("I stopped here")
        _say(parts, case, f"The box failed while I was looking, so I know nothing yet: {error}")
    else:
        _answer(parts, case, found, progress)


def give_up(parts: JobParts, surprise_id: int, why: str) -> None:
    """The job keeps failing: the surprise stays open for people."""
    case = load_case(parts, surprise_id)
    if case is not None:
        _say(parts, case, f"Something in Standby failed while I looked into this. ({why}) {_what_people_can_do()}")


def load_case(parts: JobParts, surprise_id: int) -> Case | None:
    """The open surprise with its run; None when it was answered meanwhile or is a fault."""
    with parts.db.transaction() as session:
        surprise = session.get_one(SurpriseRow, surprise_id)
        if surprise.state is not SurpriseState.OPEN or surprise.cause is Cause.FAULT:
            return None
        run = session.get_one(Run, surprise.run_id)
        slot = session.get_one(Slot, surprise.slot_id)
        folder = plans.folder(session, run.plan_id)
        schedule = read_manifest(folder.files["plan.toml"]).schedule
        zone = schedule.zone if schedule else "UTC"
        history = past_metrics(session, surprise.routine_id, slot.due_at)
        return Case(
            surprise=surprise,
            routine=session.get_one(Routine, surprise.routine_id),
            task=talk.task_of_routine(session, surprise.routine_id),
            plan=session.get_one(Plan, run.plan_id),
            folder=folder,
            facts=SlotFacts(slot.due_at, slot.since, slot.until, zone, history),
            inputs={one.name: one.sha256 for one in runs.inputs_of(session, known(run.id))},
        )


def place_of(case: Case) -> Place:
    return Place(case.routine.team_id, case.routine.channel_id, case.routine.thread_ts)


def _look(parts: JobParts, case: Case, paths: Mapping[str, Path], progress: Progress) -> Draft | Asking | NoFit:
    tags = {"surprise": str(case.surprise.id)}
    lifetime_s = read_manifest(case.folder.files["plan.toml"]).limits.time_s * 2 + AROUND_S
    with parts.boxes.open("resume", tags=tags, lifetime_s=lifetime_s) as box:
        odd = str(case.surprise.body["file"]) or "the files"
        with progress.step(f"Looking at a sample of {odd}"):
            staged = stage(box, paths, parts.blobs.open)
            samples = sample_files(box, list(paths))
            progress.detail(_kind_of(odd, samples))
        with progress.step("Trying the same script with other parameters"):
            answers = {name: str(value) for name, value in case.task.answers.items()}
            is_shape_alone = case.surprise.name == SHAPE_CHANGED
            found = repair(case.folder, samples, answers, is_shape_alone=is_shape_alone)
            progress.detail(found.why if isinstance(found, Pick | NoFit) else "one thing is unclear")
        if not isinstance(found, Pick):
            return found
        with progress.step("Rehearsing the new version on the inputs that halted"):
            draft = _rehearsed(case, staged, found, paths, samples)
    with progress.step("Replaying it over earlier slots"):
        lines = replayed(parts, known(case.routine.id), draft.folder, case.facts.due_at)
        progress.detail(lines[0])
    return replace(draft, rehearsal=replace(draft.rehearsal, replay=lines))


def _rehearsed(case: Case, staged: StagedBox, found: Pick, paths: Mapping[str, Path], samples: list[Sample]) -> Draft:
    folder, rehearsal = rehearse(staged, found.folder, paths, case.facts, samples, found.resume)
    return Draft(
        folder,
        replace(rehearsal, change_from=case.plan.id),
        requester_id=case.plan.requester_id,
        answer=f"The world changed. {found.why}",
        surprise_id=case.surprise.id,
    )


def _answer(parts: JobParts, case: Case, found: Draft | Asking | NoFit, progress: Progress) -> None:
    if isinstance(found, Draft):
        propose(parts, case.task, found)
        progress.finish("The same script with other parameters works. The new version is below")
    elif isinstance(found, Asking):
        ask(parts, case.task, found.text, found.fields, case.surprise.id)
        progress.finish("I need an answer first")
    else:
        progress.finish("I found no version that works")
        _say(parts, case, f"{found.why} {_what_people_can_do()}")


def _say(parts: JobParts, case: Case, text: str) -> None:
    log.info("surprise_waits", surprise=case.surprise.id, text=text)
    key = f"surprise:{case.surprise.id}:{case.task.round}:words"
    post_once(parts, place_of(case), NoteView(text), key)


def _kind_of(name: str, samples: list[Sample]) -> str:
    return next((str(sample.facts.kind) for sample in samples if sample.facts.name == name), "")


def _what_people_can_do() -> str:
    return (
        "The surprise stays open: fix the data and press Rerun, skip this slot, "
        f"or post a script of your own (a .py file) in this thread. {NEEDS_MODEL}"
    )
