"""Every way in which people ask, the clumsy ones too: what happened and what to do is always said."""

from __future__ import annotations

import pytest

from tests.desk_client import Message, View
from tests.flows.small_logs import small
from tests.flows.world import REQUEST, World


def test_each_way_of_asking_is_answered(world: World) -> None:
    alice, desk = world.alice, world.desk

    # a mention without words, and one without files
    alice.post("#lab", "@standby")
    world.posted("I make reports that come back")
    alice.post("#lab", "@standby every Monday count the errors in the logs")
    world.posted("Attach one week's files")

    # what is no data
    alice.post("#lab", REQUEST, files={**small(world.desk.now()), "talk.mp4": b"\x00\x01", "notes.pdf": b"%PDF-1.7"})
    world.posted("notes.pdf is a PDF", "talk.mp4 is a video", "delete them from this thread")

    # a channel that does not exist, or in which Standby is not
    first = alice.post("#lab", REQUEST + " and post it in #nowhere", files=small(world.desk.now()))
    world.posted("I see no channel of that name")
    alice.reply(first, "@standby post it in #general")
    world.posted("I am not in that channel", "/invite")
    desk.channel("invite_bot", "#general")
    alice.reply(first, "@standby post it in #general")
    card = world.card()
    assert card.thread_ts == first.ts
    assert {e["channel_id"] for e in channels_in(card)} >= {"C0GENERAL01"}

    # directly: what comes next belongs to what was said before, and a teammate could not approve here
    direct = alice.post("@standby", "hello")
    desk.wait_for(lambda m: m.is_from_bot and m.says("I make reports"), channel=direct.channel)
    alice.post("@standby", "every Monday count the errors in the logs")
    desk.wait_for(lambda m: m.is_from_bot and m.says("nobody but you reads"), channel=direct.channel)


@pytest.mark.slow
def test_a_message_is_turned_into_a_report_with_the_files_of_its_thread(world: World) -> None:
    # Given logs that were posted before Standby was in the channel, forty of them
    world.desk.channel("remove_bot", "#lab")
    many = {
        f"{name.removesuffix('.log')}-{n}.log": body
        for n in range(20)
        for name, body in list(small(world.desk.now()).items())[:2]
    }
    many = {
        name: body + f"2026-11-24 08:00:{n:02d} INFO lamp on\n".encode() for n, (name, body) in enumerate(many.items())
    }
    logs = world.alice.post("#lab", "This week's logs", files=many)

    # When the form is sent while it is still out, it says so; once it is in, it works
    form = shortcut(world, logs)
    refused = world.alice.submit(form, {form.fields[0]: REQUEST.removeprefix("@standby ")})
    assert "I am not in this channel" in " ".join(refused.errors.values())
    world.desk.channel("invite_bot", "#lab")
    world.alice.submit(
        form, {form.fields[0]: "Compile the instrument logs into an error summary", form.fields[1]: "every Monday at 8"}
    )
    card = world.card()

    # Then the card stands in that message's thread, over its forty files
    assert card.thread_ts == logs.ts
    assert card.says("Mondays 08:00")
    world.posted("Taking 40 files")

    # and a thread is asked about once
    again = shortcut(world, logs)
    refused = world.alice.submit(again, {again.fields[0]: "Something else"})
    assert "already" in " ".join(refused.errors.values())


def shortcut(world: World, message: Message) -> View:
    world.alice.shortcut("turn_into_report", message)
    return world.alice.wait_for_view(lambda view: view.title == "Recurring report")


def channels_in(message: Message) -> list[dict[str, str]]:
    def inside(value: object) -> list[dict[str, str]]:
        if isinstance(value, dict):
            own = [value] if value.get("type") == "channel" else []
            return own + [one for inner in value.values() for one in inside(inner)]
        return [one for inner in value for one in inside(inner)] if isinstance(value, list) else []

    return inside(message.blocks)
