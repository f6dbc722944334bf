"""Steps stream natively in a thread; where a stream is over or ended, the same message is rewritten instead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.errors import ChatUnclear
from bot.domain.ports import Place
from bot.domain.views import Step, StepsView
from bot.settings import Settings
from bot.slack.chat import SlackChat
from tests.desk_client import Desk

LOOK = Step("Looking at a sample", "in_progress")
DONE = replace(LOOK, status="complete", detail="40 lines stay in the box")
REHEARSE = Step("Rehearsing it", "in_progress")


@pytest.fixture
def thread(desk: Desk, lab: Place) -> Place:
    return replace(lab, thread_ts=desk.person("Alice").post("#lab", "a request").ts)


@pytest.fixture
def first(desk: Desk) -> StepsView:
    return StepsView("On it", (), desk.person("Alice").id)


def calls(desk: Desk) -> list[str]:
    found = [one["method"] for one in desk.ledger("call")]
    return [method for method in found if "Stream" in method or method in ("chat.update", "chat.postMessage")]


def test_steps_stream_and_are_a_message_like_any_other_once_they_are_over(
    chat: SlackChat, desk: Desk, thread: Place, first: StepsView
) -> None:
    ref = chat.post(thread, first, key="steps")
    chat.update(ref, replace(first, steps=(LOOK,)), key="steps")
    chat.update(ref, replace(first, steps=(DONE, REHEARSE)), key="steps")
    over = replace(first, title="The plan is below", steps=(DONE, replace(REHEARSE, status="complete")), is_over=True)
    chat.update(ref, over, key="steps")

    assert calls(desk) == ["chat.startStream", "chat.appendStream", "chat.appendStream", "chat.stopStream"]
    said = desk.messages("#lab")[-1]
    assert said.says("The plan is below", "Looking at a sample", "40 lines stay in the box", "Rehearsing it")
    assert chat.find(thread, "steps") == ref
    assert desk.refused() == []


def test_a_stream_that_slack_ended_goes_on_as_rewriting(
    chat: SlackChat, desk: Desk, thread: Place, first: StepsView
) -> None:
    ref = chat.post(thread, first, key="steps")
    desk.move_clock_to_weekday()  # far more than the minutes that a stream lives
    chat.update(ref, replace(first, steps=(DONE, REHEARSE)), key="steps")
    chat.update(ref, replace(first, steps=(DONE,), title="The plan is below", is_over=True), key="steps")

    assert desk.messages("#lab")[-1].says("The plan is below", "Looking at a sample")
    assert calls(desk)[-1] == "chat.update"


def test_what_a_process_that_ended_left_open_is_closed_once_and_rewritten(
    chat: SlackChat, desk: Desk, settings: Settings, thread: Place, first: StepsView
) -> None:
    ref = chat.post(thread, replace(first, steps=(LOOK,)), key="steps")

    heir = SlackChat(settings)
    assert heir.find(thread, "steps") == ref  # by its tasks: it carries no metadata yet
    for steps in ((DONE,), (DONE, REHEARSE)):
        heir.update(ref, replace(first, steps=steps), key="steps")

    assert calls(desk) == ["chat.startStream", "chat.stopStream", "chat.update", "chat.update"]
    assert desk.messages("#lab")[-1].says("Rehearsing it")


def test_a_stream_whose_start_was_lost_is_found_and_not_begun_again(
    chat: SlackChat, desk: Desk, thread: Place, first: StepsView
) -> None:
    desk.fault("lost_reply", "chat.startStream")
    with pytest.raises(ChatUnclear):
        chat.post(thread, first, key="steps")
    assert chat.find(thread, "steps") is not None


def test_more_steps_than_a_plan_shows_are_summed_up(
    chat: SlackChat, desk: Desk, thread: Place, first: StepsView
) -> None:
    ref = chat.post(thread, first, key="steps")
    for many in (20, 21, 40):
        steps = tuple(replace(DONE, text=f"Step {number}") for number in range(many))
        chat.update(ref, replace(first, steps=steps), key="steps")

    assert desk.messages("#lab")[-1].says("20 earlier steps", "Step 39")
