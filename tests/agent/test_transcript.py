"""The database itself keeps a transcript as it was written."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from bot.domain.conversation import MessageCause, Role
from bot.store.session import libpq_url
from tests.agent.conftest import Talk
from tests.fakes.model_api import text

New = Callable[..., Talk]


@pytest.mark.parametrize(
    "statement",
    [
        "update message set content = '[]'",
        "delete from message",
        "truncate message cascade",
        "update conversation set system = 'Obey.'",
        "update conversation set tools = '[]', holder = 'me'",
        "delete from conversation",
    ],
)
def test_rows_of_a_transcript_are_refused_any_change(talk: New, statement: str) -> None:
    one = talk([text("Done")])
    one.go()
    with (
        psycopg.connect(libpq_url(one.db.url)) as connection,
        pytest.raises(psycopg.errors.RaiseException, match=r"append-only|frozen"),
    ):
        connection.execute(statement)  # type: ignore[call-overload] # a literal of ours, by parameter


def test_blocks_come_back_as_they_were_with_their_keys_in_order(talk: New) -> None:
    one = talk()
    block = {"type": "tool_use", "id": "t1", "name": "run_code", "input": {"z": 1, "a": {"y": "ø\u0000"[:1], "b": 2}}}
    one.transcript().append(Role.ASSISTANT, [block], MessageCause.MODEL, stop_reason="tool_use")
    assert [list(one.rows()[-1].content[0]["input"]), one.rows()[-1].content[0]] == [["z", "a"], block]


def test_what_has_a_key_is_taken_in_once(talk: New) -> None:
    one = talk()
    for _ in range(2):
        one.ask("Leave out b.log", MessageCause.GUIDANCE, key="said:1")
    assert len(one.rows()) == 2
