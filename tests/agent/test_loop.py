"""The loop against a strict Messages API: order, pairing, crashes, words of people, and every way an answer can end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.agent.errors import ModelAway, ModelRefused, Stopped
from bot.domain.conversation import ConversationTaken, MessageCause
from tests.agent.conftest import ProcessEnded, Talk
from tests.fakes.model_api import Asked, Reply, text, thinking, use

New = Callable[..., Talk]


def test_calls_are_answered_in_order_and_the_words_end_the_turn(talk: New) -> None:
    def decide(asked: Asked) -> list[dict[str, object]]:
        asked.says("INFO fine", "ok")
        return [thinking("Nothing to do."), text("No errors.")]

    one = talk(
        [thinking("Look first."), use("think", thought="Looking"), use("read_file", path="inputs/a.log")], decide
    )

    assert one.go().text() == "No errors."

    assert [row.cause for row in one.rows()] == ["request", "model", "tools", "model"]
    assert one.bench.thoughts == ["Looking"]
    one.api.done()


def test_what_is_sent_begins_with_what_was_sent_before_to_the_byte(talk: New) -> None:
    one = talk([thinking("a"), use("list_files", dir="inputs")], [thinking("b"), text("Done")], [text("Still done")])
    one.go()

    one.clock.pass_by(days=40)
    one.ask("And now?", MessageCause.GUIDANCE)
    assert one.go().text() == "Still done"  # its signatures hold: nothing before them has changed

    first, *later = one.api.requests
    for request in later:
        assert request["messages"][: len(first["messages"])] == first["messages"]
        assert (request["system"], request["tools"]) == (first["system"], first["tools"])
    one.api.done()


def test_a_conversation_that_ended_is_not_asked_again(talk: New) -> None:
    one = talk([text("Done")])
    one.go()
    assert one.go().text() == "Done"
    assert one.api.attempts == 1


@pytest.mark.parametrize("name", ["list_files", "read_file", "write_file", "run_code", "schedule", "think"])
def test_a_kill_in_a_call_leaves_a_history_that_the_api_accepts(talk: New, name: str) -> None:
    given = {
        "list_files": {"dir": "."},
        "read_file": {"path": "inputs/a.log"},
        "write_file": {"path": "plan.py", "content": "pass\n"},
        "run_code": {"script": "print(1)"},
        "schedule": {"script": "plan.py", "when": "0 7 * * mon"},
        "think": {"thought": "Looking"},
    }
    one = talk([use("think", thought="First"), use(name, **given[name])], [text("Done")])
    one.bench.dies_in = name

    with pytest.raises(ProcessEnded):
        one.go()
    assert one.go().text() == "Done"

    one.api.done()
    results = [block["content"] for row in one.rows() for block in row.blocks("tool_result")]
    assert results[-1].startswith("INTERRUPTED") == (name == "run_code")
    assert one.bench.done.count("run_code") <= 1


def test_a_kill_between_two_calls_runs_each_of_them_once(talk: New) -> None:
    one = talk([use("run_code", script="1"), use("run_code", script="2")], [text("Done")])
    one.bench.dies_in = "run_code"

    with pytest.raises(ProcessEnded):
        one.go()
    one.go()

    assert one.bench.done == ["run_code", "run_code"]
    one.api.done()


def test_words_said_while_a_call_ran_come_after_its_result(talk: New) -> None:
    def heard(asked: Asked) -> list[dict[str, object]]:
        asked.says("Leave out b.log")
        assert asked.last.index("ok") < asked.last.index("Leave out")
        return [text("Understood.")]

    one = talk([use("think", thought="Looking")], heard)
    one.bench.while_thinking = lambda: one.said.append("Leave out b.log")

    assert one.go().text() == "Understood."
    one.api.done()


@pytest.mark.parametrize(
    "fault",
    [
        Reply(status=429),
        Reply(status=529, headers={"retry-after": "3"}),
        Reply(status=500),
        Reply([text("Half")], overload=4),
        Reply([text("Half of it")], cut=4),
        Reply([use("run_code", script="print(1)")], eof=4),
        Reply([text("Half of it")], eof=0),
        Reply([text("Half of it")], cut=0),
    ],
    ids=["429", "529", "500", "overloaded in the stream", "cut", "polite end", "empty stream", "cut at once"],
)
def test_a_passing_fault_is_tried_again_and_leaves_one_ledger_row_each(talk: New, fault: Reply) -> None:
    one = talk(fault, [text("Done")])

    assert one.go().text() == "Done"

    assert one.api.attempts == 2
    assert len(one.slept) == 1
    assert one.bench.done == []
    one.api.done()


def test_a_long_retry_after_ends_the_work_instead_of_holding_the_worker(talk: New) -> None:
    one = talk(Reply(status=429, headers={"retry-after": "7200"}), [text("Done")])

    with pytest.raises(ModelAway) as away:
        one.go()

    assert away.value.wait_s == 7200
    assert one.slept == []
    assert one.go().text() == "Done"


def test_a_spending_limit_of_the_account_is_not_tried_again(talk: New) -> None:
    one = talk(Reply(status=429, error_code="enforced_spend_limit_reached"))
    with pytest.raises(ModelRefused, match="spending limit"):
        one.go()
    assert one.api.attempts == 1


def test_a_refused_key_is_not_tried_again_and_says_what_to_do(talk: New) -> None:
    one = talk([text("Done")])
    one.api.key = "another"
    with pytest.raises(ModelRefused, match="ANTHROPIC_API_KEY"):
        one.go()
    assert one.api.attempts == 1


def test_a_model_that_stays_away_is_left_after_four_tries(talk: New) -> None:
    one = talk(*[Reply(status=529)] * 4, surprise_usd=5, draft_usd=5)
    with pytest.raises(ModelAway):
        one.go()
    assert one.api.attempts == 4


def test_an_answer_cut_at_its_length_is_kept_and_never_run(talk: New) -> None:
    def shorter(asked: Asked) -> list[dict[str, object]]:
        asked.says("CUT OFF")
        assert asked.body["max_tokens"] == 16_000
        return [text("Done")]

    half = Reply([use("write_file", path="plan.py", content="x" * 400)], stop_reason="max_tokens", partial_input=True)
    one = talk(half, shorter)

    assert one.go().text() == "Done"
    assert one.bench.done == []
    one.api.done()


def test_words_cut_at_their_length_are_asked_for_again(talk: New) -> None:
    def shorter(asked: Asked) -> list[dict[str, object]]:
        asked.says("CUT OFF")
        return [text("Short.")]

    one = talk(Reply([text("A long stor")], stop_reason="max_tokens"), shorter)
    assert one.go().text() == "Short."


def test_a_declined_request_stops_with_its_reason_and_is_not_kept(talk: New) -> None:
    declined = Reply(
        [text("I")], stop_reason="refusal", stop_details={"type": "refusal", "category": "bio", "explanation": None}
    )
    one = talk(declined)
    with pytest.raises(Stopped, match="bio"):
        one.go()
    assert [row.cause for row in one.rows()] == ["request"]


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
def test_answers_that_are_cut_again_and_again_end_the_work_in_words(talk: New, reason: str) -> None:
    cut = [
        Reply([text("I was")], stop_reason=reason),
        Reply([use("write_file", path="plan.py", content="x" * 99)], stop_reason=reason, partial_input=True),
        Reply([text("I was about to")], stop_reason=reason),
    ]
    one = talk(*cut, [text("Shorter.")])

    with pytest.raises(Stopped, match="length limit"):
        one.go()
    assert one.bench.done == []

    one.ask("Go on", MessageCause.GO_ON)
    assert one.go().text() == "Shorter."
    one.api.done()


def test_a_pause_is_sent_back_as_it_is(talk: New) -> None:
    def go_on(asked: Asked) -> list[dict[str, object]]:
        assert asked.body["messages"][-1] == {"role": "assistant", "content": [{"type": "text", "text": "One moment"}]}
        return [text("Done")]

    one = talk(Reply([text("One moment")], stop_reason="pause_turn"), go_on)
    assert one.go().text() == "Done"
    one.api.done()


@pytest.mark.parametrize("reason", ["end_turn", "stop_sequence", "a reason of next year"])
def test_any_other_end_ends_the_turn_with_its_words(talk: New, reason: str) -> None:
    one = talk(Reply([text("Done")], stop_reason=reason))
    assert one.go().text() == "Done"
    one.api.done()


@pytest.mark.parametrize("empty", [[], [thinking("Nothing to say.")]], ids=["nothing at all", "thoughts alone"])
def test_an_empty_answer_is_asked_about(talk: New, empty: list[dict[str, Any]]) -> None:
    one = talk(empty, [text("Done")])
    assert one.go().text() == "Done"
    one.api.done()


def test_the_same_call_three_times_ends_the_work(talk: New) -> None:
    again = [use("run_code", script="print(1)")]
    one = talk(again, again, again, [text("Never asked")])

    with pytest.raises(Stopped, match="same call"):
        one.go()

    assert one.bench.done == ["run_code"] * 2
    assert one.api.attempts == 3


def test_a_changed_draft_makes_the_same_call_another_one(talk: New) -> None:
    turns = []
    for version in range(3):
        turns += [[use("write_file", path="plan.py", content=str(version))], [use("run_code", script="run plan.py")]]
    one = talk(*turns, [text("Done")])
    assert one.go().text() == "Done"
    assert one.bench.done.count("run_code") == 3


def test_three_failures_of_one_tool_in_a_row_end_the_work_and_a_person_can_let_it_go_on(talk: New) -> None:
    turns = [[use("read_file", path=f"inputs/{name}.log")] for name in "xyz"]
    one = talk(*turns, [text("Done")])

    with pytest.raises(Stopped, match="read_file failed 3 times"):
        one.go()
    with pytest.raises(Stopped):  # also after a restart
        one.go()
    assert one.api.attempts == 3

    one.ask("Try a.log", MessageCause.GUIDANCE)
    assert one.go().text() == "Done"
    one.api.done()


def test_a_worker_that_was_taken_for_dead_writes_nothing_more(talk: New) -> None:
    one = talk()
    slow = one.transcript()
    one.transcript()  # another worker takes the conversation

    with pytest.raises(ConversationTaken):
        slow.append(one.rows()[0].role, [{"type": "text", "text": "late"}], MessageCause.GUIDANCE)
    assert len(one.rows()) == 1
