"""A thread of the workspace: where it is, whose words count in it, and whether they were for a model."""

from bot.domain.people import Person, is_outsider
from bot.domain.ports import Place
from bot.store.tables_plans import Routine
from bot.store.tables_talk import Task

# Among a task's answers: somebody asked for what only a model can understand.
BY_MODEL = "by model"


def place_of(home: Task | Routine) -> Place:
    """The thread in which a task was asked for, which is its routine's too."""
    return Place(home.team_id, home.channel_id, home.thread_ts)


def lock_of(home: Task | Routine) -> str:
    """The queue's lock under which everything about one thread happens in order."""
    return f"thread:{home.channel_id}:{home.thread_ts}"


def is_unheard(person: Person, task: Task) -> bool:
    """Whether what they say in the task's thread counts for nothing: outsiders, bots, people of other workspaces."""
    return is_outsider(person) or person.is_bot or person.team_id != task.team_id


def wants_model(task: Task) -> bool:
    """Whether words of a person went beyond what the library's scripts can be told."""
    return BY_MODEL in task.answers
