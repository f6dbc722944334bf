"""The answer to a commit is lost: it counts, nobody knows so, and what follows finds it instead of doing it again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy.exc import DBAPIError

from bot.store.session import Database
from bot.work.verify import problems
from tests.approval.hands import press, proposed
from tests.approval.stage import SEAL, Stage
from tests.work.cut_line import Line
from tests.work.weeks import verdict, week

FAR = 1000  # more commits than a week has


@pytest.fixture
def line(database_url: str) -> Iterator[Line]:
    with Line(database_url).open() as opened:
        yield opened


@pytest.fixture
def far(stage: Stage, line: Line) -> Iterator[Stage]:
    """A stage whose first worker reaches the database over the line."""
    near, stage.databases[0] = stage.databases[0], Database(line.url, pool_size=1, seal=SEAL)
    yield stage
    near.close()


def monday_cut_at(far: Stage, line: Line, number: int) -> int:
    """A Monday on which the answer to that commit is lost; how many commits it had."""
    assert press(far, proposed(far)).accepted
    far.time.pass_by(days=7)
    before = line.commits
    line.cut_at = before + number
    week(far)
    return line.commits - before


def test_the_line_carries_a_whole_week(far: Stage, line: Line) -> None:
    assert 8 < monday_cut_at(far, line, FAR) < FAR
    verdict(far)
    assert len(far.post.taken) == 1


@pytest.mark.parametrize("number", [1, 3, 5, 7])
def test_DB_04_whichever_answer_is_lost_the_report_is_there_once(far: Stage, line: Line, number: int) -> None:
    assert monday_cut_at(far, line, number) >= number
    verdict(far)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 25))
def test_every_answer_of_a_week_may_be_lost(far: Stage, line: Line, number: int) -> None:
    monday_cut_at(far, line, number)
    verdict(far)


def test_DB_04_a_press_whose_answer_was_lost_counts_once(far: Stage, line: Line) -> None:
    plan_id = proposed(far)
    answers = 0
    for number in range(1, 4):
        line.cut_at = line.commits + number
        try:
            answers += press(far, plan_id).accepted
        except DBAPIError:
            continue
    line.cut_at = 0

    assert not press(far, plan_id).accepted
    assert answers <= 1
    assert far.one("select count(*) from decision") == 1
    assert far.one("select state from routine") == "active"
    assert problems(far.behind) == []
