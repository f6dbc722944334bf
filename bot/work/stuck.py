"""What becomes of a task for which there is no plan: people are told why, and can go on from there."""

from bot.agent.picker import NEEDS_MODEL
from bot.domain.words import TaskState
from bot.log import log
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_talk import Task
from bot.work.jobs import say
from bot.work.move_rung import move_back
from bot.work.parts import JobParts
from bot.work.thread import is_current, place_of


def stuck(parts: JobParts, task: Task, why: str) -> None:
    """Say why there is no plan; a reply starts another round."""
    log.info("task_stuck", task=task.id, why=why)
    with parts.db.transaction() as session:
        if is_current(session, task) and move(session, Task, known(task.id), TaskState.NEW, TaskState.STUCK):
            say(session, place_of(task), f"task:{task.id}:{task.round}:stuck", why)


def stay(parts: JobParts, task: Task) -> None:
    """A way that needs a model, and there is none: all is as it was before it was chosen."""
    words = f"What stands above stays as it is. {NEEDS_MODEL}"
    with parts.db.transaction() as session:
        is_back = is_current(session, task) and move_back(session, task, words, parts.clock.now())
    if not is_back:
        stuck(parts, task, words)
