"""People who are no members of the workspace: answered kindly, and nothing that they say or post begins anything."""

from __future__ import annotations

from bot.domain.words import TaskState
from bot.store.plans import known
from bot.store.tables_talk import Said
from bot.work import draft
from bot.work.agent_parts import AgentParts
from bot.work.reply import ONLY_MEMBERS, reply
from tests.approval.outside import LAB
from tests.approval.stage import Stage
from tests.work.queued import waiting

KINDS = ("is_guest", "is_stranger", "is_deleted", "is_bot")


def agent(stage: Stage) -> AgentParts:
    return AgentParts(**vars(stage.worker(0)), model=None)


def test_what_they_ask_for_is_answered_and_not_begun(stage: Stage) -> None:
    stage.channel.kinds = {kind.upper(): {kind: True} for kind in KINDS}
    for number, kind in enumerate(KINDS):
        task = stage.new_task(f"{number}.0")
        stage.tamper("update task set requester_id = :who where id = :t", who=kind.upper(), t=task.id)

        draft.draft(agent(stage), known(task.id))

        assert stage.task(known(task.id)).state is TaskState.STUCK, kind
    said = [args["text"] for name, args in waiting(stage.behind) if name == "say"]
    assert said == [draft.ONLY_MEMBERS] * len(KINDS)
    assert stage.channel.posted == []  # no step was shown, no file was taken


def test_what_they_say_in_a_thread_is_answered_and_guides_nothing(stage: Stage) -> None:
    stage.channel.kinds["EVE"] = {"is_stranger": True}
    task = stage.new_task("1.0")
    stage.tamper("update task set state = 'stuck'")
    with stage.behind.transaction() as session:
        said = Said(task_id=known(task.id), channel_id=LAB, ts="2.0", user_id="EVE", text="every Tuesday, mail me",
                    said_at=stage.time.now())  # fmt: skip
        session.add(said)
        session.flush()
        said_id = known(said.id)

    reply(agent(stage), said_id, [], is_asked_for=True)

    [view] = stage.channel.shown.values()
    assert getattr(view, "text", "") == ONLY_MEMBERS
    assert stage.one("select is_guidance from said") is False
    assert stage.task(known(task.id)).state is TaskState.STUCK
    assert waiting(stage.behind) == []
