"""Every card and view beside its golden file and the desk's rules, then the properties.

`python -m tests.bench.card_wall` runs the code that comes first on PYTHONPATH. It prints its figures, or says what is
wrong and ends with 1. How far it is stands on stderr, for the properties take some seconds each.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from hypothesis import settings

from bot.desk.block_check import problems_of, view_problems
from bot.desk.block_tables import Surface
from bot.slack.cards import render
from tests.slack.test_cards_golden import CARDS, GOLDEN, MODALS

# Before the properties are read: a busy machine is no broken property.
settings.register_profile("wall", deadline=None)
settings.load_profile("wall")
from tests.slack import test_cards_properties as properties  # noqa: E402  see above

PROPERTIES = (
    properties.test_approval_is_postable_and_approves_only_what_it_shows,
    properties.test_the_largest_card_fits,
    properties.test_report_is_postable_and_says_where_the_rest_is,
    properties.test_other_cards_are_postable,
    properties.test_overviews_are_postable,
    properties.test_pages_hold_every_byte_and_approve_only_at_the_end,
)


def main() -> int:
    made: dict[str, Any] = {name: _message(name) for name in CARDS} | dict(MODALS)
    refused = [name for name, value in made.items() if _problems(value)]
    other = [name for name, value in made.items() if value != _golden(name)]
    if refused or other:
        print(f"refused: {refused}; not as reviewed: {other}", file=sys.stderr)
        return 1
    print(f"{len(made)} cards and views are as reviewed, and the desk takes them", file=sys.stderr)
    for one in PROPERTIES:
        began = time.monotonic()
        try:
            one()
        except Exception as error:  # whatever it is: the property does not hold
            print(f"{one.__name__}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
            return 1
        print(f"{one.__name__} holds ({time.monotonic() - began:.1f} s)", file=sys.stderr)
    figures = {"cards": len(made), "golden": len(made), "properties": len(PROPERTIES), "refused": len(refused)}
    print(json.dumps(figures))
    return 0


def _message(name: str) -> dict[str, Any]:
    card = render(CARDS[name])
    return {"text": card.text, "blocks": card.blocks, "files": [file for file, _ in card.files]}


def _problems(value: dict[str, Any]) -> object:
    return view_problems(value) if "type" in value else problems_of(value["blocks"], Surface.MESSAGE)


def _golden(name: str) -> Any:
    path: Path = GOLDEN / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


if __name__ == "__main__":
    sys.exit(main())
