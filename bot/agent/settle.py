"""Before every request each call of the last answer has a result, whatever happened in between.

A crash can fall before a call, in it, or after it. Ended calls keep the result that was stored; calls without an
effect, or with the same effect each time, are done again; code that had begun to run is said to be interrupted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from time import monotonic

from bot.agent.errors import Stopped
from bot.agent.tools import DATA_FIRST_WAKE_BYTES, DATA_LATER_WAKE_BYTES, TOOLS, Bench, Result, run_tool
from bot.agent.transcript import Transcript
from bot.domain.conversation import WAKING, Block, Message, MessageCause, Role

SAME_CALLS, FAILURES, CALLS = 3, 3, 16
CUT_OFF = frozenset({"max_tokens", "model_context_window_exceeded"})
PAUSE = "pause_turn"
CUT = (
    "CUT OFF: the answer reached its length limit inside this call, so its arguments may be incomplete and it was not "
    "run. Send a shorter one, or split it."
)
CUT_TEXT = "CUT OFF: your answer reached its length limit. Say it again, shorter."
TOO_LONG = (
    f"I stopped: {FAILURES} answers of the model reached their length limit before they were whole. Ask for less at "
    "once or in a new thread, or have STANDBY_MODEL_MAX_TOKENS raised."
)
EMPTY = "Your answer was empty. Go on, or say in words how this ends."
INTERRUPTED = (
    "INTERRUPTED: Standby stopped while this ran, so there is no result. The box was thrown away; nothing was "
    "delivered. Call it again if you still need it."
)
REFUSED = "REFUSED: this very call was made before with nothing changed since, so it was not run again."
TOO_MANY = "One answer may make {} calls; this one was not run. Look at the results first, then go on."


def settle(transcript: Transcript, bench: Bench) -> None:
    """Give every call of the last answer its result, in one row. Raises Stopped where the model goes in circles."""
    messages = transcript.messages()
    last = messages[-1]
    if last.role is not Role.ASSISTANT:
        return
    uses = last.blocks("tool_use")
    if uses:
        results = [_result(transcript, bench, messages, use, number) for number, use in enumerate(uses)]
        transcript.append(Role.USER, results, MessageCause.TOOLS)
    elif last.stop_reason in CUT_OFF:
        transcript.append(Role.USER, [{"type": "text", "text": CUT_TEXT}], MessageCause.ASK_AGAIN)
    elif last.stop_reason != PAUSE and not last.text():  # it thought, and said nothing
        transcript.append(Role.USER, [{"type": "text", "text": EMPTY}], MessageCause.ASK_AGAIN)


def stop_in_circles(messages: Sequence[Message]) -> None:
    """Raises Stopped after three identical calls, cut answers, or failures of one tool in a row, in this wake."""
    wake = this_wake(messages)
    if sum(message.stop_reason in CUT_OFF for message in wake) >= FAILURES:
        raise Stopped(TOO_LONG)
    for use in (use for message in wake[-2:] for use in message.blocks("tool_use")):
        if _times_made(wake, use) >= SAME_CALLS:
            raise Stopped(f"I stopped: the same call of {use['name']} was made {SAME_CALLS} times without a change.")
    names = {use["id"]: use["name"] for message in wake for use in message.blocks("tool_use")}
    failed: dict[str, int] = {}
    for message in wake:
        for block in message.blocks("tool_result"):
            name = names.get(block["tool_use_id"], "")
            failed[name] = failed.get(name, 0) + 1 if block.get("is_error") else 0
    for name, times in failed.items():
        if times >= FAILURES:
            raise Stopped(f"I stopped: {name} failed {times} times in a row.")


def this_wake(messages: Sequence[Message]) -> Sequence[Message]:
    """The rows since somebody, or something, last woke the conversation."""
    woken = [n for n, message in enumerate(messages) if message.cause in WAKING]
    return messages[woken[-1] :] if woken else messages


def _result(transcript: Transcript, bench: Bench, messages: Sequence[Message], use: Block, number: int) -> Block:
    last = messages[-1]
    known = transcript.tool_run(last.seq, use["id"])
    if known is not None and known.is_finished:
        return _block(use, Result(known.result, known.is_error))
    if known is None:
        transcript.begin_run(last.seq, use["id"], use["name"])
    began = monotonic()
    if number < CALLS:
        result = _run(transcript, bench, messages, use, has_begun=known is not None)
    else:
        result = Result(TOO_MANY.format(CALLS), True)
    transcript.end_run(
        last.seq,
        use["id"],
        result.text,
        is_error=result.is_error,
        data_bytes=result.data_bytes,
        seconds=round(monotonic() - began, 3),
    )
    return _block(use, result)


def _run(transcript: Transcript, bench: Bench, messages: Sequence[Message], use: Block, *, has_begun: bool) -> Result:
    name = use["name"]
    if messages[-1].stop_reason in CUT_OFF:
        return Result(CUT, True)
    if has_begun and name == "run_code":
        return Result(INTERRUPTED, True)
    if name in TOOLS and _times_made(this_wake(messages), use) >= SAME_CALLS:
        return Result(REFUSED, True)
    spent = transcript.spent()
    allowed = DATA_FIRST_WAKE_BYTES if spent.is_first_wake else DATA_LATER_WAKE_BYTES
    return run_tool(bench, name, use["input"], use["id"], allowed - spent.data_bytes)


def _times_made(wake: Sequence[Message], use: Block) -> int:
    """How often this call was made since the draft last changed; a changed draft makes it another question."""
    times = 0
    for other in _calls_backwards(wake):
        if _same(other, use):
            times += 1
        elif other["name"] == "write_file":
            break
    return times


def _calls_backwards(wake: Sequence[Message]) -> Iterator[Block]:
    for message in reversed(wake):
        yield from reversed(message.blocks("tool_use"))


def _same(one: Block, other: Block) -> bool:
    return bool(one["name"] == other["name"]) and json.dumps(one["input"], sort_keys=True) == json.dumps(
        other["input"], sort_keys=True
    )


def _block(use: Block, result: Result) -> Block:
    return {"type": "tool_result", "tool_use_id": use["id"], "content": result.text, "is_error": result.is_error}
