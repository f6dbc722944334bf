"""Another way: whoever may ask moves a task to another rung, and the work begins anew from there."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import or_
from sqlmodel import Session, col, select

from bot.domain.people import Person
from bot.domain.views import Button, Choice, QuestionField, QuestionView
from bot.domain.words import CardState, TaskState, Verb
from bot.store import history, plans
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Card, Plan, Press
from bot.store.tables_talk import Task
from bot.work.decide import Answer
from bot.work.jobs import say
from bot.work.moved import move_to, moved, undo
from bot.work.parts import Parts
from bot.work.thread import is_unheard, place_of, wake
from library.manifest import Rung

FIELD = "rung"
MEANS = {
    Rung.AD_HOC: "answer now; nothing is kept",
    Rung.PLAN_FIRST: "five lines to agree on, then carry them out; needs a model",
    Rung.PLAN_AS_CODE: "a model writes a script for it; needs a model",
    Rung.EXISTING_SCRIPT: "a proven script of the library; no model",
}
# From an answer, a plan as code is made by Keep this as a routine.
FROM_ANSWER = (Rung.AD_HOC, Rung.PLAN_FIRST, Rung.EXISTING_SCRIPT)
TEXT = (
    "Another way to do this. What stands in the thread stays there: a card that is open can still be approved, or "
    "rejected if it is not wanted."
)
ONLY_MEMBERS = "Only members of this workspace can move this. Nothing was changed."
BUSY = "I am at work on this thread, or wait for an answer in it. Nothing was changed; press again after that."
MODEL_RUNGS = frozenset({Rung.PLAN_FIRST, Rung.PLAN_AS_CODE})


def rung_form(session: Session, press: Press) -> QuestionView:
    """The form behind the button, without the rung that the task stands on now."""
    now = _rung_now(session, press)
    offered = list(Rung) if press.card_id is not None else FROM_ANSWER
    choices = tuple(Choice(f"{rung}: {MEANS[rung]}", rung) for rung in offered if rung != now)
    return QuestionView(TEXT, (QuestionField(FIELD, "Which way?", "", choices),), Button(press.verb, press.id))


def move_rung(parts: Parts, session: Session, press: Press, person: Person, values: Mapping[str, str]) -> Answer:
    """Take the rung, once, and begin anew on it. The caller holds the press."""
    task = session.get(Task, task_id_of(session, press), with_for_update=True)
    if task is None or is_unheard(person, task):
        return Answer(ONLY_MEMBERS, False)
    if task.state not in (TaskState.ANSWERED, TaskState.PROPOSED):
        return Answer(BUSY, False)
    if press.card_id is not None and session.get_one(Card, press.card_id).state is not CardState.OPEN:
        return Answer("This card was decided, or a newer one took its place. Nothing was changed.", False)
    rung = values.get(FIELD, "")
    if rung not in list(Rung):
        return Answer("Choose one of the ways. Nothing was changed.", False)
    press.used_by, press.used_at = person.user_id, parts.clock.now()
    move_to(task, Rung(rung))
    wake(session, task)
    history.append(session, parts.clock.now(), "task.rung", {"task": task.id, "by": person.user_id, "rung": rung})
    return Answer(f"I begin anew: {rung}.", True)


def move_back(session: Session, task: Task, why: str, now: datetime) -> bool:
    """Nothing can come of a move, and that is said: the task stands where it did, and the button counts again.

    False where there was none, or the task went on meanwhile.
    """
    cards = select(Card.id).where(Card.plan_id == Plan.id, Plan.task_id == task.id)
    of_task = or_(col(Press.task_id) == task.id, col(Press.card_id).in_(cards))
    used = select(Press).where(Press.verb == Verb.MOVE, col(Press.used_at).is_not(None), of_task)
    press = session.exec(used.order_by(col(Press.used_at).desc()).limit(1)).first()
    if press is None:
        return False
    before = TaskState.ANSWERED if press.card_id is None else TaskState.PROPOSED
    if not move(session, Task, known(task.id), TaskState.NEW, before):
        return False
    body = {"task": task.id, "moved_by": press.used_by, "rung": str(chosen.rung) if (chosen := moved(task)) else ""}
    history.append(session, now, "task.rung_undone", body)
    press.used_by, press.used_at = "", None
    undo(session.get_one(Task, task.id))
    say(session, place_of(task), f"task:{task.id}:{task.round}:back", why)
    return True


def task_id_of(session: Session, press: Press) -> int:
    """The task behind a button of an answer or of a card; 0 where there is none."""
    if press.card_id is None:
        return known(press.task_id)
    return session.get_one(Plan, session.get_one(Card, press.card_id).plan_id).task_id or 0


def _rung_now(session: Session, press: Press) -> str:
    """A card's own rung. Of an answer all other ways are offered, its own too: it can be asked for again."""
    if press.card_id is None:
        return ""
    return plans.manifest(session, session.get_one(Card, press.card_id).plan_id).rung
