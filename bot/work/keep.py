"""Keep this as a routine: what was answered once gets a time, and goes the normal way to a card and its approval."""

from collections.abc import Mapping

from sqlmodel import Session

from bot.domain.answers import EXAMPLES, SCHEDULE, problem
from bot.domain.people import Person
from bot.domain.rhythm import is_once
from bot.domain.views import Button, QuestionField, QuestionView
from bot.domain.words import TaskState
from bot.store import history, talk
from bot.store.plans import known
from bot.store.tables_plans import Press
from bot.store.tables_talk import Task
from bot.work.decide import Answer
from bot.work.moved import unmove
from bot.work.parts import Parts
from bot.work.thread import is_unheard, wake

TEXT = (
    "The script that gave this answer becomes a routine: it is rehearsed on this data, stands on a card, and runs only "
    "once a teammate has approved it."
)
WHEN = QuestionField(SCHEDULE, "When should it run?", EXAMPLES)
ONLY_MEMBERS = "Only members of this workspace can keep this. Nothing was changed."


def keep_form(press: Press) -> QuestionView:
    """The form behind the button."""
    return QuestionView(TEXT, (WHEN,), Button(press.verb, press.id))


def keep(parts: Parts, session: Session, press: Press, person: Person, values: Mapping[str, str]) -> Answer:
    """Take the time, once, and draft the routine. The caller holds the press."""
    task = session.get_one(Task, known(press.task_id), with_for_update=True)
    if is_unheard(person, task):
        return Answer(ONLY_MEMBERS, False)
    if task.state is not TaskState.ANSWERED:
        return Answer("This thread has moved on since: look at its end. Nothing was changed.", False)
    when = values.get(SCHEDULE, "").strip()
    wrong = problem(SCHEDULE, when, parts.settings.default_time)
    if wrong or not when or is_once(when):
        return Answer(wrong or f"A routine comes back. {EXAMPLES}", False)
    press.used_by, press.used_at = person.user_id, parts.clock.now()
    talk.take_over(task, person.user_id)  # whoever wants it to come back asks for that, and approves it not
    unmove(task)
    task.answers = {**task.answers, SCHEDULE: when}
    wake(session, task)
    history.append(session, parts.clock.now(), "task.keep", {"task": task.id, "by": person.user_id, "when": when})
    return Answer("I draft it as a routine. A card for a teammate to approve comes below.", True)
