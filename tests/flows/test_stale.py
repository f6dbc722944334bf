"""Files of an earlier report that are posted again: nothing is delivered, and the thread says whose they are."""

from __future__ import annotations

import pytest

from tests.flows.small_logs import small
from tests.flows.world import World


@pytest.mark.slow  # the hearing test sends files again
def test_last_weeks_files_under_new_bytes_and_no_new_ones_are_not_this_weeks_report(world: World) -> None:
    # Given a Monday that was reported
    world.request(files=small(world.desk.now()))
    world.approve(world.card())
    old = small(world.desk.now())
    world.monday()
    world.posted("version 1", "approved by")

    # When the same records come again, saved by another program
    world.alice.post(
        "#lab", "This week's logs", files={name: data.replace(b"fine", b"good") for name, data in old.items()}
    )
    world.monday()

    # Then nothing is delivered, and whether that is usual is asked
    surprise = world.posted("StaleFile", "it is older than this report", "Nothing was delivered")
    world.posted("7 days before the window of its report begins", "Do new files always end so long", after=surprise)
    assert len(world.desk.mails()) == 1
