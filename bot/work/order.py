"""An order that somebody gave in a routine's thread: done once, and answered there."""

from bot.domain.orders import order_in
from bot.store import talk
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_talk import Said, Task
from bot.work import govern
from bot.work.jobs import say
from bot.work.parts import JobParts
from bot.work.thread import place_of


def obey(parts: JobParts, said_id: int) -> None:
    """Order and answer are one transaction; a job that comes twice finds that it was done."""
    with parts.db.transaction() as session:
        said = session.get_one(Said, said_id)
    order = order_in(said.text)
    if order is None:
        return
    prepared = govern.prepared(parts, order, parts.chat.person(said.user_id))
    now = parts.clock.now()
    with parts.db.transaction() as session:
        task = session.get_one(Task, said.task_id)
        if talk.claim_seen(session, f"order:{said_id}", now):
            answer = govern.obeyed(session, known(task.routine_id), prepared, now)
            owner_id = session.get_one(Routine, task.routine_id).owner_id
            say(session, place_of(task), f"said:{said_id}:answer", answer.text, (owner_id,))


def give_up(parts: JobParts, said_id: int, why: str) -> None:
    """It cannot be done: whoever asked must not believe that it was."""
    with parts.db.transaction() as session:
        said = session.get_one(Said, said_id)
        task = session.get_one(Task, said.task_id)
        words = f"I could not do this, so nothing was changed. {why} Say it here once more."
        say(session, place_of(task), f"said:{said_id}:answer", words)
