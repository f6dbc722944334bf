"""The story with a model: it writes the plan, hears of the surprise weeks later, and proposes the fix."""

from __future__ import annotations

from collections.abc import Callable

from tests.fakes.model_api import ModelApi
from tests.flows import silence
from tests.flows.world import LAB_LIST, World

ModelWorld = Callable[..., tuple[World, ModelApi]]


def test_the_story_with_a_model_from_request_to_the_rerun_monday(model_world: ModelWorld) -> None:
    # Given a request that no proven script does, and a model that looks, writes, tries and schedules
    world, api = model_world(*silence.draft_turns(), start=False)
    world.environment = {"PYTHONPROFILEIMPORTTIME": "1"}  # each process writes what it imports into its log
    world.start()
    request = world.request(silence.REQUEST, silence.files(world, "request"))
    steps = world.posted("On it", within_s=10)
    card = world.card()
    assert card.thread_ts == request.ts
    assert card.says("plan as code", "Mondays 07:00 Europe/Oslo", "OddFile", "lab@example.org", "pairwise")
    assert card.says("It halts when a file has no times")
    assert world.desk.again(steps).says("the gaps between lines are the silence", "now the rehearsal")
    api.done()

    # When it is approved and becomes Monday, then the report goes out, and no request to the model with it
    world.approve(card)
    world.monday()
    mail = world.desk.wait_for_mail(lambda mail: bool(mail.to), within_s=60)
    assert tuple(mail.to) == LAB_LIST
    world.posted("was silent for", "version 1", "approved by")
    asked = api.attempts

    # When next week's file is JSON, then the same conversation resumes under the same prompt and proposes the fix
    api.say(*silence.fix_turns())
    api.cache.forget()
    world.alice.post("#lab", "This week's logs", files=silence.files(world, "changed"))
    assert api.attempts == asked
    world.monday()
    surprise = world.posted("Halted: Longest silence", "OddFile", "spectro-07.log", "Nothing was delivered")
    fix = world.card(after=surprise)
    assert fix.thread_ts == request.ts
    assert fix.says("version 2", "The world changed: spectro-07 writes JSON lines")
    assert any("json.loads" in page.words for page in [fix, *world.pages(fix, world.bob)])
    api.done()
    first, last = api.requests[0], api.requests[-1]
    assert (last["system"], last["tools"], last["messages"][0]) == (
        first["system"],
        first["tools"],
        first["messages"][0],
    )

    # Then the halted Monday is rerun and delivered, without another word to the model
    world.approve(fix)
    world.desk.wait_until(lambda: len(world.desk.mails()) == 2, within_s=60)
    world.posted("version 2", "approved by", after=fix)
    api.done()
    assert [one["error"] for one in world.desk.refused()] == []

    # And what ran, delivered and woke it all has never loaded anything that could speak to a model
    imported = {name: process.log.read_text() for name, process in world.processes.items()}
    assert [name for name, log in imported.items() if "| anthropic" in log or "bot.agent" in log] == ["agent"]
