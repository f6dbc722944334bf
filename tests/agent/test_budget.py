"""Spending stops before the cap, and what was spent survives the process that spent it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlmodel import select

from bot.agent.errors import ModelAway, Stopped
from bot.domain.conversation import MessageCause, Reservation
from bot.store.agent import rounds_away
from bot.store.tables_agent import ModelCall
from tests.agent.conftest import Talk
from tests.fakes.model_api import Reply, text, use

New = Callable[..., Talk]


def calls(one: Talk) -> list[ModelCall]:
    with one.db.transaction() as session:
        return list(session.exec(select(ModelCall).order_by(ModelCall.id)))


def looking(times: int) -> list[list[dict[str, object]]]:
    return [[use("think", thought=f"Step {number}")] for number in range(times)]


def test_a_loop_ends_at_its_cap_also_across_restarts(talk: New) -> None:
    one = talk(*looking(10), turns=4)

    for _ in range(3):  # every `go` is a new process
        with pytest.raises(Stopped, match="4 answers"):
            one.go()

    assert one.api.attempts == 4


def test_a_person_who_lets_it_go_on_grants_another_budget(talk: New) -> None:
    one = talk(*looking(3), [text("Done")], turns=2)
    with pytest.raises(Stopped):
        one.go()
    one.ask("Go on", MessageCause.GO_ON)
    assert one.go().text() == "Done"


def test_money_is_counted_at_its_worst_before_it_is_spent(talk: New) -> None:
    # One answer of 8,000 tokens could cost $0.08 alone.
    one = talk([text("Never asked")], draft_usd=0.05)
    with pytest.raises(Stopped, match=r"\$0.05"):
        one.go()
    assert one.api.attempts == 0
    assert calls(one) == []


def test_a_call_whose_end_nobody_saw_stays_counted_at_its_worst(talk: New) -> None:
    one = talk(draft_usd=0.30)
    worst = Reservation(1, 1, 50_000, 250_000, "2026-11-30")
    one.transcript().reserve(lambda _spent: worst)  # and here the process ends
    one.api.say([text("Never asked")])
    with pytest.raises(Stopped, match=r"\$0.30"):
        one.go()
    assert one.api.attempts == 0


def test_the_day_of_a_workspace_has_a_cap_of_its_own(talk: New) -> None:
    first = talk([text("Done")], day_usd=0.1125)
    first.go()
    second = talk([text("Never asked")], day_usd=0.1125)
    with pytest.raises(Stopped, match="in a day"):
        second.go()

    second.clock.pass_by(days=1)
    assert second.go().text() == "Never asked"


def test_every_attempt_has_its_row_and_none_is_billed_as_nothing(talk: New) -> None:
    one = talk(Reply(status=529), Reply([text("Half of it")], cut=5), [text("Done")], draft_usd=2)
    one.go()

    refused, cut, whole = calls(one)

    assert (refused.outcome, refused.micro_usd, refused.attempt) == ("529 overloaded_error", 0, 1)
    assert cut.is_partial and cut.fresh + cut.write_5m > 500 and (cut.micro_usd or 0) > 0
    assert whole.outcome == "ok" and whole.stop_reason == "end_turn" and whole.message_id and whole.request_id
    assert whole.price_version == "2026-11-30"
    assert one.api.attempts == 3


def test_the_second_request_reads_the_first_from_the_cache(talk: New) -> None:
    one = talk([use("think", thought="Looking")], [text("Done")])
    one.go()
    first, second = calls(one)
    assert second.read == first.write_5m + first.fresh
    assert second.micro_usd is not None and first.micro_usd is not None and second.micro_usd < first.micro_usd


def test_an_unknown_price_is_unknown_and_the_other_caps_hold(talk: New) -> None:
    one = talk(*looking(9), name="house-model-7b", turns=3)
    with pytest.raises(Stopped, match=r"3 answers.*an unknown amount of money \(3 requests"):
        one.go()
    assert {call.micro_usd for call in calls(one)} == {None}


def test_tokens_of_one_stretch_of_work_have_a_cap(talk: New) -> None:
    one = talk(*looking(9), tokens=18_000)
    with pytest.raises(Stopped, match="18,000 input tokens"):
        one.go()
    assert 0 < sum(call.fresh + call.write_5m + call.read for call in calls(one)) <= 18_000


def test_a_plain_server_gets_the_plain_fields_only(talk: New) -> None:
    one = talk([text("Done")], optional_fields="auto")
    one.go()
    [request] = one.api.requests
    assert set(request) == {"model", "max_tokens", "system", "tools", "messages", "stream"}


def test_rounds_without_an_answer_are_counted_until_one_comes(talk: New) -> None:
    one = talk(*[Reply(status=429, headers={"retry-after": "999"})] * 2, [text("Done")])
    for expected in (1, 2):
        with pytest.raises(ModelAway):
            one.go()
        with one.db.transaction() as session:
            assert rounds_away(session, one.conversation_id) == expected
    one.go()
    with one.db.transaction() as session:
        assert rounds_away(session, one.conversation_id) == 0
