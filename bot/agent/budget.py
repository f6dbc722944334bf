"""Spending stops before the cap: the worst case of each attempt is counted before it is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.agent.config import MICRO, ModelSettings
from bot.agent.errors import Stopped
from bot.agent.prices import Prices
from bot.agent.transcript import Transcript
from bot.domain.conversation import Attempt, Message, MessageCause, Reservation, Role, Spent

# What is sent is never more tokens than bytes: the tokenizer works on bytes, and each token is at least one of them.
# (Measured on another model's tokenizer: tables 1.2 bytes a token, code and English 4; no average is a bound.)
# On top comes what the provider adds itself: its prompt for tools (159 to 530 tokens in its published tables).
ADDED_TOKENS = 1_000


@dataclass(frozen=True)
class Ledger:
    """The budget of one conversation, over rows that outlive the process."""

    transcript: Transcript
    settings: ModelSettings
    prices: Prices

    def reserve(self, attempt: int, messages: Sequence[Message], max_tokens: int) -> int:
        """Count an attempt at its worst. Raises Stopped, with words, where it could pass a cap."""

        def decide(spent: Spent) -> Reservation:
            frozen = self.transcript.frozen
            overhead = len(frozen.system.encode()) + len(frozen.tools.encode())
            tokens_in = worst_tokens_in(spent, messages, overhead)
            micro_usd = self.prices.worst_micro_usd(frozen.model, tokens_in, max_tokens)
            for words in refusals(self.settings, spent, tokens_in, micro_usd):
                raise Stopped(f"{words} {said_spent(spent)}")
            return Reservation(attempt, messages[-1].seq, tokens_in, micro_usd, self.prices.version)

        return self.transcript.reserve(decide)

    def close(self, call_id: int, attempt: Attempt) -> None:
        """An attempt ended. One that was refused costs nothing; what one without an end costs is not known."""
        cost: int | None = None if attempt.is_partial else 0
        if attempt.usage is not None:
            cost = self.prices.micro_usd(self.transcript.frozen.model, attempt.usage)
        self.transcript.close_call(call_id, replace(attempt, micro_usd=cost))


def worst_tokens_in(spent: Spent, messages: Sequence[Message], overhead_bytes: int) -> int:
    """The most input tokens that these messages can be: measured as far as answered, a byte each after that."""
    if not spent.last_total_tokens:
        return ADDED_TOKENS + overhead_bytes + sum(map(_bytes_of, messages))
    return spent.last_total_tokens + sum(_bytes_of(one) for one in messages if not _is_measured(one, spent.last_seq))


def _is_measured(message: Message, last_seq: int) -> bool:
    """Whether the last answer's usage counts it: as input, or as that answer itself."""
    return message.seq <= last_seq or (message.seq == last_seq + 1 and message.role is Role.ASSISTANT)


def refusals(settings: ModelSettings, spent: Spent, tokens_in: int, micro_usd: int | None) -> Iterator[str]:
    """Which caps the next attempt could pass, in words. A price that is not known leaves the other caps."""
    if spent.turns >= settings.turns:
        yield f"I stopped after {spent.turns} answers of the model without coming to an end."
    if spent.turns_since_human >= settings.turns_alone:
        yield f"I stopped: {spent.turns_since_human} answers since somebody last said something here."
    if spent.tokens_in + tokens_in > settings.tokens:
        yield f"I stopped before the {settings.tokens:,} input tokens that one stretch of work may use."
    if spent.seconds >= settings.work_s:
        yield f"I stopped after {spent.seconds:,.0f} seconds of work."
    cap_usd = settings.surprise_usd if spent.wake_cause is MessageCause.SURPRISE else settings.draft_usd
    if micro_usd is not None and spent.micro_usd + micro_usd > cap_usd * MICRO:
        yield f"I stopped before the ${cap_usd:.2f} that this may cost."
    if micro_usd is not None and spent.day_micro_usd + micro_usd > settings.day_usd * MICRO:
        yield f"I stopped before the ${settings.day_usd:.2f} that this workspace may spend in a day."


def said_spent(spent: Spent) -> str:
    """What the stretch of work has used, for the thread. A price that is not known is not taken for nothing."""
    money = f"${spent.micro_usd / MICRO:.3f}"
    if spent.unpriced:
        money = f"an unknown amount of money ({spent.unpriced} requests have no price that I know)"
    return f"Spent on this so far: {money}, {spent.turns} answers, {spent.tokens_in:,} tokens read."


def _bytes_of(message: Message) -> int:
    return len(json.dumps(message.content, ensure_ascii=False).encode())
