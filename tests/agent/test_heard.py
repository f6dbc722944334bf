"""What a pick makes of natural requests: nothing in them is left that could change the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import reduce

import pytest

from bot.agent.heard import heard_by, in_all, is_agreed, left_of
from bot.agent.wanted import Wanted
from bot.domain.request import guided, read
from library.catalog import load_catalog
from library.facts import ColumnFacts, CsvFacts
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
        left[asked] = in_all(left_of(wish, heard_by(wish, request, picked, filled, [facts])))

    assert {asked: found for asked, found in left.items() if found.all} == {}


@pytest.mark.parametrize(
    ("replies", "agreed"),
    [
        ((), False),
        (("Over all rows, then",), True),
        (("over all rows please", "thanks"), True),
        (("count all rows since 10 December",), False),
        (("over all rows", "and without North"), False),
        (("over all rows", "and without North", "all rows, I said"), True),
    ],
)
def test_a_reply_agrees_to_what_was_said_before_it_and_sets_no_condition_itself(
    spoken: Callable[[str], Spoken], replies: tuple[str, ...], agreed: bool
) -> None:
    facts, _ = ASKED["totals-by-category"]
    said = ("totals by region since 10 December", *replies)
    request, wish = spoken(" ".join(said)), wanted(*said)
    picked = match(request, [facts], CATALOG)[0]
    filled = fill(picked.script, [facts], said=said[0])

    each = left_of(wish, heard_by(wish, request, picked, filled, [facts]))

    assert is_agreed(wish, each) is agreed, each


@pytest.mark.parametrize(
    ("currencies", "asked", "left"),
    [
        (("EUR", "EUR"), "totals by category in EUR", ()),
        (("EUR", "EUR"), "totals by category in NOK", ("in NOK",)),
        (("EUR", "NOK"), "totals by category in EUR", ("in EUR",)),
        (("EUR", ""), "totals by category in EUR", ("in EUR",)),
    ],
)
def test_a_currency_in_which_all_is_anyway_is_no_condition(
    spoken: Callable[[str], Spoken], currencies: tuple[str, ...], asked: str, left: tuple[str, ...]
) -> None:
    facts = [
        replace(ASKED["totals-by-category"][0], name=f"{number}.csv", csv=with_currency(currency))
        for number, currency in enumerate(currencies)
    ]
    request, wish = spoken(asked), wanted(asked)
    picked = next(one for one in match(request, facts, CATALOG) if one.script.name == "totals-by-category")
    filled = fill(picked.script, facts, said=asked)

    assert in_all(left_of(wish, heard_by(wish, request, picked, filled, facts))).changing == left


def with_currency(currency: str) -> CsvFacts:
    table = ASKED["totals-by-category"][0].csv
    assert table is not None
    others = tuple(one for one in table.columns if not one.is_unit)
    column = ColumnFacts("currency", "text", is_unit=True, is_money=True, values=(currency,))
    return replace(table, columns=(*others, column) if currency else others)
