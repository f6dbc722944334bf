"""Without a model: what was read in a reply is told, and so is what was not; nothing that people said is dropped."""

from __future__ import annotations

import pytest

from tests.flows.small_logs import week
from tests.flows.world import REQUEST, World


@pytest.mark.slow
def test_what_is_read_in_a_reply_and_what_is_not_is_told(world: World) -> None:
    # Given a request that brings a script, which a first plan cannot use
    request = world.alice.post("#lab", REQUEST, files=week(world.desk.now()) | {"count.py": b"print(1)\n"})
    world.posted("count.py is not used")
    card = world.card()

    # When a reply says three things of which two can be read, then thread and card say which
    world.alice.reply(request, "Count warnings too, and run at 08:30, skip holidays in Norway")
    world.posted("Taken: at 08:30; skips public holidays in Norway", "Not read: “Count warnings too”")
    question = world.posted("I cannot do “Count warnings too”")
    world.alice.press(question, "Answer")
    form = world.alice.wait_for_view()
    world.alice.submit(form, {form.fields[0]: "Make “Log error summary” over all rows, without that"})
    second = world.card(after=card)
    assert second.says("version 2", "08:30", "Not read", "Count warnings too")

    # When a file is left out, then what was said before still holds
    world.alice.reply(request, "leave out kiln.log")
    world.posted("Taken: leaves kiln.log out every time")
    assert world.card(after=second).says("version 3", "08:30")

    # When somebody asks what Standby can do, then that is told and nothing else is wanted
    direct = world.alice.post("@standby", "what can you do?")
    world.desk.wait_for(lambda m: m.is_from_bot and m.says("another time", "pause"), channel=direct.channel)
