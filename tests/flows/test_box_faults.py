"""A provider of boxes that fails: the slot is run again, nothing is called a surprise, and no box stays behind."""

from __future__ import annotations

import pytest

from tests.box import wire
from tests.box.local_server import until
from tests.flows.box_faults import CREATE, FAULTS, Monday, live_through
from tests.flows.small_logs import small
from tests.flows.world import World

QUICK = ("the box vanishes in mid-run", "the disk is full")


def lived_through(world: World, names: list[str]) -> dict[str, Monday]:
    world.request(files=small(world.desk.now()))
    world.approve(world.card())
    return {name: live_through(world, FAULTS[name], small(world.desk.now())) for name in names}


@pytest.mark.slow
def test_a_run_whose_box_fails_is_run_again_and_delivered_once(world: World) -> None:
    for name, monday in lived_through(world, list(QUICK)).items():
        assert monday.is_right, (name, monday)
        assert monday.boxes_for_runs >= 2, (name, monday)


@pytest.mark.slow
def test_so_it_is_with_every_other_fault(world: World) -> None:
    for name, monday in lived_through(world, [name for name in FAULTS if name not in QUICK]).items():
        assert monday.is_right, (name, monday)


@pytest.mark.slow
def test_a_provider_that_keeps_failing_is_told_as_a_fault_and_wakes_no_agent(world: World) -> None:
    # Given a provider that opens no box any more, and a box it forgot to end
    forgotten = wire.create(world.boxes, timeout=600, metadata={"standby": "1", "lifetime_s": "0"}).json()["sandboxID"]
    world.request(files=small(world.desk.now()))
    world.approve(world.card())
    opened = len(world.boxes.ledger()["created"])
    world.boxes.fault("status", CREATE, status=500, times=50)

    # When Monday comes, then after three attempts the thread says so, with what can be done
    world.monday()
    told = world.posted("box", "happened 3 times", "Nothing was delivered", within_s=90)
    assert told.has_button("Rerun")
    assert world.desk.mails() == []

    # And nobody looked into it: it is no surprise of the data's
    assert len(world.boxes.ledger()["created"]) == opened

    # And when the provider is back, a rerun delivers
    world.boxes.no_faults()
    world.bob.press(told, "Rerun")
    world.desk.wait_until(lambda: len(world.desk.mails()) == 1, within_s=60)
    assert until(lambda: set(world.boxes.folders()) <= {forgotten})
    world.boxes.boxes().kill(forgotten)
