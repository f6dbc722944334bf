"""SIGKILL of a real process at named moments of a run and a delivery: a sample here, all of them in the bench."""

from __future__ import annotations

import pytest

from bot.work.points import Point
from tests.flows.crash_points import die_at, matrix
from tests.flows.small_logs import small
from tests.flows.world import World

SAMPLE = [(Point.SLOT_MADE, True), (Point.CODE_RAN, True), (Point.POSTED, True), (Point.MAIL_SENT, True)]


def an_approved_world(world: World) -> World:
    world.request(files=small(world.desk.now()))
    world.approve(world.card())
    return world


def test_whoever_dies_at_a_sampled_moment_nothing_is_lost_or_doubled(world: World) -> None:
    an_approved_world(world)
    for point, healthy in SAMPLE:
        monday = die_at(world, point, healthy)
        assert monday.is_right(healthy), (point, monday)
    halted = die_at(world, Point.POST_CLAIMED, False)
    assert halted.is_right(False), halted


@pytest.mark.slow
@pytest.mark.parametrize(("point", "healthy"), list(matrix()))
def test_whoever_dies_at_any_moment_nothing_is_lost_or_doubled(world: World, point: str, healthy: bool) -> None:
    monday = die_at(an_approved_world(world), point, healthy)

    assert monday.is_right(healthy), monday
