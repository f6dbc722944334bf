"""Drafts of a model: corrected, stopped and carried on, killed and resumed; and what a form settles before any."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from tests.fakes.model_api import Asked, Json, ModelApi, Turn, text, use
from tests.flows import silence
from tests.flows.world import World

BOOKS = Path(__file__).parents[2] / "library" / "ranked-margin" / "sample"
ModelWorld = Callable[..., tuple[World, ModelApi]]


@pytest.mark.slow  # tests/evals refuses broken drafts
def test_a_draft_that_fails_its_rehearsal_twice_is_corrected(model_world: ModelWorld) -> None:
    # Given a first draft that is deaf to its own surprise, and a second whose check is nowhere in the script
    deaf = silence.PLAN.replace("len(times) > 1,", "True,").replace("max(gaps)", "max(gaps, default=0)")
    deaf = deaf.replace('check("OddLines", not odd,', 'check("OddLines", True,')
    undeclared = silence.TOML.replace('name = "OddLines"', 'name = "OddLevels"')

    def after_deaf(asked: Asked) -> Sequence[Json]:
        asked.says("should have raised OddFile", "made a report as if nothing had happened")
        return [*silence.written(silence.PLAN, undeclared), silence.scheduled()]

    def after_undeclared(asked: Asked) -> Sequence[Json]:
        asked.says("its check OddLevels is nowhere in the script")
        return [use("write_file", path="plan.toml", content=silence.TOML), silence.scheduled()]

    *begin, _ = silence.draft_turns(plan=deaf)
    world, api = model_world(*begin, after_deaf, after_undeclared, silence.ending("Both mended."))

    # When it is asked for, then the third try stands on the one card
    world.request(silence.REQUEST, silence.files(world, "request"))
    card = world.card()
    assert card.says("OddLines", "Both mended")
    assert world.count("needs review") == 1
    api.done()


@pytest.mark.slow
def test_a_budget_stop_says_what_was_spent_and_a_press_goes_on(model_world: ModelWorld) -> None:
    # Given a model that may answer twice
    turns: list[Turn] = silence.draft_turns()

    def granted(asked: Asked) -> Sequence[Json]:
        asked.says("written plan.py", "Another budget was granted")
        return [use("run_code", script="run plan.py")]

    turns[2] = granted
    world, api = model_world(*turns, STANDBY_MODEL_TURNS="2")
    world.request(silence.REQUEST, silence.files(world, "request"))
    stopped = world.posted("I stopped after 2 answers", "Spent on this so far: $0.0")
    assert len(api.requests) == 2

    # When a stranger presses Go on, nothing happens; when the requester does, it goes on to its next stop
    world.charlie.press(stopped, "Go on")
    world.told(world.charlie, "not a member of this workspace")
    assert len(api.requests) == 2
    world.alice.press(stopped, "Go on")
    again = world.posted("I stopped after 2 answers", after=stopped)
    assert len(api.requests) == 4

    # Then what was rehearsed before that stop is on its card; and it goes on to its last words
    assert world.card().says("Longest silence")
    world.alice.press(again, "Go on")
    world.posted("Written by the model", "It halts when a file has no times", after=again)

    # And a second press of the first button changes nothing
    world.alice.press(stopped, "Go on")
    api.done()


def test_an_unknown_recipient_is_asked_by_a_form_before_any_request(model_world: ModelWorld) -> None:
    world, api = model_world(*silence.draft_turns()[:1], [text("I would count gaps. Shall I?")])
    api.script[0] = [text("I would compute the gaps between lines. Shall I?")]
    api.script.pop()
    world.request(silence.REQUEST.replace("the lab list", "the night shift"), silence.files(world, "request"))
    question = world.posted("night shift")
    assert api.attempts == 0

    world.alice.press(question, "Answer")
    form = world.alice.wait_for_view()
    world.alice.submit(form, {form.fields[0]: "night@example.org"})

    said = world.posted("Written by the model", "Shall I?")
    assert said.is_reply
    assert "night@example.org" not in str(api.requests)
    api.done()


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("while it answers", marks=pytest.mark.slow),
        "in a call",
        pytest.param("after a call", marks=pytest.mark.slow),
    ],
)
def test_a_killed_agent_goes_on_in_a_new_process(model_world: ModelWorld, moment: str) -> None:
    turns: list[Turn] = silence.draft_turns()
    world, api = model_world(start=False)

    def tried() -> set[str]:
        """The boxes in which something was tried."""
        return {one["id"] for one in world.boxes.ledger()["commands"] if "trying.py" in str(one)}

    before = tried()  # the box server has served other tests

    def killed(_asked: Asked) -> Sequence[Json]:
        world.processes["agent"].kill()
        return [text("Nobody hears this.")]

    def slow(asked: Asked) -> Sequence[Json]:
        asked.says("spectro-07.log: text log")
        return [
            use("think", thought="Sleeping now"),
            use("run_code", script="import time; time.sleep(40); print('woken')"),
        ]

    def interrupted(asked: Asked) -> Sequence[Json]:
        asked.says("INTERRUPTED", "nothing was delivered")
        return [*silence.written(silence.PLAN, silence.TOML), silence.written_report()]

    script = {
        "while it answers": [turns[0], killed, *turns[1:]],
        "in a call": [turns[0], slow, interrupted, *turns[2:]],
        "after a call": [turns[0], turns[1], killed, *turns[2:]],
    }[moment]
    api.say(*script)
    world.start()
    world.request(silence.REQUEST, silence.files(world, "request"))
    if moment == "in a call":
        world.desk.wait_until(lambda: tried() - before)
        world.processes["agent"].kill()
    world.desk.wait_until(lambda: world.processes["agent"].popen.poll() is not None, within_s=60)  # type: ignore[union-attr]
    world.start("agent")

    card = world.card()
    assert card.says("Longest silence", "spectro-07")
    assert world.count("needs review") == 1
    assert world.count("Taking 3 files") == 1
    api.done()


@pytest.mark.slow
def test_a_model_s_plan_runs_in_the_zone_that_people_named(model_world: ModelWorld) -> None:
    world, api = model_world(*silence.draft_turns())

    world.request(silence.REQUEST.replace("last week", "last week, Asia/Tokyo time"), silence.files(world, "request"))

    assert world.card().says("Mondays 07:00 Asia/Tokyo")
    api.done()


def test_a_proven_script_that_fails_its_rehearsal_is_handed_to_the_model_with_what_was_wrong(
    model_world: ModelWorld,
) -> None:
    # Given tables that the library's script fits, but for one whose margin cannot be computed
    def told(asked: Asked) -> Sequence[Json]:
        asked.says("tried and cannot be proposed as it is", "ZeroRevenue", "idle.csv", "--- plan.py", "rows.sql(")
        return [text("The revenue in idle.csv sums to zero. Shall I leave it out?")]

    world, api = model_world(told)
    day = f"{world.desk.now() - timedelta(days=2):%Y-%m-%d}".encode()
    files = {one.name: re.sub(rb"2026-08-\d\d", day, one.read_bytes()) for one in BOOKS.iterdir()}
    header, *rows = files["north.csv"].decode().splitlines()
    idle = [",".join([*row.split(",")[:2], "0.00", row.split(",")[3]]) for row in rows]

    world.request(
        "@standby Every Monday compute the net margin of each and rank them",
        files | {"idle.csv": "\n".join([header, *idle, ""]).encode()},
    )

    world.posted("Written by the model", "Shall I leave it out?", within_s=40)
    api.done()
