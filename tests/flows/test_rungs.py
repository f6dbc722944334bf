"""Moves between rungs: an answer of the library, then five lines to agree on, then the library again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.desk_client import Message
from tests.fakes.model_api import Asked, Json, ModelApi, text, use
from tests.flows import books
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
        return [use("think", thought="Lines 1 to 4: the sums"), use("run_code", script=books.SCRIPT)]

    api.say(plan, carried_out, [text("Line 5 is done: the table is ranked.")])
    _move(world, basis, "plan first")
    lines = world.posted("Written by the model", "5. Rank the shops", after=basis)
    assert len(api.requests) == 1

    # And when somebody agrees in the thread, then they are carried out in view
    world.alice.reply(lines, "Yes, but in two steps")
    second = world.posted("Never left the box", after=lines, within_s=60)
    assert second.says("plan first", "five lines were agreed on")
    assert any(one.says("Lines 1 to 4: the sums") for one in world.desk.thread(asked))
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
