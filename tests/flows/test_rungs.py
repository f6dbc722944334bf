"""Moves between rungs: an answer of the library, then five lines to agree on, then the library again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.desk_client import Message
from tests.fakes.model_api import Asked, Json, ModelApi, text, use
from tests.flows import books
from tests.flows.test_model_replies import heard
from tests.flows.world import World

ModelWorld = Callable[..., tuple[World, ModelApi]]
LINES = "1. Look at one book.\n2. Add up revenue.\n3. Add up costs.\n4. Divide.\n5. Rank the shops."


def test_a_task_is_moved_by_a_button_from_rung_to_rung(model_world: ModelWorld) -> None:
    # Given a question that a proven script answers, without a word to the model that is there
    world, api = model_world()
    asked, basis = books.answered(world, api, books.KNOWN, 3, 1_200)
    assert basis.says("existing script", "no model was asked")
    assert api.attempts == 0

    # When a stranger moves it, nothing happens; when Bob moves it to plan first, then five lines come and nothing more
    world.charlie.press(basis, "Another way")
    form = world.charlie.wait_for_view()
    refused = world.charlie.submit(form, {form.fields[0]: "plan first"})
    assert "Only members" in str(refused.errors)

    def plan(said: Asked) -> Sequence[Json]:
        said.says("five numbered lines", "net margin")
        return [text(LINES)]

    def carried_out(said: Asked) -> Sequence[Json]:
        said.says("but in two steps")
        world.bob.reply(basis, "Rank them by what they lose, please")  # the reply comes while line 1 is carried out
        heard(world)
        return [use("think", thought="Line 1: aa has dates, invoices, revenue and costs")]

    def changed(said: Asked) -> Sequence[Json]:
        said.says("Somebody in the thread says:\nRank them by what they lose, please")
        return [
            use("think", thought=LINES.replace("Rank the shops", "Rank by loss")),
            use("think", thought="Line 3: ok"),
        ]

    def computed(_said: Asked) -> Sequence[Json]:
        steps = world.posted("5. Rank by loss", "3. Add up costs", after=lines)
        assert not steps.says("5. Rank the shops")
        return [use("run_code", script=books.SCRIPT)]

    api.say(plan, carried_out, changed, computed, [text("Line 5 is done: the table is ranked.")])
    _move(world, basis, "plan first")
    lines = world.posted("Written by the model", "5. Rank the shops", after=basis)
    assert len(api.requests) == 1

    # And when somebody agrees in the thread, then they are carried out in view, as they are changed meanwhile
    world.alice.reply(lines, "Yes, but in two steps")
    second = world.posted("Never left the box", after=lines, within_s=60)
    assert second.says("plan first", "five lines were agreed on")
    steps = next(one for one in world.desk.thread(asked) if one.says("The answer is below", "5. Rank by loss"))
    assert [task["status"] for task in steps.blocks[0]["tasks"]][-5:] == ["complete"] * 5
    assert steps.says("aa has dates, invoices, revenue and costs")
    api.done()

    # When it is moved to the existing script, then the library answers again
    _move(world, second, "existing script")
    third = world.posted("Never left the box", after=second, within_s=60)
    assert third.says("existing script: Computes the net margin")
    api.done()


def _move(world: World, basis: Message, rung: str) -> None:
    world.bob.press(basis, "Another way")
    form = world.bob.wait_for_view()
    chosen = next(words for words in form.words.splitlines() if words.startswith(f"{rung}:"))
    moved = world.bob.submit(form, {form.fields[0]: chosen})
    assert moved.errors == {}
