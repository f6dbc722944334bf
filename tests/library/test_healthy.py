"""Healthy weeks are no surprise: each script lives through them, told what the weeks before measured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from library.catalog import LIBRARY, load_catalog
from library.score import Score, table
from sandbox.outcome import Report
from tests.bench.hearings import BEGIN, END
from tests.library.healthy import WEEKS, week_of
from tests.library.years import first_plan, lived

CATALOG = load_catalog()
FEW = 6  # weeks; enough earlier ones to compare with


@pytest.mark.parametrize("name", sorted(WEEKS))
@pytest.mark.parametrize("weeks", [FEW, pytest.param(50, marks=pytest.mark.slow)])
def test_healthy_weeks_raise_no_alarm(tmp_path: Path, name: str, weeks: int) -> None:
    script = CATALOG[name]
    plan = first_plan(script, tmp_path)

    ends = list(lived(script, plan, tmp_path, weeks))

    assert [(week, outcome) for week, outcome, _ in ends if not isinstance(outcome, Report)] == []
    assert [(week, guard) for week, _, guard in ends if guard] == []


@pytest.mark.parametrize("name", sorted(WEEKS))
def test_the_weeks_really_vary(name: str) -> None:
    weeks = [week_of(name, number) for number in range(20)]

    lines = [sum(data.count(b"\n") for data in week.values()) for week in weeks]
    assert weeks[3] == week_of(name, 3)
    assert max(lines) > 1.15 * min(lines)
    assert len({tuple(week.values()) for week in weeks}) == 20


def test_the_readme_shows_the_scores_that_were_measured() -> None:
    scores = {name: score for name in CATALOG if (score := Score.read(LIBRARY / name))}
    readme = (LIBRARY.parent / "README.md").read_text(encoding="utf-8")
    shown = re.search(f"{re.escape(BEGIN)}\n(.*?){re.escape(END)}", readme, re.DOTALL)

    assert shown is not None
    assert shown[1] == (table(scores) if scores else "")
