"""SIGKILL of real processes at named moments of a run and a delivery: one bad Monday here, all of them when slow."""

from __future__ import annotations

from zlib import crc32

import pytest

from bot.work.points import Point
from tests.flows.crash_points import die_at, matrix, pairs
from tests.flows.small_logs import small
from tests.flows.world import World

# The two moments at which only the outside knows what happened. What rows alone decide is shown without processes
# (work/test_writes_fail.py, work/test_commits_lost.py), and every moment here when slow.
BAD_MONDAY = (Point.POSTED, Point.MAIL_SENT)
REPLIES = ("chat.postMessage", "conversations.replies", "chat.update", "auth.test")


def a_third(what: object) -> bool:
    """Always the same third of all pairs; the bench has them all."""
    return crc32(repr(what).encode()) % 3 == 0


def an_approved_world(world: World) -> World:
    world.request(files=small(world.desk.now()))
    world.approve(world.card())
    return world


def test_whoever_dies_on_a_bad_monday_nothing_is_lost_or_doubled(world: World) -> None:
    monday = die_at(an_approved_world(world), BAD_MONDAY, True)

    assert monday.is_right(True), monday
    assert world.desk.calls("conversations.replies")  # it looked before it would have posted again


@pytest.mark.slow
@pytest.mark.parametrize(("point", "healthy"), list(matrix()))
def test_whoever_dies_at_any_moment_nothing_is_lost_or_doubled(world: World, point: str, healthy: bool) -> None:
    monday = die_at(an_approved_world(world), [point], healthy)

    assert monday.is_right(healthy), monday


@pytest.mark.slow
@pytest.mark.parametrize("pair", [pair for pair in pairs() if a_third(pair)], ids=" then ".join)
def test_whoever_dies_at_two_moments_nothing_is_lost_or_doubled(world: World, pair: tuple[str, str]) -> None:
    monday = die_at(an_approved_world(world), pair, True)

    assert monday.is_right(True), monday


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 5))
@pytest.mark.parametrize("healthy", [True, False])
def test_whichever_reply_is_lost_nothing_is_lost_or_doubled(world: World, number: int, healthy: bool) -> None:
    """The process dies too, so that what was begun is taken up again by one that knows nothing of it."""
    an_approved_world(world)
    for method in REPLIES:
        world.desk.fault("lost_reply", method, times=number)
    if healthy:
        world.desk.fault("mail_lost_reply", times=1)

    monday = die_at(world, [Point.RUN_ENDED], healthy)

    assert monday.is_right(healthy), monday
