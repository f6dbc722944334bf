"""A plan in lines: found in what a model says, followed line by line, changed midway without losing what is done."""

from __future__ import annotations

import pytest

from bot.domain.plan_lines import begun, lines_in, told
from bot.domain.views import Step

PLAN = "I would:\n1. Look at one book.\n2. Add up revenue and costs.\n3. Rank the shops.\n\nShall I?"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (PLAN, ("Look at one book.", "Add up revenue and costs.", "Rank the shops.")),
        ("Now: 1. Look. 2. Add up 2.5 % of 10. 3. Rank.", ("Look.", "Add up 2.5 % of 10.", "Rank.")),
        ("1) Look\n2) Rank", ("Look", "Rank")),
        ("In 2025. 1. Look. 2. Rank, at most 10. See 2.", ("Look.", "Rank, at most 10. See 2.")),
        ("It has 3. And 4. of them", ()),
        ("1. Only one line", ()),
        ("2. Second\n3. Third", ()),
        ("No plan at all", ()),
        ("1. \n2. ", ()),
    ],
)
def test_numbered_lines_are_found_and_nothing_else_is_taken_for_a_plan(text: str, lines: tuple[str, ...]) -> None:
    assert lines_in(text) == lines


def test_each_line_is_shown_as_it_is_reached() -> None:
    steps = told(begun(PLAN), "Line 2: three shops, 3,600 rows") or ()

    assert [one.status for one in steps] == ["complete", "in_progress", "pending"]
    assert steps[1] == Step("2. Add up revenue and costs.", "in_progress", "three shops, 3,600 rows")
    both = told(steps, "Lines 2 and 3: the sums and the rank") or ()
    assert [one.status for one in both] == ["complete", "in_progress", "in_progress"]


@pytest.mark.parametrize("words", ["The sums are done", "Line 9: there is none", "Line 0", "Lines of code: ten"])
def test_words_about_no_line_say_nothing_of_the_plan(words: str) -> None:
    assert told(begun(PLAN), words) is None


def test_a_plan_changed_midway_keeps_what_is_done_and_has_the_rest_to_do() -> None:
    steps = told(begun(PLAN), "Line 2: adding") or ()

    plan = "1. Look at one book.\n2. Add up revenue alone.\n3. Rank the shops.\n4. Leave out shop-aa."
    changed = told(steps, plan) or ()

    assert [(one.text, one.status) for one in changed] == [
        ("1. Look at one book.", "complete"),
        ("2. Add up revenue alone.", "pending"),
        ("3. Rank the shops.", "pending"),
        ("4. Leave out shop-aa.", "pending"),
    ]
