"""Scripts that are deaf as people write them: each is caught by name, and its twin that asks is not."""

from __future__ import annotations

import pytest

from bot.work.approval_card import hearing_view
from sandbox.drifts import DRIFTS
from sandbox.hearing import Hearing
from sandbox.hearing.ears import WELL
from tests.hearing.hall import Hall, a_plan
from tests.hearing.plants import PLANTS, Plant

# The others take a minute, and `python -m tests.bench deaf` takes them all.
FEW = ("the founding one", "a sum over a row", "nobody asks whether", "the first sheet")


def heard_by(hall: Hall, plant: Plant, source: str) -> Hearing:
    files = plant.files()
    samples = hall.samples(files)
    return hall.hear(a_plan(source, samples, drift=plant.drift), files, samples, only=[plant.drift])


def test_there_are_enough_of_them_and_each_is_deaf_in_its_own_way() -> None:
    assert len(PLANTS) >= 15
    assert PLANTS[0].drift == "log-to-json"
    assert len({plant.drift for plant in PLANTS}) == len(PLANTS)


@pytest.mark.parametrize(
    "plant",
    [pytest.param(one, marks=() if one.name.startswith(FEW) else pytest.mark.slow) for one in PLANTS],
    ids=[one.drift for one in PLANTS],
)
def test_a_deaf_script_is_caught_by_name_and_its_twin_passes(hall: Hall, plant: Plant) -> None:
    deaf = heard_by(hall, plant, plant.deaf)
    twin = heard_by(hall, plant, plant.twin)

    card = hearing_view(deaf.unguarded)
    assert card is not None
    assert card.deaf == (DRIFTS[plant.drift].says,)
    assert [ear.alone in WELL for ear in twin.ears] == [True]
