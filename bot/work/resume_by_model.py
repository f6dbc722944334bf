"""A surprise enters the conversation that wrote the plan, or begins one with it; its verdict goes to the thread."""

from bot.domain.conversation import MessageCause
from bot.domain.counts import counted
from bot.domain.slots import schedule_of, slot_words
from bot.domain.views import NoteView
from bot.domain.words import Cause
from bot.store import runs
from bot.store.plans import known
from bot.work.agent_parts import AgentParts
from bot.work.briefing import VERDICTS, surprise_words, verdict_in
from bot.work.case import Case
from bot.work.compose import drafted, terms_of
from bot.work.converse import (
    Ended,
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
from bot.work.outbox import post_once
from bot.work.progress import Progress
from bot.work.propose import propose
from bot.work.workbench import Workbench
from library.manifest_text import read_manifest
from library.plan_folder import short

DATA_IS_WRONG = (
    "No new version: the script was right to halt. Mend the data at its source, post the files again and press Rerun; "
    "or skip this slot."
)
NO_VERSION = "No new version came of it. The surprise stays open: reply to guide me, press Rerun, or skip this slot."


def resume_by_model(parts: AgentParts, case: Case, progress: Progress) -> None:
    """Answer an open surprise in the task's conversation; calling it again goes on.

    Raises BoxError, SampleFailed and ChatError.
    """
    manifest = read_manifest(case.folder.files["plan.toml"])
    why = f"Changed after {case.surprise.name}."
    terms = terms_of(manifest, parts.settings.box_template, why, parts.clock.now())
    is_new = conversation_id(parts, case.task) is None
    bench = Workbench(
        parts=parts,
        conversation_id=0,
        inputs=case.inputs,
        terms_now=lambda: terms,
        slot=case.facts,
        progress=progress,
        tags={"surprise": str(case.surprise.id)},
        change_from=case.plan.id,
        replay_before=(known(case.routine.id), case.facts.due_at),
    )
    opening = Opening(
        cause=MessageCause.SURPRISE,
        key=f"surprise:{case.surprise.id}",
        words=lambda: _words(parts, case, bench, with_plan=is_new),
        draft=lambda: drafted(case.folder),
    )
    bench.conversation_id = begin(parts, case.task, opening)
    ended = work(parts, case.task, bench, opening)
    _tell(parts, case, ended, bench.conversation_id, progress)


def _words(parts: AgentParts, case: Case, bench: Workbench, *, with_plan: bool) -> str:
    manifest = read_manifest(case.folder.files["plan.toml"])
    with parts.db.transaction() as session:
        reported = len(runs.reported_before(session, known(case.routine.id), case.facts.due_at, 1_000))
    words = surprise_words(
        routine=case.routine.name,
        version=f"version {case.plan.version}, {short(case.plan.digest)}",
        slot=slot_words(case.facts.due_at, schedule_of(manifest)),
        cause="script error" if case.surprise.cause is Cause.SCRIPT_ERROR else "surprise",
        name=case.surprise.name,
        body=case.surprise.body,
        before=f"Before it {counted(reported, 'run')} reported.",
        samples=bench.samples(),
        draft=drafted(case.folder) if with_plan else None,
    )
    return f"The task was: {case.task.request[:2_000]}\n{words}" if with_plan else words


def _tell(parts: AgentParts, case: Case, ended: Ended, conversation: int, progress: Progress) -> None:
    place, surprise_id = case.place, known(case.surprise.id)
    if put_off(parts, case.task, ended, Job.RESUME, surprise_id=surprise_id):
        progress.finish("The model does not answer now")
    elif ended.draft is not None:
        propose(parts, case.task, with_origin(parts, case.task, ended.draft, case.plan.requester_id, surprise_id))
        settle_drafts(parts, conversation)
        progress.finish("A new version is below. A teammate decides")
    else:
        progress.finish(verdict_in(ended.words) or "No new version")
    if ended.draft is None or ended.stopped:
        post_once(parts, place, view_of(parts, case.task, ended, surprise_id), ended.key)
    if ended.draft is None and ended.words and not ended.stopped:
        said = DATA_IS_WRONG if verdict_in(ended.words) == VERDICTS[2] else NO_VERSION
        post_once(parts, place, NoteView(said), f"{ended.key}:next")
