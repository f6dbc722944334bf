"""The conversation does not grow with the data: the same task over more rows sends the same, but for numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.fakes.model_api import ModelApi
from tests.flows import rows
from tests.flows.world import World

ModelWorld = Callable[..., tuple[World, ModelApi]]


@pytest.mark.parametrize("most", [20_000, pytest.param(10_000_000, marks=pytest.mark.slow)])
def test_a_thousand_times_the_rows_change_nothing_but_numbers_in_what_is_sent(
    model_world: ModelWorld, most: int
) -> None:
    world, api = model_world()

    few, few_bytes = rows.drafted(world, api, 10)

    many, many_bytes = rows.drafted(world, api, most)
    assert many == few
    assert abs(many_bytes - few_bytes) < 600  # digits: sizes, counts and times, in four requests
