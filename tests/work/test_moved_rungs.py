"""Another way, and Keep this as a routine: who may, from where, once; all other presses change nothing and say why."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.domain.people import Person
from bot.domain.words import TaskState, Verb
from bot.store.plans import known, new_press
from bot.store.tables_talk import Task
from bot.work import questions
from bot.work.agent_parts import AgentParts
from bot.work.decide import Answer
from bot.work.draft import draft
from bot.work.moved import moved
from library.manifest import Rung
from tests.approval.hands import button_of, person, press, proposed
from tests.approval.outside import TEAM
from tests.approval.stage import Stage
from tests.work.queued import jobs_vanish, waiting

ALICE = person("ALICE")


def choose(stage: Stage, press_id: str, values: dict[str, str], by: Person = ALICE) -> Answer:
    return questions.answer(stage.worker(0), press_id, by, values)


def of_card(stage: Stage) -> tuple[str, int]:
    """The button on an open card of version 1, and the task behind it."""
    plan_id = proposed(stage)
    task_id = int(stage.one("select task_id from plan where id = :p", p=plan_id))
    jobs_vanish(stage.behind)
    return button_of(stage, plan_id, Verb.MOVE), task_id


def of_answer(stage: Stage, verb: Verb) -> tuple[str, int]:
    """The button below an answer, and the task behind it."""
    task = stage.new_task("1.0")
    with stage.behind.transaction() as session:
        session.get_one(Task, task.id).state = TaskState.ANSWERED
        return new_press(session, verb, task_id=task.id).id, known(task.id)


def rounds(stage: Stage, task_id: int) -> tuple[TaskState, int, list[str]]:
    task = stage.task(task_id)
    return task.state, task.round, [name for name, _ in waiting(stage.behind) if name == "draft"]


def test_from_a_card_each_other_rung_is_offered_and_the_work_begins_anew_on_the_chosen_one(stage: Stage) -> None:
    press_id, task_id = of_card(stage)

    form = questions.question(stage.worker(0), press_id)
    assert form is not None
    assert [one.value for one in form.fields[0].choices] == [Rung.AD_HOC, Rung.PLAN_FIRST, Rung.PLAN_AS_CODE]

    answer = choose(stage, press_id, {"rung": "plan first"}, by=person("CAROL"))

    assert answer == Answer("I begin anew: plan first.", True)
    assert rounds(stage, task_id) == (TaskState.NEW, 2, ["draft"])
    chosen = moved(stage.task(task_id))
    assert chosen is not None and chosen.rung is Rung.PLAN_FIRST
    assert stage.one("select body->>'by' from history where kind = 'task.rung'") == "CAROL"

    # The card stands, and the same button counts once
    assert stage.one("select state from card") == "open"
    assert "<@CAROL> answered this already" in choose(stage, press_id, {"rung": "ad hoc"}).text
    assert rounds(stage, task_id) == (TaskState.NEW, 2, ["draft"])


def test_from_an_answer_all_that_answer_are_offered_its_own_too(stage: Stage) -> None:
    press_id, task_id = of_answer(stage, Verb.MOVE)

    form = questions.question(stage.worker(0), press_id)
    assert form is not None
    assert [one.value for one in form.fields[0].choices] == [Rung.AD_HOC, Rung.PLAN_FIRST, Rung.EXISTING_SCRIPT]
    assert all(": " in one.label for one in form.fields[0].choices)

    assert choose(stage, press_id, {"rung": "ad hoc"}).accepted
    assert rounds(stage, task_id) == (TaskState.NEW, 2, ["draft"])


@pytest.mark.parametrize("kind", ["is_guest", "is_stranger", "is_deleted", "is_bot"])
def test_whoever_is_no_member_moves_and_keeps_nothing(stage: Stage, kind: str) -> None:
    move, task_id = of_card(stage)
    keep, _ = of_answer(stage, Verb.KEEP)
    eve = person("EVE", **{kind: True})

    for press_id, values in ((move, {"rung": "ad hoc"}), (keep, {"schedule": "every Monday at 7"})):
        answer = choose(stage, press_id, values, by=eve)
        assert (answer.accepted, "Only members of this workspace" in answer.text) == (False, True)
    assert rounds(stage, task_id)[:2] == (TaskState.PROPOSED, 1)


def test_a_member_of_another_workspace_moves_and_keeps_nothing(stage: Stage) -> None:
    move, task_id = of_answer(stage, Verb.MOVE)
    far = Person("FAR", f"{TEAM}X", "Far")

    assert choose(stage, move, {"rung": "ad hoc"}, by=far).text.startswith("Only members of this workspace")
    assert rounds(stage, task_id) == (TaskState.ANSWERED, 1, [])


def test_what_is_no_rung_what_is_busy_and_what_was_decided_change_nothing(stage: Stage) -> None:
    press_id, task_id = of_card(stage)

    for values in ({}, {"rung": ""}, {"rung": "guess"}):
        assert choose(stage, press_id, values).text == "Choose one of the ways. Nothing was changed."
    for state in (TaskState.NEW, TaskState.ASKING):
        stage.tamper("update task set state = :s", s=state)
        assert choose(stage, press_id, {"rung": "ad hoc"}).text.startswith("I am at work on this thread")
    stage.tamper("update task set state = 'proposed'")
    press(stage, int(stage.one("select id from plan")))
    assert choose(stage, press_id, {"rung": "ad hoc"}).text.startswith("This card was decided")
    assert rounds(stage, task_id)[:2] == (TaskState.PROPOSED, 1)
    assert choose(stage, "no-such-press", {"rung": "ad hoc"}).text == "I do not know this form; nothing was changed."


def test_an_answer_is_kept_with_a_time_that_comes_back_and_once(stage: Stage) -> None:
    press_id, task_id = of_answer(stage, Verb.KEEP)

    for when in ("", "once, now", "when the moon is full"):
        answer = choose(stage, press_id, {"schedule": when})
        assert not answer.accepted and answer.text, when
    assert rounds(stage, task_id) == (TaskState.ANSWERED, 1, [])

    assert choose(stage, press_id, {"schedule": "every Monday at 07:00"}, by=person("BOB")).accepted
    assert rounds(stage, task_id) == (TaskState.NEW, 2, ["draft"])
    assert stage.task(task_id).answers["schedule"] == "every Monday at 07:00"
    assert "<@BOB> answered this already" in choose(stage, press_id, {"schedule": "every Friday at 9"}).text


def test_an_answer_that_was_worked_on_since_is_not_kept(stage: Stage) -> None:
    press_id, task_id = of_answer(stage, Verb.KEEP)
    stage.tamper("update task set state = 'new'")

    assert choose(stage, press_id, {"schedule": "every Monday at 07:00"}).text.startswith("This thread has moved on")
    assert rounds(stage, task_id) == (TaskState.NEW, 1, [])


@pytest.mark.parametrize(("place", "state"), [(of_card, TaskState.PROPOSED), (of_answer, TaskState.ANSWERED)])
def test_without_a_model_a_way_that_needs_one_changes_nothing_and_another_can_be_chosen(
    stage: Stage, place: Callable[..., tuple[str, int]], state: TaskState
) -> None:
    # Given a task for which somebody wished for a model, that somebody moves to a plan first, and no model
    press_id, task_id = place(stage) if place is of_card else place(stage, Verb.MOVE)
    stage.tamper("update task set wants_model = true")
    assert choose(stage, press_id, {"rung": "plan first"}).accepted

    # When the work begins
    draft(AgentParts(**vars(stage.worker(0)), model=None), task_id)

    # Then it says what it lacks, the task stands where it stood, and the same button moves it elsewhere
    said = [args["text"] for name, args in waiting(stage.behind) if name == "say"]
    assert any("What stands above stays as it is" in words for words in said)
    assert (stage.task(task_id).state, moved(stage.task(task_id))) == (state, None)
    assert stage.task(task_id).wants_model
    undone = "select body->>'rung', body->>'moved_by' from history where kind = 'task.rung_undone'"
    assert [tuple(row) for row in stage.rows(undone)] == [("plan first", "ALICE")]
    assert choose(stage, press_id, {"rung": "ad hoc"}).accepted


def test_a_move_that_comes_to_nothing_leaves_the_one_before_it(stage: Stage) -> None:
    press_id, task_id = of_answer(stage, Verb.MOVE)
    assert choose(stage, press_id, {"rung": "ad hoc"}).accepted
    with stage.behind.transaction() as session:
        session.get_one(Task, task_id).state = TaskState.ANSWERED
        again = new_press(session, Verb.MOVE, task_id=task_id).id

    assert choose(stage, again, {"rung": "plan first"}).accepted
    draft(AgentParts(**vars(stage.worker(0)), model=None), task_id)

    chosen = moved(stage.task(task_id))
    assert chosen is not None and chosen.rung is Rung.AD_HOC
