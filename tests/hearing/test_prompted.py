"""A plan as the planner's prompt shows one, its parameters filled in by Standby, in the hearing test."""

from __future__ import annotations

import random

import pytest

from bot.agent.prompt import system_prompt
from bot.work.compose import Terms, composed
from library.manifest import ChannelDestination, ChannelSource
from sandbox.hearing.ears import WELL
from tests.hearing.hall import DUE, FACTS, Hall

TERMS = Terms(
    name="", taken=frozenset(), why="as the prompt shows", when="0 7 * * mon", zone="UTC", source=ChannelSource("C1"),
    destinations=(ChannelDestination("C1"),), box_image="test", asked_at=DUE,
)  # fmt: skip
TOML = """title = "Amount per region"

[[checks]]
name = "OddHeader"
says = "each file has its columns"

[[intermediates]]
name = "rows read"
unit = "rows"

[surprise]
name = "OddHeader"
drift = "column-renamed"
why = "exports change"
"""
CITIES = ("Oslo", "Bergen", "Molde")


def books() -> dict[str, bytes]:
    """Two files of a week, with a date in each row."""
    chance = random.Random(7)
    files = {}
    for name in ("north.csv", "south.csv"):
        rows = [
            f"2026-09-{1 + row % 6:02d},{chance.choice(CITIES)},{chance.randint(100, 99_999) / 100:.2f}"
            for row in range(90)
        ]
        files[name] = ("Date,Region,Amount\n" + "\n".join(rows) + "\n").encode()
    return files


@pytest.mark.slow  # a whole hearing test
def test_the_plan_of_the_prompt_hears_nearly_everything_by_itself(hall: Hall) -> None:
    example = "from kit import" + system_prompt().split("\nfrom kit import")[1].split("\n\nChecks are")[0] + "\n"
    files = books()
    samples = hall.samples(files)
    report = b"{{total}} in {{regions}} regions\n"
    draft = {"plan.py": example.encode(), "report.md": report, "plan.toml": TOML.encode()}

    hearing = hall.hear(composed(draft, TERMS, TERMS.when, samples, FACTS), files, samples)

    assert hearing.fit > 40 and not hearing.not_tried
    deaf = [one.drift for one in hearing.ears if one.alone not in WELL]
    assert len(deaf) <= 0.1 * hearing.fit, deaf
