"""/standby, word by word: whatever is typed, about a routine in any state and by anybody, gets an answer that helps."""

from __future__ import annotations

from itertools import count

import pytest

from bot.domain.orders import Order, Said
from bot.slack.cards import render
from bot.work import command, govern
from tests.approval.hands import person, press, proposed
from tests.approval.outside import LAB
from tests.approval.stage import Stage
from tests.desk_seen import texts_in

NAME = "weekly-error-report"
_keys = count()


def typed(stage: Stage, text: str, by: str = "ALICE") -> str:
    """Everything that the answer says; it is postable, or rendering it would fail."""
    card = render(command.answer(stage.worker(0), by, LAB, text, f"typed:{next(_keys)}"))
    return "\n".join(texts_in(card.blocks))


def in_state(stage: Stage, state: str) -> Stage:
    if state == "none":
        return stage
    plan_id = proposed(stage)
    if state != "draft":
        press(stage, plan_id)
    if state in ("paused", "retired"):
        order = Order.PAUSE if state == "paused" else Order.RETIRE
        assert govern.give(stage.worker(0), routine_id(stage), Said(order), person("ALICE"), "to begin").accepted
    assert state_of(stage) == state
    return stage


def routine_id(stage: Stage) -> int:
    return int(stage.one("select id from routine"))


def state_of(stage: Stage) -> str:
    return str(stage.one("select state from routine"))


# By state of the only routine: what is typed, and what is answered.
TYPED = {
    "none": [
        ("list", "There is no routine yet that you can see. Mention me in a channel"),
        ("show", "Which one? There is no routine yet"),
        ("run report", "I know no routine called “report” that you can see. There is no routine yet"),
        ("cost", "There is no routine yet"),
    ],
    "draft": [
        (f"run {NAME}", "No version of this was approved yet, so there is nothing to run"),
        (f"pause {NAME}", "No version of this was approved yet, so there is nothing to pause"),
        (f"resume {NAME}", "No version of this was approved yet, so there is nothing to resume"),
        (f"history {NAME}", "It has not run yet."),
        (f"show {NAME}", "Version 1 waits for approval"),
    ],
    "active": [
        ("show nosuch", f"I know no routine called “nosuch” that you can see. Say its name: {NAME}."),
        (f"show {NAME[:-2]}", f"Say its name: {NAME}."),
        ("SHOW Weekly Error  Report", "Sends to"),
        (f"show “{NAME}”", "Sends to"),
        ("show", "Sends to"),
        (f"show {'x' * 3_000}", f"“{'x' * 80}”"),
        ("show <!channel>", "I know no routine called “<!channel>”"),
        ("run nosuch", "I know no routine called “nosuch”"),
        (f"resume {NAME}", f"{NAME} is active, so it cannot be resumed. Next: Mon"),
        (f"history {NAME} 99", "It has not run yet."),
        (f"history {NAME} 0", "It has not run yet."),
        (f"history {NAME} {'9' * 40}", "I know no routine called"),
        ("cost nosuch", "I know no routine called “nosuch”"),
        ("delete everything", "I do not know “delete”."),
        ("list nosuch", "Weekly error report"),
    ],
    "paused": [
        (f"run {NAME}", "It runs now over the files posted since"),
        (f"pause {NAME}", f"{NAME} is paused already. Nothing was changed."),
        (f"show {NAME}", "Paused (Mondays 07:00 Europe/Oslo)"),
    ],
    "retired": [
        (f"run {NAME}", f"{NAME} is retired. Nothing was changed."),
        (f"pause {NAME}", f"{NAME} is retired already. Nothing was changed."),
        (f"resume {NAME}", f"{NAME} is retired, so it cannot be resumed."),
        (f"show {NAME}", "Retired"),
        ("run", f"Which one? Say its name: {NAME}."),
    ],
}


@pytest.mark.parametrize("state", TYPED)
def test_whatever_is_typed_is_answered_and_changes_no_state(stage: Stage, state: str) -> None:
    in_state(stage, state)

    answers = {text: (typed(stage, text), words) for text, words in TYPED[state]}

    assert {text: said for text, (said, words) in answers.items() if words not in said} == {}
    assert state == "none" or state_of(stage) == state


def test_whoever_is_no_member_learns_nothing_and_is_told_so(stage: Stage) -> None:
    in_state(stage, "active")
    stage.channel.kinds = {kind: {kind: True} for kind in ("is_guest", "is_stranger", "is_deleted", "is_bot")}
    texts = ("list", f"show {NAME}", f"pause {NAME}", "cost", "library", "", "help")

    said = {typed(stage, text, by=kind) for kind in stage.channel.kinds for text in texts}

    assert said == {"Only members of this workspace can use this. Nothing was changed."}
    assert state_of(stage) == "active"


def test_a_member_without_a_part_in_it_may_look_and_is_told_who_may_order(stage: Stage) -> None:
    in_state(stage, "active")

    assert "Sends to" in typed(stage, f"show {NAME}", by="CAROL")
    for word in ("pause", "resume", "run"):
        assert "Only the owner of this routine or an approver" in typed(stage, f"{word} {NAME}", by="CAROL")
    assert (state_of(stage), stage.one("select count(*) from slot")) == ("active", 0)

    # The same word of somebody who may, an approver, does what it says
    assert "Paused." in typed(stage, f"pause {NAME}", by="GINA")
    assert state_of(stage) == "paused"


def test_a_routine_of_a_channel_that_somebody_cannot_read_is_not_even_named(stage: Stage) -> None:
    in_state(stage, "active")
    stage.channel.outside.add("CAROL")

    for text in ("list", f"show {NAME}", f"history {NAME}", f"cost {NAME}", f"pause {NAME}"):
        said = typed(stage, text, by="CAROL")
        assert "There is no routine yet that you can see" in said, text
        assert "Mondays" not in said and "lab@example.org" not in said, text
    assert state_of(stage) == "active"


def test_several_in_a_channel_are_named_and_one_word_too_many_is_no_name(stage: Stage) -> None:
    for name in ("alpha", "beta"):
        press(stage, proposed(stage, routine=name))

    assert "Which one? Say its name: alpha, beta." in typed(stage, "pause")

    press(stage, proposed(stage, routine="beta-2"))
    assert "alpha, beta, beta-2 (Weekly error report)." in typed(stage, "pause")
    assert "I know no routine called “alpha-now”" in typed(stage, "pause alpha now")
    assert stage.rows("select distinct state from routine") == [("active",)]


def test_the_same_typing_delivered_twice_counts_once(stage: Stage) -> None:
    in_state(stage, "active")

    first, second = (
        render(command.answer(stage.worker(0), "ALICE", LAB, f"run {NAME}", "trigger-1")) for _ in range(2)
    )

    assert "It runs now" in first.text
    assert "taken already" in second.text
    assert int(stage.one("select count(*) from slot")) == 1
