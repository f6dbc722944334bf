"""Go on: a person lets the model spend another budget on a thread. The conversation hears of it when it is resumed."""

from datetime import datetime

from sqlmodel import Session

from bot.domain.approval import Cast, Lists, Shown, refusal
from bot.domain.people import Person
from bot.domain.words import CardState, Digest
from bot.store import history
from bot.store.plans import known
from bot.store.tables_plans import Press, Routine
from bot.store.tables_talk import Task
from bot.work.instruct import Refused
from bot.work.thread import wake


def grant(session: Session, lists: Lists, row: Press, person: Person, _reason: str, now: datetime) -> str:
    """Count one press and queue what was stopped. Raises Refused."""
    task = session.get_one(Task, known(row.task_id), with_for_update=True)
    routine = session.get(Routine, task.routine_id) if task.routine_id else None
    name = routine.name if routine else ""
    cast = Cast(task.team_id, task.requester_id, "", task.requester_id)
    shown = Shown(CardState.OPEN, Digest(""), Digest(""))
    if why_not := refusal(row.verb, person, cast, lists.of(task.channel_id, name), shown):
        raise Refused(why_not)
    if row.used_at is not None:
        raise Refused(f"<@{row.used_by}> said so already. Your press changed nothing.")
    row.used_by, row.used_at = person.user_id, now
    wake(session, task, row.surprise_id)
    history.append(session, now, "model.go_on", {"task": task.id, "by": person.user_id})
    return "I go on, with another budget for this thread."
