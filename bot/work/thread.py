"""A task's thread: where it is, whose words count in it, and how the work in it is woken."""

from sqlmodel import Session

from bot.domain.people import Person, is_outsider
from bot.domain.ports import Place
from bot.domain.words import TaskState
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_talk import Task
from bot.work.jobs import Job, enqueue


def place_of(home: Task | Routine) -> Place:
    """The thread in which a task was asked for, which is its routine's too."""
    return Place(home.team_id, home.channel_id, home.thread_ts)


def lock_of(home: Task | Routine) -> str:
    """The queue's lock under which everything about one thread happens in order."""
    return f"thread:{home.team_id}:{home.channel_id}:{home.thread_ts}"


def is_unheard(person: Person, task: Task) -> bool:
    """Whether what they say in the task's thread counts for nothing: outsiders, bots, people of other workspaces."""
    return is_outsider(person) or person.is_bot or person.team_id != task.team_id


def is_current(session: Session, task: Task) -> bool:
    """Whether the work on a task still is what is wanted: nothing has ended or restarted it since `task` was read.

    The task's row is held from here to the end of the transaction.
    """
    now = session.get_one(Task, known(task.id), with_for_update=True, populate_existing=True)
    return (now.state, now.round) == (task.state, task.round)


def wake(session: Session, task: Task, surprise_id: int | None = None) -> None:
    """Queue another round of work: on an open surprise, or on the draft anew. The caller holds the task's row."""
    task.round += 1
    if surprise_id is not None:
        enqueue(session, Job.RESUME, lock=lock_of(task), surprise_id=surprise_id)
    else:
        if task.state is not TaskState.NEW:
            move(session, Task, known(task.id), task.state, TaskState.NEW)
        enqueue(session, Job.DRAFT, lock=lock_of(task), task_id=known(task.id))
