"""A property: whatever is said and however attempts end, the provider's own bill never passes a cap."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.agent.budget import Ledger
from bot.agent.config import MICRO, ModelSettings
from bot.agent.errors import Stopped
from bot.agent.prices import load_prices
from bot.agent.prompt import NEWEST, system_prompt
from bot.agent.tools import tools_json
from bot.domain.conversation import Attempt, Frozen, Message, MessageCause, Role, Usage
from bot.store import agent as conversations
from bot.store.agent import StoredTranscript
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_talk import Task
from tests.agent.conftest import SetClock

PRICES = load_prices()
number = count(1)


@dataclass(frozen=True)
class Step:
    """One attempt: what somebody says before it, how it ends, and how close to the worst it comes."""

    words: str
    end: str
    tokens_per_byte: float
    out_share: float
    is_new_to_the_cache: bool


STEPS = st.builds(
    Step,
    words=st.text(max_size=40) | st.integers(0, 8_000).map(lambda size: "é" * size),  # two bytes each
    # whole: stored; unkept: whole, and the process ends before it is stored; cut: after its first event; lost: no
    # event came; killed: the process ends in it; refused: an error status.
    end=st.sampled_from(("whole", "whole", "whole", "unkept", "cut", "lost", "killed", "refused")),
    tokens_per_byte=st.sampled_from((1.0, 1.0, 0.3)),
    out_share=st.sampled_from((1.0, 1.0, 0.01)),
    is_new_to_the_cache=st.sampled_from((True, True, False)),
)


@dataclass
class Provider:
    """Counts and bills by itself. Its tokenizer may make a token of every byte; nobody knows its average."""

    model: str
    micro_usd: int = 0
    tokens_in: int = 0
    counted: dict[int, int] = field(default_factory=dict)  # of each message, as it was first seen
    overhead: int = 0

    def work(self, frozen: Frozen, messages: list[Message], step: Step, max_tokens: int) -> Usage:
        self.overhead = self.overhead or 530 + int((len(frozen.system) + len(frozen.tools)) * step.tokens_per_byte)
        for one in messages:
            text = one.text() or json.dumps(one.content)
            self.counted.setdefault(one.seq, int(len(text.encode()) * step.tokens_per_byte))
        tokens_in = self.overhead + sum(self.counted[one.seq] for one in messages)
        out = max(1, int(max_tokens * step.out_share))
        new, old = (tokens_in, 0) if step.is_new_to_the_cache else (0, tokens_in)
        usage = Usage(fresh=old, write_5m=new, write_1h=0, read=0, out=out)
        self.tokens_in += tokens_in
        self.micro_usd += PRICES.micro_usd(self.model, usage) or 0
        return usage


@pytest.fixture
def db(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


def conversation(db: Database, model: str, max_tokens: int) -> StoredTranscript:
    frozen = Frozen(model, "", max_tokens, system_prompt(), tools_json(), NEWEST)
    asked_at, team = datetime(2026, 11, 30, 9, tzinfo=UTC), f"T{next(number)}"
    with db.transaction() as session:
        task = Task(
            team_id=team, channel_id=team, thread_ts="1.0", requester_id="U1", request="Count", asked_at=asked_at
        )
        session.add(task)
        session.flush()
        found = conversations.begin(session, known(task.id), team, frozen, asked_at)
    transcript = StoredTranscript(db, SetClock(), known(found.id))
    say(transcript, "Count the errors", MessageCause.REQUEST)
    return transcript


def say(transcript: StoredTranscript, words: str, cause: MessageCause) -> None:
    transcript.append(Role.USER, [{"type": "text", "text": words}], cause)


def attempt(transcript: StoredTranscript, ledger: Ledger, provider: Provider, step: Step, max_tokens: int) -> None:
    messages = transcript.messages()
    call_id = ledger.reserve(1, messages, max_tokens)
    if step.end == "refused":
        ledger.close(call_id, Attempt("529 overloaded_error", 0.1))
        return
    usage = provider.work(transcript.frozen, messages, step, max_tokens)
    if step.end == "cut":  # what was streamed is known, what was made is not
        ledger.close(call_id, Attempt("cut", 0.1, Usage(usage.fresh, usage.write_5m, 0, 0, 1), is_partial=True))
    elif step.end == "lost":
        ledger.close(call_id, Attempt("cut", 0.1, None, is_partial=True))
    elif step.end in ("whole", "unkept"):
        ledger.close(call_id, Attempt("ok", 0.1, usage))
        if step.end == "whole":
            transcript.append(Role.ASSISTANT, [{"type": "text", "text": "x" * usage.out}], MessageCause.MODEL)
            provider.counted[transcript.messages()[-1].seq] = usage.out


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    model=st.sampled_from(sorted(PRICES.models)),
    steps=st.lists(STEPS, min_size=1, max_size=8),
    # In first requests at their worst, so that each cap comes to matter.
    caps=st.tuples(*[st.sampled_from((0.8, 0.95, 1.05, 1.5, 2.2, 3.4, 9.0))] * 3),
)
def test_spending_stops_before_each_cap_however_requests_end(
    db: Database, model: str, steps: list[Step], caps: tuple[float, float, float]
) -> None:
    transcript = conversation(db, model, max_tokens := 8_000)
    first = len(transcript.frozen.system + transcript.frozen.tools) + 600
    first_usd = (PRICES.worst_micro_usd(model, first, max_tokens) or 0) / MICRO
    cap_usd, day_usd, tokens = caps[0] * first_usd, caps[1] * first_usd, int(caps[2] * first)
    chosen = ModelSettings(
        name=model, draft_usd=cap_usd, day_usd=day_usd, tokens=max(1_000, tokens), turns=100, turns_alone=100
    )
    ledger, provider = Ledger(transcript, chosen, PRICES), Provider(model)

    for step in steps:
        if step.words:  # it grants nothing, as results of tools and second tries do not
            say(transcript, step.words, MessageCause.TOOLS)
        try:
            attempt(transcript, ledger, provider, step, max_tokens)
        except Stopped:
            continue
        finally:
            assert provider.micro_usd <= min(cap_usd, day_usd) * MICRO
            assert provider.tokens_in <= chosen.tokens


@pytest.mark.parametrize("model", sorted(PRICES.models))
def test_no_request_is_dearer_than_one_that_is_longer_and_new_to_the_cache(model: str) -> None:
    for shorter, longer in ((1, 2), (99_999, 100_000), (100_000, 100_001), (500_000, 900_000)):
        worst = PRICES.worst_micro_usd(model, longer, 100)
        for usage in (Usage(shorter, 0, 0, 0, 100), Usage(0, shorter, 0, 0, 100), Usage(0, 0, 0, shorter, 100)):
            assert (PRICES.micro_usd(model, usage) or 0) <= (worst or 0)
