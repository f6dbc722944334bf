"""What owner and approvers tell a routine in its thread, and what comes of it."""

from __future__ import annotations

import json
import time

import pytest

from tests.flows.small_logs import small
from tests.flows.world import World


@pytest.mark.slow  # tests/work/test_typed.py and tests/slack/test_commands.py give the orders
def test_a_routine_is_paused_asked_about_resumed_handed_over_and_retired(world: World) -> None:
    # Given an approved routine
    request = world.request(files=small(world.desk.now()))
    world.approve(world.card())

    # When a stranger orders something, then nothing changes; Alice may
    world.charlie.reply(request, "@standby pause")
    world.posted("not a member of this workspace")
    world.alice.reply(request, "@standby pause")
    world.posted("Paused.", "until somebody says")
    world.alice.reply(request, "@standby next?")
    world.posted("is paused")

    # Then Monday passes without a report
    world.monday()
    time.sleep(2.0)  # long enough for a slot to be made, and for every process to know that it is Monday
    world.alice.reply(request, "@standby resume")
    world.posted("Resumed.", "Next: Mon")
    assert world.count("approved by") == 0

    # When it is told to run now, then one report comes over what was posted since the last slot
    world.alice.post("#lab", "More logs", files=small(world.desk.now()))
    world.desk.wait_until(lambda: world.count("Resumed.") == 1)
    world.alice.reply(request, "@standby run now")
    world.posted("It runs now over the files posted since")
    world.posted("version 1", "approved by", within_s=60)
    world.desk.wait_for_mail(lambda mail: bool(mail.to))

    # When Bob becomes the owner and retires it, then nothing runs any more
    world.alice.reply(request, f"@standby owner <@{world.bob.id}>")
    told = world.posted("answers for log-error-summary from now on")
    assert world.bob.id in json.dumps(told.raw["blocks"])
    world.bob.reply(request, "@standby retire")
    world.posted("Retired.")
    world.bob.reply(request, "@standby resume")
    world.posted("is retired, so it cannot be resumed")
    world.monday()
    assert len(world.desk.mails()) == 1
