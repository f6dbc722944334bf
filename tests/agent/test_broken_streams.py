"""Streams of a broken or hostile server: none runs half a call, breaks the conversation, or ends in a bare error."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.agent.errors import ModelError, Stopped
from bot.domain.conversation import MessageCause
from tests.agent.conftest import Talk
from tests.fakes.model_api import Reply, text

New = Callable[..., Talk]
Event = dict[str, Any]
# The SDK warns of values that it did not expect, which is what these are.
pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
USAGE = {"input_tokens": 5, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": USAGE}
RICH = {"draft_usd": 5_000, "day_usd": 5_000, "tokens": 10_000_000, "turns": 100_000, "turns_alone": 100_000}


def started(**said: Any) -> Event:
    return {"type": "message_start", "message": MESSAGE | {"stop_reason": None, "stop_sequence": None} | said}


def block(index: int, content: Event, *deltas: Event) -> list[Event]:
    return [
        {"type": "content_block_start", "index": index, "content_block": content},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def words(said: Any, index: int = 0) -> list[Event]:
    return block(index, {"type": "text", "text": ""}, {"type": "text_delta", "text": said})


def call(arguments: str, *, name: Any = "think", use_id: Any = "toolu_1") -> list[Event]:
    delta = {"type": "input_json_delta", "partial_json": arguments}
    return block(0, {"type": "tool_use", "id": use_id, "name": name, "input": {}}, delta)


def ended(stop_reason: Any = "end_turn", **said: Any) -> list[Event]:
    delta = {"stop_reason": stop_reason, "stop_sequence": None, **said}
    return [{"type": "message_delta", "delta": delta, "usage": USAGE}, {"type": "message_stop"}]


def streamed(events: Sequence[Any]) -> Reply:
    """The events as a server sends them. What has no type comes under the name of the first."""
    kinds = [one.get("type") if isinstance(one, dict) else "message_start" for one in events]
    sent = [f"event: {kind}\ndata: {json.dumps(one)}\n\n" for kind, one in zip(kinds, events, strict=True)]
    return Reply(events="".join(sent).encode())


DEEP = "[" * 5_000 + "]" * 5_000
HI = words("hi")
TRIED_AGAIN: dict[str, Sequence[Any]] = {
    "arguments that break off inside a value": [started(), *call('{"thought": }'), *ended("tool_use")],
    "arguments that are a list": [started(), *call('["a"]'), *ended("tool_use")],
    "arguments that are nothing": [started(), *call("null"), *ended("tool_use")],
    "arguments without a bottom": [started(), *call(f'{{"thought": {DEEP}}}'), *ended("tool_use")],
    "an argument with half a character": [started(), *call('{"thought": "\\ud800"}'), *ended("tool_use")],
    "a tool with a name that no row can hold": [started(), *call("{}", name="a\0b"), *ended("tool_use")],
    "a tool without a name": [started(), *call("{}", name=None), *ended("tool_use")],
    "a tool with an endless name": [started(), *call("{}", name="x" * 100_000), *ended("tool_use")],
    "a call without an id": [started(), *call("{}", use_id=None), *ended("tool_use")],
    "a call with a number for an id": [started(), *call("{}", use_id=5), *ended("tool_use")],
    "words with half a character": [started(), *words("a\ud800b"), *ended()],
    "words that are none": [started(), *block(0, {"type": "text", "text": None}), *ended()],
    "words that are a number": [started(), *block(0, {"type": "text", "text": 7}), *ended()],
    "a result in an answer": [started(), *block(0, {"type": "tool_result", "tool_use_id": "x"}), *ended()],
    "a block of a kind that nobody asked for": [started(), *block(0, {"type": "hologram"}), *ended()],
    "a block of no kind": [started(), *block(0, {"x": 1}), *ended()],
    "no beginning": [*HI, *ended()],
    "no message": [{"type": "message_start", "message": None}, *HI, *ended()],
    "a block that never began": [started(), HI[1], *ended()],
    "a block out of its place": [started(), *words("hi", index=7), *ended()],
    "a part of words that is none": [started(), *words(None), *ended()],
    "a reason that is a number": [started(), *HI, *ended(5)],
    "a reason that is a list": [started(), *HI, *ended(["end_turn"])],
    "a reason without end": [started(), *HI, *ended("a" * 100_000)],
    "an empty reason": [started(), *HI, *ended("")],
    "an error that says nothing": [started(), {"type": "error", "error": None}],
    "an overload": [started(), {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}],
    "an event that is a list": [started(), [1]],
}


@pytest.fixture
def one(talk: New) -> Talk:
    """One conversation that goes through it all."""
    made = talk([text("Ready")], **RICH)
    made.api.obeys_schemas = False
    made.go()
    return made


def test_an_answer_that_no_conversation_can_go_on_with_is_tried_again(one: Talk) -> None:
    for number, (name, events) in enumerate(TRIED_AGAIN.items(), 1):
        one.ask("Go on", MessageCause.GUIDANCE)
        one.api.say(streamed(events), [text(f"Done after {name}")])
        assert one.go().text() == f"Done after {name}"
        assert len(one.slept) == number, name
    assert one.bench.done == []
    one.api.done()


@pytest.mark.parametrize(
    "events",
    [
        [started(usage=None), *HI, *ended()],
        [started(id="a\0"), *HI, *ended()],
        [started(usage={"input_tokens": "x", "output_tokens": None}), *HI, *ended()],
        [started(), *HI, *ended("tool_use")],
        [started(), *HI, *ended("a reason of next year")],
    ],
    ids=["no usage", "no id", "usage in words", "calls that are not there", "an unknown reason"],
)
def test_what_an_answer_lacks_beside_its_words_is_no_hindrance(talk: New, events: Sequence[Event]) -> None:
    one = talk(streamed(events), [text("hi")])
    assert one.go().text() == "hi"


@pytest.mark.parametrize("details", ["zz", [1], {"type": "refusal", "explanation": {"a": "\0"}}, None])
def test_a_refusal_is_told_whatever_it_says_of_itself(talk: New, details: Any) -> None:
    one = talk(streamed([started(), *call('{"thought": "x"}'), *ended("refusal", stop_details=details)]))
    with pytest.raises(Stopped, match="declined") as stopped:
        one.go()
    assert "\0" not in str(stopped.value)
    assert one.bench.done == []


@pytest.mark.parametrize("reason", ["end_turn", "pause_turn", "stop_sequence"])
def test_a_call_is_answered_whatever_reason_the_answer_ended_for(talk: New, reason: str) -> None:
    one = talk(streamed([started(), *call('{"thought": "x"}'), *ended(reason)]), [text("Done")])
    assert one.go().text() == "Done"
    assert one.bench.done == ["think"]
    one.api.done()


HEALTHY = [started(), *words("I look."), *[one | {"index": 1} for one in call('{"thought": "x"}') if "index" in one]]
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("tool_use"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "id", "text"]), inner),
    max_leaves=4,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, one in inner for place in places(one, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    changed = value.copy()
    changed[path[0]] = put(value[path[0]], path[1:], odd)
    return changed


WHOLE = [*HEALTHY, *ended("tool_use")]
CHANGED = st.tuples(st.sampled_from([place for place in places(WHOLE) if place]), ODD)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(changes=st.lists(CHANGED, min_size=1, max_size=3), left_out=st.sets(st.integers(0, len(WHOLE) - 1), max_size=1))
def test_whatever_stands_in_a_stream_the_conversation_goes_on_afterwards(
    one: Talk, changes: list[tuple[tuple[Any, ...], Any]], left_out: set[int]
) -> None:
    events: Any = WHOLE
    for place, odd in changes:
        try:
            events = put(events, place, odd)
        except (LookupError, TypeError, AttributeError):  # an earlier change took the place away
            continue
    one.ask("Go on", MessageCause.GUIDANCE)
    events = [event for number, event in enumerate(events) if number not in left_out]
    one.api.say(
        streamed(json.loads(json.dumps(events).replace("toolu_1", f"toolu_{one.api.attempts}"))), [text("Done")]
    )

    try:
        one.go()
    except ModelError as stopped:
        assert str(stopped)

    del one.api.script[one.api.attempts :]
    one.api.say([text("Fine")])
    one.ask("Go on", MessageCause.GUIDANCE)
    assert one.go().text() == "Fine"
    assert one.api.refused == []
