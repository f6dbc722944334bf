"""The draft that the model writes where no proven script fits: Standby sets the terms, the rest is conversation."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.agent.picker import Asking, Wanted, delivery
from bot.domain.conversation import MessageCause
from bot.domain.words import TaskState
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_talk import Task
from bot.work.agent_parts import AgentParts
from bot.work.briefing import request_words
from bot.work.compose import Terms, drafted
from bot.work.converse import Ended, Opening, begin, put_off, settle_drafts, view_of, with_origin, work
from bot.work.jobs import Job
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
    """What is known when the model is asked. `seed` is a plan that did not satisfy; `samples` may be taken later."""

    wanted: Wanted
    inputs: Mapping[str, str]
    slot: SlotFacts
    guides: tuple[str, ...]
    samples: tuple[Sample, ...] = ()
    seed: PlanFolder | None = None
    problem: str = ""  # why the seed cannot be proposed as it is
    routine: Routine | None = None


def draft_by_model(parts: AgentParts, task: Task, given: Given, progress: Progress) -> Asking | None:
    """Work with the model until a card, or words, stand in the thread; or what only a form can settle."""
    destinations, unknown = delivery(given.wanted)
    if unknown:
        return Asking("Before I work on this, I need to know:", tuple(unknown))
    terms = Terms(
        name=given.wanted.routine_name,
        taken=frozenset(given.wanted.taken_names),
        why=WHY,
        cron=given.wanted.wish.cron or "",
        zone=given.wanted.zone,
        source=ChannelSource(given.wanted.channel_id),
        destinations=destinations,
        box_image=given.wanted.box_image,
    )
    bench = Workbench(
        parts=parts,
        conversation_id=0,
        inputs=given.inputs,
        terms=terms,
        slot=given.slot,
        progress=progress,
        tags={"task": str(task.id)},
        change_from=given.routine.current_plan_id if given.routine else None,
        known=list(given.samples),
    )
    seed = drafted(given.seed) if given.seed else {}
    opening = Opening(
        cause=MessageCause.REQUEST,
        key=f"task:{task.id}",
        words=lambda: request_words(task.request, terms, bench.samples(), parts.clock.now(), seed, given.problem),
        draft=lambda: seed,
    )
    bench.conversation_id = begin(parts, task, opening)
    ended = work(parts, task, bench, progress, opening)
    _tell(parts, task, given, ended, bench.conversation_id, progress)
    return None


def _tell(parts: AgentParts, task: Task, given: Given, ended: Ended, conversation: int, progress: Progress) -> None:
    if put_off(parts, task, ended, Job.DRAFT, task_id=known(task.id)):
        progress.finish("The model does not answer now")
    elif ended.draft is not None:
        propose(parts, task, with_origin(ended.draft, task.requester_id, given.guides))
        settle_drafts(parts, conversation)
        progress.finish("The plan is below. A teammate decides")
    else:
        with parts.db.transaction() as session:
            move(session, Task, known(task.id), TaskState.NEW, TaskState.STUCK)
        progress.finish("I stopped here" if ended.stopped else "Done for now")
    if ended.draft is None or ended.stopped:
        post_once(parts, place_of(task), view_of(parts, task, ended), ended.key)
