"""What a pick makes of natural requests: nothing in them is left that could change the answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import reduce

import pytest

from bot.agent.heard import heard_by, left_of
from bot.agent.wanted import Wanted
from bot.domain.request import guided, read
from library.catalog import load_catalog
from library.fill import fill
from library.match import Spoken, match
from tests.library.test_asked import ASKED

CATALOG = load_catalog()


def wanted(*messages: str) -> Wanted:
    wish = reduce(guided, [read(one, "07:00") for one in messages])
    return Wanted(
        wish=wish,
        channel_id="C9",
        zone="UTC",
        routine_name="",
        taken_names=frozenset(),
        answers={},
        destinations={},
        allowed_domains=(),
        default_time="07:00",
        box_image="test",
        asked_at=datetime(2026, 9, 7, tzinfo=UTC),
        is_once=wish.when is None,
        messages=messages,
    )


@pytest.mark.parametrize("name", sorted(ASKED))
def test_natural_requests_leave_nothing_that_could_change_the_answer(
    spoken: Callable[[str], Spoken], name: str
) -> None:
    facts, requests = ASKED[name]

    left = {}
    for asked in requests:
        request, wish = spoken(asked), wanted(asked)
        picked = match(request, [facts], CATALOG)[0]
        filled = fill(picked.script, [facts], said=asked)
        left[asked] = left_of(wish, heard_by(wish, request, picked, filled, [facts]))

    assert {asked: found for asked, found in left.items() if found.all} == {}
