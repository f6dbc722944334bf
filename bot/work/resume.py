"""From a surprise to a proposal: look at what changed, try other parameters, or say plainly what was seen."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bot.agent.picker import NEEDS_MODEL, Asking, NoFit, Pick, repair
from bot.domain.conversation import ConversationTaken
from bot.domain.errors import PlanProblem
from bot.domain.views import NoteView
from bot.log import log
from bot.store import talk
from bot.store.plans import known
from bot.work.agent_parts import AgentParts
from bot.work.case import Case, load_case
from bot.work.hear import compared, with_hearing
from bot.work.outbox import post_once
from bot.work.parts import JobParts
from bot.work.progress import Progress
from bot.work.propose import Draft, propose
from bot.work.questions import ask
from bot.work.rehearse import rehearse
from bot.work.replay import replayed
from bot.work.resume_by_model import resume_by_model
from bot.work.shaped import AROUND_S, SHAPE_CHANGED
from bot.work.slot_facts import window_of
from bot.work.tell import MISSING
from library.manifest import ChannelSource
from library.manifest_text import read_manifest
from sandbox.errors import BoxError
from sandbox.execute import StagedBox, stage
from sandbox.sample import Sample, SampleFailed, sample_files

WHERE_LATE = (
    "If it is only late, leave this form: post it in this thread or at its source and press Rerun above. Where "
    "something else takes its place:"
)


def resume(parts: AgentParts, surprise_id: int) -> None:
    """Answer an open surprise with a version, a question, or what was seen. Faults never come here."""
    case = load_case(parts, surprise_id)
    if case is None:
        return
    if not case.inputs:
        if words := _without_input(case):
            _say(parts, case, words)
        return
    key = f"surprise:{surprise_id}:{case.task.round}:steps"
    progress = Progress(parts, case.place, key, f"Looking into {case.surprise.name}", case.routine.owner_id)
    progress.begin()
    try:
        _answer(parts, case, progress)
    except BoxError as error:
        progress.finish("I stopped here")
        _say(parts, case, f"The box failed while I was looking, so I know nothing yet: {error}")
    except SampleFailed as failed:
        progress.finish("I stopped here")
        _say(parts, case, f"I know nothing yet. {failed} {_what_people_can_do(has_model=parts.model is not None)}")
    except ConversationTaken as taken:
        log.warning("conversation_taken", surprise=surprise_id, why=str(taken))


def give_up(parts: JobParts, surprise_id: int, why: str) -> None:
    """The job keeps failing: the surprise stays open for people."""
    case = load_case(parts, surprise_id)
    if case is not None:
        has_model = isinstance(parts, AgentParts) and parts.model is not None
        _say(parts, case, f"I could not look into this. {why} {_what_people_can_do(has_model=has_model)}")


def _look(parts: JobParts, case: Case, paths: Mapping[str, Path], progress: Progress) -> Draft | Asking | NoFit:
    tags = {"surprise": str(case.surprise.id)}
    lifetime_s = read_manifest(case.folder.files["plan.toml"]).limits.time_s * 2 + AROUND_S
    with parts.boxes.open("resume", tags=tags, lifetime_s=lifetime_s) as box:
        odd = str(case.surprise.body["file"]) or "the files"
        with progress.step(f"Looking at a sample of {odd}"):
            staged = stage(box, paths, parts.blobs.open, progress.sending)
            samples = sample_files(box, list(paths))
            progress.detail(_kind_of(odd, samples))
        with progress.step("Trying the same script with other parameters"):
            answers = {name: str(value) for name, value in case.task.answers.items()}
            is_shape_alone = case.surprise.name == SHAPE_CHANGED
            window = window_of(case.facts, case.surprise.name)
            found = repair(case.folder, samples, answers, window, is_shape_alone=is_shape_alone)
            progress.detail(found.why if isinstance(found, Pick | NoFit) else "one thing is unclear")
        if not isinstance(found, Pick):
            return found
        with progress.step("Rehearsing the new version on the inputs that halted"):
            draft = _rehearsed(parts, case, staged, found, paths, samples)
    rehearsal = with_hearing(parts, draft.folder, draft.rehearsal, paths, case.facts, samples, tags, progress)
    with progress.step("Replaying it over earlier slots"):
        lines = replayed(parts, known(case.routine.id), draft.folder, case.facts.due_at)
        progress.detail(lines[0])
    again = compared(parts, known(case.plan.id), rehearsal.hearing)
    return replace(draft, rehearsal=replace(rehearsal, replay=(*lines, *again)))


def _rehearsed(
    parts: JobParts, case: Case, staged: StagedBox, found: Pick, paths: Mapping[str, Path], samples: list[Sample]
) -> Draft:
    folder, rehearsal = rehearse(staged, found.folder, paths, case.facts, samples, found.resume)
    with parts.db.transaction() as session:
        guides = talk.guides(session, known(case.task.id))
    return Draft(
        folder,
        replace(rehearsal, change_from=case.plan.id),
        requester_id=case.plan.requester_id,
        guides=guides,
        answer=f"The files are written otherwise than before. {found.why}",
        surprise_id=case.surprise.id,
    )


def _answer(parts: AgentParts, case: Case, progress: Progress) -> None:
    """The library's own scripts are mended without a model where that works; the rest is a model's work."""
    if parts.model is not None and (_is_written_for_the_task(case) or case.task.wants_model):
        resume_by_model(parts, case, progress)
        return
    try:
        with parts.blobs.local(dict(case.inputs)) as paths:
            found = _look(parts, case, paths, progress)
    except (PlanProblem, SampleFailed) as problem:
        found = NoFit(str(problem))
    if isinstance(found, NoFit) and parts.model is not None:
        resume_by_model(parts, case, progress)
    else:
        _tell(parts, case, found, progress)


def _is_written_for_the_task(case: Case) -> bool:
    return not read_manifest(case.folder.files["plan.toml"]).script


def _tell(parts: JobParts, case: Case, found: Draft | Asking | NoFit, progress: Progress) -> None:
    if isinstance(found, Draft):
        propose(parts, case.task, found)
        progress.finish("The same script with other parameters works. The new version is below")
    elif isinstance(found, Asking):
        ask(parts, case.task, f"{still_missing(case)}{found.text}", found.fields, case.surprise.id)
        progress.finish("I need an answer first")
    else:
        progress.finish("I found no version that works")
        _say(parts, case, f"{found.why} {_what_people_can_do(has_model=False)}")


def still_missing(case: Case) -> str:
    """Before a form about files that came instead of one that is missing: the missing one is no less missing."""
    if case.surprise.name not in MISSING:
        return ""
    what = str(case.surprise.body["message"]).rstrip(".")
    return f"{what[:1].upper()}{what[1:]}. {WHERE_LATE} "


def _say(parts: JobParts, case: Case, text: str) -> None:
    log.info("surprise_waits", surprise=case.surprise.id, text=text)
    key = f"surprise:{case.surprise.id}:{case.task.round}:words"
    post_once(parts, case.place, NoteView(text), key)


def _without_input(case: Case) -> str:
    """The run halted before the script: what is odd is which files there are. Empty where its message says it all."""
    source = read_manifest(case.folder.files["plan.toml"]).source
    if case.surprise.name in MISSING and isinstance(source, ChannelSource):
        return ""
    return f"No file was read, so there is no more to find out. What helps: {case.surprise.body['expected']}."


def _kind_of(name: str, samples: list[Sample]) -> str:
    return next((str(sample.facts.kind) for sample in samples if sample.facts.name == name), "")


def _what_people_can_do(*, has_model: bool) -> str:
    can = (
        "The surprise stays open: mend the data and press Rerun, skip this slot, or post a script of your own "
        "(a .py file) in this thread."
    )
    return f"{can} Or reply here, and I look again." if has_model else f"{can} {NEEDS_MODEL}"
