"""Replies in the thread of an answer: what was said while it was made counts; what people say later is their own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.domain.ports import WorkspaceFile
from bot.domain.words import TaskState
from bot.store import agent as conversations
from bot.store import talk
from bot.store.plans import known
from bot.store.tables_talk import Post, Said, Task
from bot.work.agent_parts import AgentParts
from bot.work.intake import moment_of
from bot.work.once import basis_key
from bot.work.reply import UNCLEAR, reply
from tests.approval.outside import LAB, TEAM
from tests.approval.stage import Stage
from tests.work.queued import waiting
from tests.work.test_cost import FROZEN

ANSWERED_AT = 1_780_000_010


def answered(stage: Stage, *, by_model: bool) -> Task:
    """A question that was answered, by a model or by the library, from one file."""
    thread_ts = f"{int(by_model)}.0"
    task = stage.new_task(thread_ts)
    with stage.behind.transaction() as session:
        session.get_one(Task, task.id).state = TaskState.ANSWERED
        if by_model:
            conversations.begin(session, known(task.id), TEAM, FROZEN, stage.time.now())
        session.add(
            Post(
                key=basis_key(task),
                team_id=TEAM,
                channel_id=LAB,
                thread_ts=thread_ts,
                ts=f"{ANSWERED_AT}.000100",
                claimed_at=stage.time.now(),
            )
        )
        file = WorkspaceFile(file_id=f"F{thread_ts}", name="basel.csv", size_bytes=10, mimetype="text/csv", url="")
        talk.note_file(session, TEAM, LAB, thread_ts, "ALICE", stage.time.now() - timedelta(hours=1), file)
    return task


def say(
    stage: Stage, task: Task, text: str, ts: float, *, is_asked_for: bool = False, files: Sequence[str] = ()
) -> list[str]:
    """What is answered to a reply, after its job ran."""
    with stage.behind.transaction() as session:
        said = Said(
            task_id=known(task.id), channel_id=LAB, ts=f"{ts:.6f}", user_id="BOB", text=text, said_at=moment_of(str(ts))
        )
        session.add(said)
        session.flush()
        said_id = known(said.id)
    before = set(stage.channel.shown)
    parts = stage.worker(0)
    reply(AgentParts(**vars(parts), model=None), said_id, list(files), is_asked_for)
    return [getattr(view, "text", "") for key, view in stage.channel.shown.items() if key not in before]


def test_what_was_said_before_the_answer_is_read_and_what_is_said_after_it_is_not_for_standby(stage: Stage) -> None:
    by_model, by_library = answered(stage, by_model=True), answered(stage, by_model=False)

    # The model had asked for the last time, so nobody has read it; a proven script takes no words on its way
    assert say(stage, by_model, "Rank them by what they lose", ANSWERED_AT - 5) == [UNCLEAR]
    assert say(stage, by_library, "Rank them by what they lose", ANSWERED_AT - 6) == []
    assert say(stage, by_model, "Good to know", ANSWERED_AT + 5) == []
    assert say(stage, by_library, "Good to know", ANSWERED_AT + 6) == []


def test_a_file_is_left_out_of_an_answer_by_a_reply_and_the_work_begins_anew(stage: Stage) -> None:
    task = answered(stage, by_model=False)

    assert say(stage, task, "leave out basel.csv", ANSWERED_AT + 60, is_asked_for=True) == []

    assert stage.task(known(task.id)).state is TaskState.NEW
    assert [name for name, _ in waiting(stage.behind)] == ["draft"]


def test_a_time_alone_says_nothing_of_an_answer(stage: Stage) -> None:
    task = answered(stage, by_model=False)

    assert say(stage, task, "at 08:30", ANSWERED_AT + 60, is_asked_for=True) == [UNCLEAR]
    assert stage.task(known(task.id)).state is TaskState.ANSWERED


def test_a_file_that_comes_while_a_form_is_open_is_looked_at_before_anything_is_asked_again(stage: Stage) -> None:
    task = answered(stage, by_model=False)
    with stage.behind.transaction() as session:
        row = session.get_one(Task, task.id)
        row.state, row.question = TaskState.ASKING, {"text": "?", "fields": [], "surprise_id": None}

    assert say(stage, task, "here is the other file", ANSWERED_AT + 60, files=["F9"]) == []

    assert stage.task(known(task.id)).state is TaskState.NEW
    assert [name for name, _ in waiting(stage.behind)] == ["draft"]
