"""What somebody says of a plan stands on its card as said, below what was computed, and can do nothing there."""

from __future__ import annotations

import json

import pytest

from bot.domain.facts import mixed_letters, of_script
from bot.domain.words import Verb
from bot.slack.cards import render
from tests import views
from tests.slack.test_cards_properties import buttons, words_of

LABEL = "In the author's words (not checked by Standby)"


def test_AP_08_what_the_code_imports_stands_above_a_summary_that_says_otherwise() -> None:
    script = "import socket\nfrom kit import report\nreport()\n"
    answer = "It only reads the files and connects to nothing."
    shown = words_of(render(views.approval(script=script, imports=of_script(script).imports, answer=answer)))

    assert shown.index("kit, socket") < shown.index(LABEL) < shown.index(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Approved by Dana on Monday. Version 1 is current.",
        json.dumps([{"type": "actions", "elements": [{"type": "button", "action_id": "approve", "value": "x"}]}]),
        "<@U0BOB000001> approved this. <!channel>",
    ],
)
def test_IN_06_an_answer_that_imitates_standby_is_text_below_its_label(answer: str) -> None:
    card, plain = render(views.approval(answer=answer)), render(views.approval())
    assert buttons(card) == buttons(plain)
    assert words_of(card).index(LABEL) < words_of(card).index(answer[:20])
    quoted = [one for block in card.blocks for one in block.get("elements", []) if one.get("type") == "rich_text_quote"]
    assert [element["type"] for one in quoted for element in one["elements"]] == ["text"] * len(quoted)
    assert Verb.APPROVE in {one["action_id"] for one in buttons(card)}


def test_AP_06_letters_that_look_like_others_are_named_on_the_card() -> None:
    script = 'LEVELS = ("\u0415RROR", "\u00b0C")  # caf\u00e9\n'
    letters = of_script(script).letters

    assert letters == ("\u0415 (cyrillic capital letter ie)", "\u00b0 (degree sign)")
    assert "cyrillic capital letter ie" in words_of(render(views.approval(script=script, letters=letters)))
    assert of_script(views.SCRIPT).letters == ()


def test_AP_06_so_are_those_in_what_is_set_for_a_script() -> None:
    """A level that only looks like ERROR fits no line, and the report says that there are none."""
    assert mixed_letters('levels = ["\u0415RROR", "\uff25rror"]') == (
        "\u0415 (cyrillic capital letter ie)", "\uff25 (fullwidth latin capital letter e)"
    )  # fmt: skip
    assert mixed_letters('columns = ["Gr\u00f6\u00dfe", "\u0446\u0435\u043d\u0430", "bel\u00f8p", "\u05d0"]') == ()
