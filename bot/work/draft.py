"""From a request to a card: take the files, look at samples, pick a proven script, rehearse it, propose it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bot.agent.heard import Beyond
from bot.agent.picker import Asking, NoFit, Pick, pick
from bot.domain.answers import SCHEDULE
from bot.domain.conversation import ConversationTaken
from bot.domain.errors import ChatRefused, FileRefused, PlanProblem, RequestChanged, RequestProblem
from bot.domain.rhythm import ONCE_WORDS, Rhythm, is_once, rhythm_of
from bot.domain.views import QuestionField
from bot.domain.words import TaskState
from bot.log import log
from bot.sources.errors import SourceError
from bot.sources.opening import open_in
from bot.store import talk
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_talk import SharedFile, Task
from bot.work.agent_parts import AgentParts
from bot.work.asked_source import asked_source
from bot.work.converse import conversation_id
from bot.work.draft_by_model import Given, draft_by_model
from bot.work.draft_inputs import draft_inputs
from bot.work.hear import with_hearing
from bot.work.measure import measure
from bot.work.missing import require_words, required_files
from bot.work.move_rung import MODEL_RUNGS
from bot.work.moved import moved
from bot.work.once import UNMAILED, Answered, post_answer, run_once
from bot.work.own import own_for, spoken_in
from bot.work.parts import JobParts
from bot.work.progress import Progress
from bot.work.propose import Draft, propose
from bot.work.questions import ask
from bot.work.rehearsal import sample_words
from bot.work.rehearse import rehearse
from bot.work.retime import retimed
from bot.work.shaped import AROUND_S
from bot.work.slot_facts import of_its_time
from bot.work.staging import by_name
from bot.work.stuck import stay, stuck
from bot.work.thread import is_unheard, place_of
from bot.work.wishes import tell_taken, tell_unused, wanted_now, wishes
from library.filling import Window
from library.manifest import Limits, Rung
from sandbox.errors import BoxError
from sandbox.execute import InputNameRefused, StagedBox, stage
from sandbox.sample import Sample, SampleFailed, sample_files

RUNNING = "Running it once over all the data"
REHEARSING = "Rehearsing it on all the data, twice, and with something gone wrong"
WHEN = (
    "You name who should get this, or another time than now. I can answer now, in this thread, and mail nobody; "
    "or make it a routine that a teammate approves."
)
WHEN_HINT = f"“{ONCE_WORDS}”, or a time that comes back, such as: every Monday at 07:00"
WHEN_FIELD = QuestionField(SCHEDULE, "When should it run?", WHEN_HINT, (), ONCE_WORDS)
ONLY_MEMBERS = (
    "Only members of this workspace can ask me for reports, so nothing was begun. A member who wants it too can ask me "
    "the same."
)
# Expected endings of a draft, each with its own words; anything else is retried and then given up.
KNOWN = (RequestProblem, PlanProblem, ChatRefused, FileRefused, SourceError, SampleFailed, InputNameRefused)


def draft(parts: AgentParts, task_id: int) -> None:
    """Work on a task until a card, a question, or plain words about what is missing stand in its thread."""
    with parts.db.transaction() as session:
        task = session.get_one(Task, task_id)
        files = talk.files_of_thread(session, task)
    if task.state is not TaskState.NEW:
        return
    requester = parts.chat.person(task.requester_id)
    if is_unheard(requester, task):
        stuck(parts, task, ONLY_MEMBERS)
        return
    progress = Progress(parts, place_of(task), f"task:{task_id}:{task.round}:steps", "On it", task.requester_id)
    progress.begin()
    try:
        _draft(parts, task, files, requester.zone or "UTC", progress)
    except RequestChanged as changed:
        log.info("draft_dropped", task=task_id, why=str(changed))
        progress.finish("The request was changed meanwhile, so nothing came of this")
    except KNOWN as problem:
        progress.finish("I stopped here")
        stuck(parts, task, str(problem))
    except ConversationTaken as taken:
        log.warning("conversation_taken", task=task_id, why=str(taken))


def give_up(parts: JobParts, task_id: int, why: str) -> None:
    """The job keeps failing: say so, and let a reply start it again."""
    with parts.db.transaction() as session:
        task = session.get_one(Task, task_id)
    stuck(parts, task, f"I could not work on this, so there is no plan yet. {why} Write here to try again.")


def _draft(parts: AgentParts, task: Task, files: list[SharedFile], zone: str, progress: Progress) -> None:
    if _rung(task) in MODEL_RUNGS and parts.model is None:
        progress.finish("I stopped here")
        stay(parts, task)
        return
    wanted, routine = wanted_now(parts, known(task.id), zone)
    require_words(wanted.wish.text, files)
    tell_unused(parts, task)
    rhythm = _rhythm(parts, task, routine)
    source = asked_source(open_in(parts.settings, task.channel_id), wanted.wish, has_files=bool(files))
    if rhythm is Rhythm.UNCLEAR:
        if source is None:
            required_files(parts, task, files, rhythm)
        _tell(parts, task, Asking(WHEN, (WHEN_FIELD,)), progress)
        return
    wanted = replace(wanted, is_once=rhythm is Rhythm.ONCE, source=source)
    if not wanted.is_once and (same := retimed(parts, task, wanted, routine, progress)) is not None:
        if parts.model is None:
            tell_taken(parts, task, wanted, ())
        _tell(parts, task, same, progress)
        return
    taken = draft_inputs(parts, task, wanted, files, rhythm, progress, routine)
    slot, source = taken.slot, taken.source
    wanted = replace(wanted, source=source)
    if wanted.is_once or wanted.schedule() is not None:
        wanted = replace(wanted, window=Window(slot.since, slot.until, is_any_age=wanted.is_once))
    given = Given(
        wanted=wanted,
        wanted_now=lambda: replace(wanted_now(parts, known(task.id), zone)[0], is_once=wanted.is_once, source=source),
        inputs=by_name(taken.files),
        slot=slot,
        routine=routine,
        own=own_for(parts, task, wanted.wish.text) if routine is None and not wanted.is_once else (),
    )
    rung = _rung(task)
    given = replace(given, is_plan_first=rung is Rung.PLAN_FIRST, moved=moved(task))
    if (
        parts.model is not None
        and rung is not Rung.EXISTING_SCRIPT
        and (rung or conversation_id(parts, task) is not None)
    ):
        found: Draft | Answered | Asking | Given = given
    else:
        with parts.blobs.local(dict(given.inputs)) as paths:
            found = _from_samples(parts, task, given, paths, progress)
    _tell(parts, task, _by_model(parts, task, found, progress) if isinstance(found, Given) else found, progress)


def _tell(parts: AgentParts, task: Task, found: Draft | Answered | Asking | None, progress: Progress) -> None:
    """A card, an answer, or a question; the model tells of its own ending."""
    if isinstance(found, Draft):
        measure(parts, task, ())
        with progress.step("Writing the card"):
            propose(parts, task, found)
        progress.finish("The plan is below. A teammate decides")
    elif isinstance(found, Answered):
        progress.finish("The answer is below")
        post_answer(parts, task, found)
    elif isinstance(found, Asking):
        progress.finish("I need an answer first")
        _ask(parts, task, found)


def _by_model(parts: AgentParts, task: Task, given: Given, progress: Progress) -> Asking | None:
    try:
        return draft_by_model(parts, task, given, progress)
    except BoxError as error:
        raise PlanProblem(f"The box failed while the plan was tried: {error} Write here to try again.") from error


def _from_samples(
    parts: AgentParts, task: Task, given: Given, paths: Mapping[str, Path], progress: Progress
) -> Draft | Answered | Asking | Given:
    """A proven script rehearsed, or run at once; a question; or what was seen, for the model.

    Raises PlanProblem and RequestProblem.
    """
    tags = {"task": str(task.id)}
    try:
        with parts.boxes.open("draft", tags=tags, lifetime_s=Limits().time_s * 2 + AROUND_S) as box:
            with progress.step("Looking at a sample of each in a box without network"):
                staged = stage(box, paths, parts.blobs.open, progress.sending)
                samples = sample_files(box, list(paths))
                progress.detail(sample_words(samples))
            with progress.step("Looking for a proven script"):
                request = spoken_in(parts, given.wanted.wish.text)
                found = pick(given.wanted, samples, request, given.own, _beyond(parts, task))
                progress.detail("one thing is unclear" if isinstance(found, Asking) else found.why)
            if parts.model is None:
                tell_taken(parts, task, given.wanted, found.heard)
            if isinstance(found, NoFit) and (parts.model is None or _rung(task) is Rung.EXISTING_SCRIPT):
                raise RequestProblem(found.why)
            if isinstance(found, NoFit) or (isinstance(found, Pick) and parts.model and task.wants_model):
                seed = found.folder if isinstance(found, Pick) else None
                return replace(given, samples=tuple(samples), seed=seed)
            if isinstance(found, Asking):
                return found
            timed = _in_its_time(given, found)
            with progress.step(RUNNING if given.wanted.is_once else REHEARSING):
                try:
                    tried = _tried(parts, task, timed, staged, found, paths, samples)
                except PlanProblem as problem:
                    if found.own is None and parts.model is None:
                        raise
                    if found.own is None:
                        progress.detail("it does not work as it is, so a model looks into it")
                        return replace(given, samples=tuple(samples), seed=found.folder, problem=str(problem))
                    progress.detail(f"{found.own.name} does not work on this data, so I look further")
                    tried = None
        if tried is None:
            return _from_samples(parts, task, replace(given, own=()), paths, progress)
        if isinstance(tried, Draft):
            return _heard(parts, tried, timed, paths, samples, tags, progress)
        return tried
    except BoxError as error:
        raise PlanProblem(
            f"The box failed while I was trying the plan, so there is none yet: {error} Write here to try again."
        ) from error


def _beyond(parts: AgentParts, task: Task) -> Beyond:
    if _rung(task) is Rung.EXISTING_SCRIPT:
        return Beyond.TELL
    return Beyond.ASK if parts.model is None else Beyond.REFUSE


def _heard(
    parts: JobParts,
    draft: Draft,
    given: Given,
    paths: Mapping[str, Path],
    samples: list[Sample],
    tags: Mapping[str, str],
    progress: Progress,
) -> Draft:
    rehearsal = with_hearing(parts, draft.folder, draft.rehearsal, paths, given.slot, samples, tags, progress)
    return replace(draft, rehearsal=rehearsal)


def _in_its_time(given: Given, found: Pick) -> Given:
    """A routine is tried in the slot that its example belongs to; an answer is about now."""
    if given.wanted.is_once:
        return given
    return replace(given, slot=of_its_time(given.slot, found.newest_at, found.manifest.schedule))


def _tried(
    parts: JobParts,
    task: Task,
    given: Given,
    staged: StagedBox,
    found: Pick,
    paths: Mapping[str, Path],
    samples: list[Sample],
) -> Draft | Answered:
    """The picked script: run once for an answer, or rehearsed for a card. Raises PlanProblem."""
    if given.wanted.is_once:
        answered = run_once(parts, staged, found, given.slot, samples, f"no model was asked; {sample_words(samples)}")
        wish = given.wanted.wish
        return replace(answered, notes=(UNMAILED,)) if wish.addresses or wish.destinations else answered
    folder, rehearsal = rehearse(staged, found.folder, paths, given.slot, samples, found.resume)
    rehearsal = replace(rehearsal, not_read=found.left.all)
    author_id = found.own.author_id if found.own else ""
    return Draft(folder, rehearsal, task.requester_id, author_id, _guides(parts, task))


def _rung(task: Task) -> Rung | None:
    """The rung that somebody chose, where somebody did."""
    return chosen.rung if (chosen := moved(task)) else None


def _rhythm(parts: JobParts, task: Task, routine: Routine | None) -> Rhythm:
    """The rung that somebody chose counts; then that a routine comes back, the answer of a form, and words."""
    if _rung(task) in (Rung.AD_HOC, Rung.PLAN_FIRST):
        return Rhythm.ONCE
    if routine is not None:
        return Rhythm.COMES_BACK
    if answer := str(task.answers.get(SCHEDULE, "")):
        return Rhythm.ONCE if is_once(answer) else Rhythm.COMES_BACK
    found = wishes(parts, task)
    has_recipients = any(one.addresses or one.destinations or one.channels for one in found)
    said = [one.text for one in found]
    return rhythm_of(said, has_recipients=has_recipients, default_time=parts.settings.default_time)


def _guides(parts: JobParts, task: Task) -> tuple[str, ...]:
    with parts.db.transaction() as session:
        return talk.guides(session, known(task.id))


def _ask(parts: JobParts, task: Task, asking: Asking) -> None:
    ask(parts, task, asking.text, asking.fields)
