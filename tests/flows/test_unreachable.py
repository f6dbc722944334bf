"""A channel that is closed to Standby: owner and approver hear of it directly, the routine pauses, and can go on."""

from __future__ import annotations

import pytest

from tests.flows.small_logs import small
from tests.flows.world import World


def told_directly(world: World, name: str, *words: str) -> bool:
    """Whether the bot said all these words to this person alone."""
    person = world.desk.person(name)
    directs = [one for one in world.desk.state()["channels"] if one.get("is_im") and one.get("user") == person.id]
    return any(m.is_from_bot and m.says(*words) for one in directs for m in world.desk.messages(one["id"]))


@pytest.mark.parametrize(
    ("action", "undo"),
    [pytest.param("archive", "unarchive", marks=pytest.mark.slow), ("remove_bot", "invite_bot")],
)
def test_a_closed_channel_is_told_to_owner_and_approver_and_pauses_the_routine(
    world: World, action: str, undo: str
) -> None:
    # Given an approved routine whose channel is closed to Standby before Monday
    request = world.request(files=small(world.desk.now()))
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
    world.desk.wait_until(lambda: len(world.desk.mails()) == 1, within_s=30)


@pytest.mark.slow  # tests/work tries who stands for what
def test_an_approver_who_left_is_told_to_the_owner_and_pauses_the_routine_until_another_stands_for_it(
    world: World,
) -> None:
    # Given an approved routine whose approver's account is deactivated before Monday
    request = world.request(files=small(world.desk.now()))
    world.approve(world.card())
    world.desk.people("deactivate", "Bob")

    # When Monday comes, then nothing runs, the thread says why, and the owner hears of it directly
    world.monday()
    world.desk.wait_until(lambda: told_directly(world, "Alice", "is paused", "who approved it"), within_s=60)
    world.posted("who approved it, is deactivated")
    assert world.count("approved by") == 0

    # And once he is back, it goes on and makes up for what was blocked, once
    world.desk.people("reactivate", "Bob")
    world.alice.reply(request, "@standby resume")
    world.posted("Resumed.", "Next: Mon")
    world.alice.reply(request, "@standby backfill")
    world.posted("version 1", "approved by", within_s=60)
    world.desk.wait_until(lambda: len(world.desk.mails()) == 1, within_s=30)


@pytest.mark.slow
def test_a_revoked_token_pauses_the_routine_and_is_told_once_the_app_is_back(world: World) -> None:
    request = world.request(files=small(world.desk.now()))
    world.approve(world.card())
    world.desk.revoke_token()
    world.monday()
    runner = world.processes["runner"]
    world.desk.wait_until(lambda: "nobody_reached" in runner.log.read_text(), within_s=60)

    # Nobody can be told while nothing can be posted; afterwards it is said, directly or in the thread, and it is paused
    world.desk.revoke_token(revoked=False)
    world.desk.wait_until(
        lambda: told_directly(world, "Alice", "token was revoked") or world.count("token was revoked"), within_s=90
    )
    world.alice.reply(request, "@standby next")
    world.posted("is paused")
