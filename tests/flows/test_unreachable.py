"""A channel that is closed to Standby: owner and approver hear of it directly, the routine pauses, and can go on."""

from __future__ import annotations

import pytest

from tests.flows.small_logs import SMALL
from tests.flows.world import World


def told_directly(world: World, name: str, *words: str) -> bool:
    """Whether the bot said all these words to this person alone."""
    person = world.desk.person(name)
    directs = [one for one in world.desk.state()["channels"] if one.get("is_im") and one.get("user") == person.id]
    return any(m.is_from_bot and m.says(*words) for one in directs for m in world.desk.messages(one["id"]))


@pytest.mark.parametrize(("action", "undo"), [("archive", "unarchive"), ("remove_bot", "invite_bot")])
def test_a_closed_channel_is_told_to_owner_and_approver_and_pauses_the_routine(
    world: World, action: str, undo: str
) -> None:
    # Given an approved routine whose channel is closed to Standby before Monday
    request = world.request(files=SMALL)
    world.approve(world.card())
    world.desk.channel(action, "#lab")

    # When Monday comes, then both hear of it
    world.monday()
    for name in ("Alice", "Bob"):
        world.desk.wait_until(lambda name=name: told_directly(world, name, "is paused", "“resume”"), within_s=90)

    # And once it is open again, the routine can be resumed and makes up for what failed, once
    world.desk.channel(undo, "#lab")
    world.alice.reply(request, "@standby resume")
    world.posted("Resumed.", "Next: Mon")
    world.alice.reply(request, "@standby backfill")
    world.posted("version 1", "approved by", within_s=60)
    assert world.count("version 1", "approved by") == 1
    assert len(world.desk.mails()) == 1
