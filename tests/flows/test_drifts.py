"""Other drifts than the story's: each ends in a version that passes, or in plain words, never in a wrong report."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from datetime import datetime

import pytest

from tests.flows.small_logs import week
from tests.flows.world import World


def lower_case(now: datetime) -> dict[str, bytes]:
    return week(now) | {"mill.log": week(now, ("info", "warn", "error"))["mill.log"]}


def renamed_level(now: datetime) -> dict[str, bytes]:
    return week(now) | {"mill.log": week(now, ("INFO", "WARNING", "ERROR"))["mill.log"]}


def packed(now: datetime) -> dict[str, bytes]:
    return week(now) | {"mill.log": gzip.compress(week(now)["mill.log"], mtime=0)}


@pytest.mark.parametrize(
    "changed", [lower_case, *(pytest.param(one, marks=pytest.mark.slow) for one in (renamed_level, packed))]
)
def test_a_changed_log_halts_and_is_answered_by_a_version_that_counts_right(
    world: World, changed: Callable[[datetime], dict[str, bytes]]
) -> None:
    # Given an approved routine over three text logs
    world.request(files=week(world.desk.now()))
    world.approve(world.card())
    world.monday()
    world.posted("9 errors", "version 1", "approved by")

    # When one log of the next week is written in another way
    world.alice.post("#lab", "Here are the logs", files=changed(world.desk.now()))
    world.monday()

    # Then nothing is delivered before a version that reads it is approved
    surprise = world.posted("Nothing was delivered", "mill.log")
    assert len(world.desk.mails()) == 1
    fix = world.card(after=surprise)
    assert fix.says("mill.log", "version 2")
    world.approve(fix)

    # And that version counts all nine errors
    report = world.posted("version 2", "approved by", after=fix)
    assert re.search(r"\b9 errors", report.words)
