"""SIGKILL of real processes at the moments that matter; verdicts come from desk and mail sink alone."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from bot.store.session import libpq_url
from tests.box.local_server import until
from tests.flows.box_faults import START
from tests.flows.small_logs import small
from tests.flows.world import World


@pytest.mark.slow  # a killed agent with a model has such a death too
def test_agent_killed_between_request_and_card(world: World) -> None:
    # Given an agent that is killed while it works on a request
    world.request()
    world.posted("Looking at a sample")
    world.processes["agent"].kill()

    # When another takes its place
    world.start("agent")

    # Then one card comes, which can be approved, and the work was shown in one message
    card = world.card()
    world.approve(card)
    assert world.count("Log error summary: Approved") == 1
    assert world.count("needs review") == 0
    assert world.count("Taking 14 files") == 1


def test_bot_killed_before_it_could_keep_the_request(new_world: Callable[..., World]) -> None:
    # Given a bot that has a request but cannot commit it, because something holds its table
    world = new_world()
    world.desk.settings(redelivery_waits_s=[2, 15, 30])
    world.start()
    with psycopg.connect(libpq_url(world.settings.database_url)) as other:
        other.execute("lock table seen in access exclusive mode")
        world.request(files=small(world.desk.now()))
        world.desk.wait_until(lambda: bool(world.desk.ledger("event")), within_s=20)

        # When it is killed
        world.processes["bot"].kill()
    world.start("bot")

    # Then it had not acknowledged what it did not have, so the message comes again, and one card comes of it
    card = world.card()
    assert world.count("needs review") == 1
    world.approve(card)


@pytest.mark.slow  # the bad Monday of the crash points has such a death too
def test_runner_killed_during_the_run(world: World) -> None:
    # Given a runner that dies while its script is about to run in a box that may live for minutes
    world.request()
    world.approve(world.card())
    world.boxes.fault("delay", START, milliseconds=3_000)
    before = len(world.boxes.ledger()["created"])
    world.monday()
    world.desk.wait_until(lambda: f"POST {START}" in world.boxes.ledger()["requests"][-1:], within_s=60)
    box = world.boxes.ledger()["created"][before]
    world.processes["runner"].kill()
    assert box["id"] in world.boxes.folders() and int(box["tags"]["lifetime_s"]) > 300

    # When another takes over, then the box that was left is gone at once, known by whose it was
    world.start("runner")
    gone_s = 3 * world.settings.stalled_after_s + 3
    assert until(lambda: box["id"] not in world.boxes.folders(), within_s=gone_s)
    assert box["tags"]["install"] and box["tags"]["worker"]

    # And the slot is run again and delivered once
    world.posted("version 1", "approved by", within_s=60)
    world.desk.wait_for_mail(lambda mail: bool(mail.to))
    assert world.count("version 1", "approved by") == 1
    assert len(world.desk.mails()) == 1
