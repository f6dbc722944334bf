"""Saying things in a routine's thread: a surprise and what became of it, a decided card, a plain sentence."""

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import Session

from bot.domain.errors import ChatGone
from bot.domain.left_words import who_left
from bot.domain.ports import MessageRef, Place
from bot.domain.slots import schedule_of, slot_words
from bot.domain.views import Button, NoteView, SurpriseView
from bot.domain.words import Cause, SurpriseState, Verb
from bot.log import log
from bot.store import plans
from bot.store.plans import known, new_press
from bot.store.tables_plans import Card, Plan, Press, Routine
from bot.store.tables_runs import Run, Slot, SurpriseRow
from bot.store.tables_talk import Task
from bot.store.talk import claim_seen
from bot.work.approval_card import approval_view
from bot.work.fallback import tell_directly
from bot.work.jobs import Job, enqueue
from bot.work.outbox import post_once
from bot.work.parts import JobParts
from bot.work.points import Point, passing
from bot.work.questions import question_view
from bot.work.thread import lock_of, place_of
from library.manifest import ChannelSource
from library.plan_folder import short

ANSWERS = (Verb.RERUN, Verb.SKIP, Verb.PAUSE)
OR_SKIP = "press Rerun; to go without this report, press Skip this slot."
NEXT_STEP = {
    Cause.SURPRISE: f"I look at the odd input and say here what I find. Once the data is mended, {OR_SKIP}",
    Cause.SCRIPT_ERROR: f"I look for the error and say here what I find. If data caused it, mend that and {OR_SKIP}",
    Cause.FAULT: f"Once the cause is gone, {OR_SKIP}",
}

# What the kit, and Standby itself, call a slot that lacks files.
MISSING = frozenset({"NoInput", "MissingFile", "FilesMissing"})
POST_IT = (
    "Post what is missing in this thread or in the channel, then press Rerun: it takes what was posted until then. "
    "To go without this report, press Skip this slot."
)


def tell(parts: JobParts, surprise_id: int) -> None:
    """Post a surprise in its thread, or rewrite it as it stands now (times it came, how it was answered)."""
    with parts.db.transaction() as session:
        question = session.get_one(SurpriseRow, surprise_id)
        routine = session.get_one(Routine, question.routine_id)
        view = _view(session, question, routine)
    key = f"surprise:{surprise_id}"
    # In the channel too: a halt that only a thread shows is a halt that nobody sees.
    place = replace(place_of(routine), is_broadcast=True)
    try:
        ref = post_once(parts, place, view, key)
    except ChatGone as gone:
        tell_directly(parts, place, key, f"{view.title}, {view.slot}. {view.name}: {view.message}", gone)
        _look_into(parts, surprise_id)
        return
    if question.times > 1 or question.state is not SurpriseState.OPEN:
        parts.chat.update(ref, view, key=key)
    elif question.cause is not Cause.FAULT:
        with parts.db.transaction() as session:  # only now, so that what is found stands below what happened
            enqueue(session, Job.RESUME, lock=lock_of(routine), surprise_id=surprise_id)
    passing(Point.TOLD)


def give_up(parts: JobParts, surprise_id: int, why: str) -> None:
    """It cannot be said in the thread; what is found out about it may still be."""
    log.error("surprise_not_told", surprise=surprise_id, why=why)
    _look_into(parts, surprise_id)


def _look_into(parts: JobParts, surprise_id: int) -> None:
    """Wake whoever finds out, once: an untold surprise is told again and again."""
    now = parts.clock.now()
    with parts.db.transaction() as session:
        question = session.get_one(SurpriseRow, surprise_id)
        routine = session.get_one(Routine, question.routine_id)
        if question.state is not SurpriseState.OPEN or question.cause is Cause.FAULT:
            return
        if claim_seen(session, f"surprise:{surprise_id}:untold", now):
            enqueue(session, Job.RESUME, lock=lock_of(routine), surprise_id=surprise_id)


def draw(parts: JobParts, card_id: int) -> None:
    """Post a card, or rewrite it as it stands now: decided, replaced, without buttons that no longer count."""
    with parts.db.transaction() as session:
        card = session.get_one(Card, card_id)
        routine = session.get_one(Routine, session.get_one(Plan, card.plan_id).routine_id)
        view = approval_view(session, parts.settings, card, parts.clock.now())
    key = f"card:{card_id}"
    if card.message_ts:
        parts.chat.update(MessageRef(card.channel_id, card.message_ts), view, key=key)
        return
    ref = post_once(parts, place_of(routine), view, key)
    with parts.db.transaction() as session:
        session.get_one(Card, card_id).message_ts = ref.ts


def ask(parts: JobParts, press_id: str) -> None:
    """Post a question, or show on it who answered."""
    with parts.db.transaction() as session:
        press = session.get_one(Press, press_id)
        task = session.get_one(Task, press.task_id)
    view = question_view(task, press)
    key = f"question:{press_id}"
    ref = post_once(parts, place_of(task), view, key)
    if press.used_at is not None:
        parts.chat.update(ref, view, key=key)


def say(
    parts: JobParts,
    key: str,
    team_id: str,
    channel_id: str,
    thread_ts: str,
    text: str,
    is_broadcast: bool = False,
    people: Sequence[str] = (),
) -> None:
    """A plain sentence, once."""
    place = Place(team_id, channel_id, thread_ts, is_broadcast)
    try:
        post_once(parts, place, NoteView(text, people=tuple(people)), key)
    except ChatGone as gone:
        tell_directly(parts, place, key, text, gone)


def _view(session: Session, question: SurpriseRow, routine: Routine) -> SurpriseView:
    run = session.get_one(Run, question.run_id)
    plan = session.get_one(Plan, run.plan_id)
    slot = session.get_one(Slot, question.slot_id)
    title, when = _title_and_slot(session, run.plan_id, routine, slot)
    body = question.body
    is_open = question.state is SurpriseState.OPEN
    return SurpriseView(
        cause=question.cause,
        routine=routine.name,
        title=title,
        slot=when,
        name=question.name,
        message=body["message"],
        seen=body["seen"],
        expected=body["expected"],
        rows=tuple(body["rows"]),
        foot=f"version {plan.version} ({short(plan.digest)})",
        times=question.times,
        next_step=_next_step(session, question, run.plan_id) if is_open else f"Answered: {question.answer}.",
        buttons=_buttons(session, known(question.id)) if is_open else (),
        people=who_left(body["message"]) if question.cause is Cause.FAULT else (),
    )


def _next_step(session: Session, question: SurpriseRow, plan_id: int) -> str:
    is_missing = question.cause is Cause.SURPRISE and question.name in MISSING
    if is_missing and _reads_channel(session, plan_id):
        return POST_IT
    return NEXT_STEP[question.cause]


def _reads_channel(session: Session, plan_id: int) -> bool:
    manifest = plans.readable_manifest(session, plan_id)
    return manifest is not None and isinstance(manifest.source, ChannelSource)


def _title_and_slot(session: Session, plan_id: int, routine: Routine, slot: Slot) -> tuple[str, str]:
    """Where the plan cannot be read any more, that is what has to be told: then by name and in UTC."""
    manifest = plans.readable_manifest(session, plan_id)
    if manifest is None:
        return routine.name, slot_words(slot.due_at, None)
    return manifest.title, slot_words(slot.due_at, schedule_of(manifest))


def _buttons(session: Session, surprise_id: int) -> tuple[Button, ...]:
    """The same buttons whenever the message is drawn again."""
    by_verb = {press.verb: press.id for press in plans.presses_of_surprise(session, surprise_id)}
    for verb in ANSWERS:
        if verb not in by_verb:
            by_verb[verb] = new_press(session, verb, surprise_id=surprise_id).id
    return tuple(Button(verb, by_verb[verb]) for verb in ANSWERS)
