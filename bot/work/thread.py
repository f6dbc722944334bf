"""A task's thread: where it is, who may guide it by what they say there, and whether that was for a model."""

from bot.domain.people import Person
from bot.domain.ports import Place
from bot.store.tables_talk import Task

# Among a task's answers: somebody asked for what only a model can understand.
BY_MODEL = "by model"


def place_of(task: Task) -> Place:
    return Place(task.team_id, task.channel_id, task.thread_ts)


def is_outsider(person: Person, task: Task) -> bool:
    """Bots, guests and people of other workspaces are heard by nobody here."""
    return person.is_stranger or person.is_guest or person.is_bot or person.team_id != task.team_id


def wants_model(task: Task) -> bool:
    """Whether words of a person went beyond what the library's scripts can be told."""
    return BY_MODEL in task.answers
