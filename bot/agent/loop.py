"""The loop: settle what is open, hear what people said, ask, keep the answer; until the model ends its turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bot.agent.asked import Answer, Request
from bot.agent.budget import Ledger
from bot.agent.errors import Stopped
from bot.agent.prices import load_prices
from bot.agent.settle import CUT_OFF, EMPTY, PAUSE, settle, stop_in_circles
from bot.agent.tools import Bench
from bot.agent.transcript import Transcript
from bot.domain.conversation import Message, MessageCause, Role

if TYPE_CHECKING:
    from bot.agent.client import Model


def converse(model: Model, transcript: Transcript, bench: Bench, hear: Callable[[], None]) -> Message:
    """Work until the model ends its turn; the message it ended with.

    `hear` appends what people said meanwhile. Whenever this stops, by an exception (Stopped, ModelAway,
    ModelRefused, ConversationTaken, or the bench's own) or by the end of the process, calling it again goes on.
    """
    ledger = Ledger(transcript, model.settings, load_prices())
    max_tokens = transcript.frozen.max_tokens
    while True:
        settle(transcript, bench)
        hear()
        messages = transcript.messages()
        stop_in_circles(messages)
        if has_ended(messages):
            return messages[-1]
        request = Request(transcript.frozen, messages, max_tokens, transcript.last_message_id())
        answer = model.ask(request, ledger)
        _keep(transcript, answer)
        max_tokens = transcript.frozen.max_tokens * (2 if answer.stop_reason in CUT_OFF else 1)


def has_ended(messages: Sequence[Message]) -> bool:
    """Whether the model spoke last and nothing of what it said waits for us; a pause is sent back as it is."""
    last = messages[-1]
    return last.role is Role.ASSISTANT and last.stop_reason not in (*CUT_OFF, PAUSE)


def _keep(transcript: Transcript, answer: Answer) -> None:
    """Store an answer as it was returned. Raises Stopped for one that was declined, which is not kept."""
    if answer.declined:
        raise Stopped(f"The model declined to go on: {answer.declined}. Say it in other words in this thread.")
    if answer.content:
        transcript.append(Role.ASSISTANT, answer.content, MessageCause.MODEL, stop_reason=answer.stop_reason)
    else:
        transcript.append(Role.USER, [{"type": "text", "text": EMPTY}], MessageCause.ASK_AGAIN)
