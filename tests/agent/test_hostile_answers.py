"""Answers as a broken or hostile server gives them: nothing half runs, nothing breaks the conversation for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.agent.errors import ModelAway, ModelRefused, Stopped
from tests.agent.conftest import Talk
from tests.fakes.model_api import Asked, Reply, text, thinking, use

New = Callable[..., Talk]
WHOLE = [thinking("Look first."), text("I look."), use("read_file", path="inputs/a.log")]
EVENTS = 13  # of that answer's stream, but for the one that ends it


@pytest.mark.parametrize("fault", ["cut", "eof", "overload"])
def test_a_stream_that_breaks_at_any_event_runs_nothing_and_is_tried_again(talk: New, fault: str) -> None:
    broken = [Reply(WHOLE, **{fault: number}) for number in range(EVENTS)]
    one = talk(*broken, WHOLE, [text("Done")], draft_usd=50, day_usd=50, tokens=10_000_000)

    for _ in range(EVENTS // 4):
        with pytest.raises(ModelAway):
            one.go()
        assert one.bench.done == []
    assert one.go().text() == "Done"

    assert one.bench.done == ["read_file"]
    one.api.done()


def called(use_id: str, thought: str = "a") -> dict[str, Any]:
    return use("think", thought=thought) | {"id": use_id}


@pytest.mark.parametrize(
    "calls",
    [[called("same"), called("same", "b")], [called("")], [called("\u00f8\u0000")], [called("x" * 500)]],
    ids=["the same id twice", "no id", "an id that no row can hold", "an id without end"],
)
def test_calls_that_could_not_be_sent_back_are_asked_for_again(talk: New, calls: list[dict[str, Any]]) -> None:
    one = talk(calls, [use("think", thought="c")], [text("Done")])
    assert one.go().text() == "Done"
    assert one.bench.thoughts == ["c"]
    one.api.done()


def test_more_calls_in_one_answer_than_anybody_needs_are_not_run(talk: New) -> None:
    one = talk([use("run_code", script=f"print({number})") for number in range(60)], [text("Never asked")])
    with pytest.raises(Stopped, match="run_code failed"):
        one.go()
    assert len(one.bench.done) == 16


def test_what_a_server_says_of_its_refusal_reaches_people_short_and_without_secrets(talk: New) -> None:
    words = "The key sk-ant-REDACTED-abcdefghijklmnopqrstuv may not. " + "x" * 9_000
    one = talk(Reply([text("I")], stop_reason="refusal", stop_details={"type": "refusal", "explanation": words}))
    with pytest.raises(Stopped) as stopped:
        one.go()
    assert "may not" in str(stopped.value) and "abcdefghijkl" not in str(stopped.value)
    assert len(str(stopped.value)) < 500


def test_the_key_goes_to_no_host_that_the_server_points_to(talk: New) -> None:
    elsewhere = talk([text("Never asked")])
    one = talk(Reply(status=307, headers={"location": f"{elsewhere.api.url}/v1/messages"}))
    with pytest.raises(ModelRefused):
        one.go()
    assert elsewhere.api.attempts == 0


@pytest.mark.parametrize("said", ["-5", "nan", "inf", "Wed, 21 Oct 2026 07:28:00 GMT", "soon"])
def test_a_wait_that_is_no_time_is_our_own_pause(talk: New, said: str) -> None:
    one = talk(Reply(status=429, headers={"retry-after": said}), [text("Done")])
    assert one.go().text() == "Done"
    assert 0.5 < one.slept[0] < 2


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "inputs/../../secret", "", "a\u202eb", "x" * 900])
def test_a_path_to_anywhere_else_is_a_file_that_is_not_there(talk: New, path: str) -> None:
    def told(asked: Asked) -> list[dict[str, Any]]:
        asked.says("There is no")
        return [text("Done")]

    one = talk([use("read_file", path=path)], told)
    assert one.go().text() == "Done"
    one.api.done()
