"""Questions that have to be answered before a plan can be proposed: stored, shown as a form, answered once."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session

from bot.domain.answers import problem
from bot.domain.people import Person, is_outsider
from bot.domain.views import Button, Choice, QuestionField, QuestionView
from bot.domain.words import TaskState, Verb
from bot.store.guarded import move
from bot.store.plans import known, new_press
from bot.store.tables_plans import Press
from bot.store.tables_talk import Task
from bot.work.decide import Answer
from bot.work.jobs import Job, enqueue
from bot.work.keep import keep, keep_form
from bot.work.move_rung import move_rung, rung_form
from bot.work.parts import Parts
from bot.work.thread import wake


def ask(parts: Parts, task: Task, text: str, fields: tuple[QuestionField, ...], surprise_id: int | None = None) -> None:
    """Store a question and queue its posting, unless the task is not waiting for one any more.

    With a surprise, its answer goes on with that; without one, with the draft.
    """
    asked = {"text": text, "fields": [_as_json(field) for field in fields], "surprise_id": surprise_id}
    with parts.db.transaction() as session:
        if move(session, Task, known(task.id), task.state, TaskState.ASKING, question=asked):
            press = new_press(session, Verb.ANSWER, task_id=task.id)
            enqueue(session, Job.ASK, press_id=press.id)


def question(parts: Parts, press_id: str) -> QuestionView | None:
    """The open question behind a button; None when it was answered or never asked."""
    with parts.db.transaction() as session:
        press = session.get(Press, press_id)
        if press is None or press.used_at is not None:
            return None
        if press.verb is Verb.MOVE:
            return rung_form(session, press)
        if press.task_id is None:
            return None
        if press.verb is Verb.KEEP:
            return keep_form(press)
        return question_view(session.get_one(Task, press.task_id), press)


def answer(parts: Parts, press_id: str, person: Person, values: Mapping[str, str]) -> Answer:
    """Take the answers once and go on drafting. Only members of the workspace may answer."""
    if is_outsider(person) or person.is_bot:
        return Answer("Only members of this workspace can answer this. Nothing was changed.", False)
    with parts.db.transaction() as session:
        press = session.get(Press, press_id, with_for_update=True)
        if press is None or (press.task_id is None and press.verb is not Verb.MOVE):
            return Answer("I do not know this form; nothing was changed.", False)
        if press.used_at is not None:
            return Answer(f"<@{press.used_by}> answered this already. Nothing was changed.", False)
        if press.verb is Verb.MOVE:
            return move_rung(parts, session, press, person, values)
        if press.verb is Verb.KEEP:
            return keep(parts, session, press, person, values)
        task = session.get_one(Task, known(press.task_id), with_for_update=True)
        if task.state is not TaskState.ASKING:
            return Answer("This was answered in the thread already. Nothing was changed.", False)
        given = {name: value.strip() for name, value in values.items() if value.strip()}
        if missing := [field["label"] for field in task.question["fields"] if field["name"] not in given]:
            return Answer(f"Still missing: {', '.join(missing)}. Nothing was changed.", False)
        wrong = [problem(name, value, parts.settings.default_time) for name, value in given.items()]
        if any(wrong):
            return Answer(" ".join(filter(None, wrong)), False)
        press.used_by, press.used_at = person.user_id, parts.clock.now()
        task.answers = {**task.answers, **given}
        enqueue(session, Job.ASK, press_id=press.id)
        go_on(session, task)
    return Answer("Thank you, I go on.", True)


def go_on(session: Session, task: Task) -> None:
    """Queue what an answered question was in the way of."""
    surprise_id = task.question.get("surprise_id")
    if surprise_id is not None:
        move(session, Task, known(task.id), task.state, TaskState.PROPOSED)
    wake(session, task, surprise_id)


def question_view(task: Task, press: Press) -> QuestionView:
    """The question as it stands: with its button, or with who answered."""
    fields = tuple(_field(keys) for keys in task.question["fields"])
    button = None if press.used_at else Button(Verb.ANSWER, press.id)
    return QuestionView(task.question["text"], fields, button, press.used_by)


def _as_json(field: QuestionField) -> dict[str, Any]:
    return {
        "name": field.name,
        "label": field.label,
        "hint": field.hint,
        "initial": field.initial,
        "choices": [[choice.label, choice.value] for choice in field.choices],
    }


def _field(keys: dict[str, Any]) -> QuestionField:
    choices = tuple(Choice(label, value) for label, value in keys["choices"])
    return QuestionField(keys["name"], keys["label"], keys["hint"], choices, keys["initial"])
