"""Which rung somebody moved a task to; kept among the task's answers, since it is one of theirs."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.tables_talk import Task
from library.manifest import Rung

_ANSWER = "rung moved to"
_BEFORE = "before it moved"


@dataclass(frozen=True)
class Moved:
    """`round` is the round of work that began with it, so that each move is told to the model once."""

    rung: Rung
    round: int

    def __str__(self) -> str:
        return f"{self.rung}:{self.round}"


def moved(task: Task) -> Moved | None:
    """The last move, where nothing has undone it."""
    rung, _, number = str(task.answers.get(_ANSWER, "")).partition(":")
    return Moved(Rung(rung), int(number)) if rung else None


def move_to(task: Task, rung: Rung) -> None:
    """The next round of work is on this rung, and so are those after it."""
    before = {"rung": task.answers.get(_ANSWER, ""), "wants_model": task.wants_model}
    task.answers = {**task.answers, _ANSWER: str(Moved(rung, task.round + 1)), _BEFORE: before}
    task.wants_model = False


def unmove(task: Task) -> None:
    """What the task itself says counts again."""
    task.answers = {name: value for name, value in task.answers.items() if name not in (_ANSWER, _BEFORE)}


def undo(task: Task) -> None:
    """As if the last move had not been: the one before it counts again, and so does a wish for a model."""
    before = task.answers.get(_BEFORE) or {}
    unmove(task)
    if before.get("rung"):
        task.answers = {**task.answers, _ANSWER: before["rung"]}
    task.wants_model = task.wants_model or bool(before.get("wants_model"))
