"""The draft that the model writes where no proven script fits: Standby sets the terms, the rest is conversation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from bot.agent.picker import Asking
from bot.agent.wanted import Wanted, delivery
from bot.domain.conversation import MessageCause
from bot.domain.errors import PlanProblem
from bot.domain.own import Own
from bot.domain.words import TaskState
from bot.store import tries
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_talk import Task
from bot.work.agent_parts import AgentParts
from bot.work.briefing import PLAN_FIRST, keep_words, moved_words, request_words
from bot.work.compose import Terms, drafted
from bot.work.converse import (
    Ended,
    agreed_on,
    begin,
    conversation_id,
    put_off,
    settle_drafts,
    view_of,
    with_origin,
    work,
)
from bot.work.jobs import Job
from bot.work.listen import Opening
from bot.work.measure import measure
from bot.work.moved import Moved
from bot.work.once import UNMAILED, Answered, post_answer
from bot.work.once_by_model import answered_by, settle_answer
from bot.work.outbox import post_once
from bot.work.progress import Progress
from bot.work.propose import propose
from bot.work.thread import place_of
from bot.work.workbench import Workbench
from library.manifest import ChannelSource
from library.plan_folder import PlanFolder
from sandbox.execute import SlotFacts
from sandbox.sample import Sample

WHY = "No proven script of the library does this, so a model wrote one for it."


@dataclass(frozen=True)
class Given:
    """What is known when the model is asked. `seed` is a plan that did not satisfy; `samples` may be taken later.

    `is_plan_first`: five lines are to be agreed on before anything is computed.
    `wanted_now` reads again what people want, because they go on talking while the model works.
    """

    wanted: Wanted
    wanted_now: Callable[[], Wanted]
    inputs: Mapping[str, str]
    slot: SlotFacts
    samples: tuple[Sample, ...] = ()
    seed: PlanFolder | None = None
    problem: str = ""  # why the seed cannot be proposed as it is
    routine: Routine | None = None
    is_plan_first: bool = False
    moved: Moved | None = None
    own: tuple[Own, ...] = ()  # the team's proven plans that share words with the request


def draft_by_model(parts: AgentParts, task: Task, given: Given, progress: Progress) -> Asking | None:
    """Work with the model until a card, or words, stand in the thread; or what only a form can settle."""
    _, unknown = delivery(given.wanted)
    if unknown and not given.wanted.is_once:
        return Asking("Before I work on this, I need to know:", tuple(unknown))
    bench = Workbench(
        parts=parts,
        conversation_id=0,
        inputs=given.inputs,
        terms_now=lambda: _terms(given.wanted_now()),
        slot=given.slot,
        progress=progress,
        tags={"task": str(task.id)},
        change_from=given.routine.current_plan_id if given.routine else None,
        known=list(given.samples),
    )
    opening = _opening(parts, task, given, bench)
    bench.conversation_id = begin(parts, task, opening)
    if given.is_plan_first:
        progress.agreed(agreed_on(parts, bench.conversation_id, PLAN_FIRST))
    ended = work(parts, task, bench, opening)
    progress.said(ended.words)
    _tell(parts, task, given, ended, bench, progress)
    return None


def _opening(parts: AgentParts, task: Task, given: Given, bench: Workbench) -> Opening:
    """The request; or, where an answer was given to it before, that it is kept as a routine."""
    with parts.db.transaction() as session:
        answer = tries.answered(session, known(task.id))
    if answer is not None and not given.wanted.is_once:
        script = answer.script.encode()
        return Opening(
            cause=MessageCause.GUIDANCE,
            key=f"task:{task.id}:keep:{answer.id}",
            words=lambda: keep_words(bench.terms_now()),
            draft=lambda: {"plan.py": script},
        )
    if given.moved and conversation_id(parts, task) is not None:
        words_of_move = partial(moved_words, given.moved.rung, bench.terms_now(), is_plan_first=given.is_plan_first)
        return Opening(MessageCause.GUIDANCE, f"task:{task.id}:{given.moved}", words_of_move, dict)
    seed = drafted(given.seed) if given.seed else {}

    def words() -> str:
        now = parts.clock.now()
        return request_words(
            task.request,
            bench.terms_now(),
            bench.samples(),
            now,
            seed,
            given.problem,
            is_plan_first=given.is_plan_first,
        )

    key = f"task:{task.id}:{given.moved}" if given.moved else f"task:{task.id}"
    return Opening(MessageCause.REQUEST, key, words, lambda: seed)


def _answer(parts: AgentParts, task: Task, given: Given, ended: Ended, bench: Workbench) -> Answered | None:
    wish = given.wanted.wish
    notes = (UNMAILED,) if wish.addresses or wish.destinations else ()
    return answered_by(parts, task, bench, ended.words, notes=notes, is_plan_first=given.is_plan_first)


def _terms(wanted: Wanted) -> Terms:
    """Standby's part of the plan. Raises PlanProblem where people named somebody whom only they can explain."""
    destinations, unknown = delivery(wanted)
    if unknown and not wanted.is_once:
        asked = " ".join(one.label for one in unknown)
        raise PlanProblem(f"Only people can say this: {asked} End your turn with that question.")
    return Terms(
        name=wanted.routine_name,
        taken=frozenset(wanted.taken_names),
        why=WHY,
        when=wanted.when,
        zone=wanted.zone,
        slots=wanted.slot_terms,
        asked_at=wanted.asked_at,
        source=wanted.source or ChannelSource(wanted.channel_id),
        destinations=destinations,
        box_image=wanted.box_image,
        is_once=wanted.is_once,
    )


def _tell(parts: AgentParts, task: Task, given: Given, ended: Ended, bench: Workbench, progress: Progress) -> None:
    conversation = bench.conversation_id
    measure(parts, task, bench.samples())
    if put_off(parts, task, ended, Job.DRAFT, task_id=known(task.id)):
        progress.finish("The model does not answer now")
    elif ended.draft is not None:
        propose(parts, task, with_origin(parts, task, ended.draft, task.requester_id))
        settle_drafts(parts, conversation)
        progress.finish("The plan is below. A teammate decides")
    elif given.wanted.is_once and not ended.stopped and (answer := _answer(parts, task, given, ended, bench)):
        progress.finish("The answer is below")
        post_answer(parts, task, answer)
        settle_answer(parts, conversation)
        return
    else:
        with parts.db.transaction() as session:
            move(session, Task, known(task.id), TaskState.NEW, TaskState.STUCK)
        progress.finish("I stopped here" if ended.stopped else "Done for now")
    if ended.draft is None or ended.stopped:
        post_once(parts, place_of(task), view_of(parts, task, ended), ended.key)
