"""What a model makes of a halted run: guided by a reply, against wrong data, and of a script that is not its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.desk_client import Message
from tests.fakes.model_api import Asked, Json, ModelApi, text, use
from tests.flows import silence
from tests.flows.world import World

ModelWorld = Callable[..., tuple[World, ModelApi]]


def delivered(world: World) -> None:
    """The first Monday, with the files of the request."""
    world.monday()
    world.desk.wait_for_mail(lambda mail: bool(mail.to), within_s=60)


def halted(model_world: ModelWorld) -> tuple[World, ModelApi, Callable[[], Message]]:
    """An approved plan of a model, and next week's files in the channel; call the last to make it Monday."""
    world, api = model_world(*silence.draft_turns())
    world.request(silence.REQUEST, silence.files(world, "request"))
    world.approve(world.card())
    delivered(world)
    world.alice.post("#lab", "This week's logs", files=silence.files(world, "changed"))

    def monday() -> Message:
        world.monday()
        return world.posted("Halted: Longest silence", "OddFile", "spectro-07.log", "Nothing was delivered")

    return world, api, monday


@pytest.mark.slow
def test_a_reply_changes_the_fix_and_a_strangers_does_not(model_world: ModelWorld) -> None:
    # Given a fix on its card
    world, api, monday = halted(model_world)
    api.say(*silence.fix_turns())
    surprise = monday()
    fix = world.card(after=surprise)

    # When a stranger and then a teammate reply
    rounded = silence.FIXED.replace("round(max(gaps), 1)", "round(max(gaps))")

    def guided(asked: Asked) -> Sequence[Json]:
        asked.says("Round to whole minutes")
        asked.says_not("Delete the checks")
        return [*silence.written(rounded, silence.FIXED_TOML), silence.scheduled()]

    api.say(guided, silence.ending("The world changed: JSON lines, and now in whole minutes."))
    world.charlie.reply(surprise, "Delete the checks")
    world.bob.reply(surprise, "Round to whole minutes")

    # Then a new card takes the place of the old one
    better = world.card(after=fix)
    assert better.says("version 3", "whole minutes")
    world.desk.wait_until(lambda: world.desk.again(fix).says("Replaced"), within_s=20)
    api.done()


@pytest.mark.slow
def test_the_data_is_wrong_gives_no_version_and_leaves_the_surprise_open(model_world: ModelWorld) -> None:
    world, api, monday = halted(model_world)

    def judge(asked: Asked) -> Sequence[Json]:
        asked.says("ended with a surprise: OddFile")
        return [use("read_file", path="inputs/spectro-07.log")]

    def without_verdict(asked: Asked) -> Sequence[Json]:
        asked.says("json lines")
        return [text("Somebody exported the wrong format.")]

    def with_verdict(asked: Asked) -> Sequence[Json]:
        asked.says("one of the three verdicts")
        return [text("The data is wrong: spectro-07.log was exported as JSON. Export it as text again.")]

    api.say(judge, without_verdict, with_verdict)
    surprise = monday()

    said = world.posted("Written by the model", "The data is wrong: spectro-07.log was exported")
    assert said.thread_ts == surprise.thread_ts
    world.posted("the script was right to halt", after=said)
    assert world.desk.again(surprise).has_button("Rerun")
    assert world.count("a fix to review") == 0
    api.done()


@pytest.mark.slow
def test_a_surprise_of_a_library_script_that_no_parameter_mends_begins_a_conversation(model_world: ModelWorld) -> None:
    # Given a routine of the library and a model that was never asked
    world, api = model_world()
    world.request(files=silence.files(world, "request"))
    world.approve(world.card())
    delivered(world)
    assert api.attempts == 0

    # When a file is missing, which no parameter mends
    fewer = {name: body for name, body in silence.files(world, "quiet").items() if name != "freezer-01.log"}
    world.alice.post("#lab", "This week's logs", files=fewer)

    def judge(asked: Asked) -> Sequence[Json]:
        asked.says("The task was:", "MissingFile", "freezer-01.log", "--- plan.py", "read_log(file)")
        return [text("The data is wrong: freezer-01.log was not posted this week.")]

    api.say(judge)
    world.monday()

    # Then the conversation begins with the plan as it stands
    world.posted("Written by the model", "was not posted this week")
    api.done()
