"""A request that is changed where it stands: read anew before its approval; after it, the way to a change is told."""

from __future__ import annotations

import pytest

from tests.flows.small_logs import small
from tests.flows.world import REQUEST, World


@pytest.mark.slow  # tests/work/test_amend.py edits
def test_a_changed_request_gets_another_card_until_one_is_approved(world: World) -> None:
    # Given a card for Mondays
    request = world.request(files=small(world.desk.now()))
    first = world.card()
    assert first.says("Mondays 07:00")

    # When the request is changed, then a card for Tuesdays takes its place
    world.alice.amend(request, REQUEST.replace("Monday", "Tuesday"))
    second = world.card(after=first)
    assert second.says("Tuesdays 07:00")
    world.desk.wait_until(lambda: world.desk.again(first).says("Replaced"), within_s=20)

    # When that is approved and the request is changed again, then whoever did so is told how to have it otherwise
    world.approve(second)
    world.alice.amend(request, REQUEST.replace("Monday", "Friday"))
    told = world.posted("runs as it was approved", "say here what should change")
    assert told.thread_ts == request.ts
