"""A model that carries out whatever it reads anywhere brings about nothing but text and drafts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.box.conftest import start_or_skip
from tests.obedient.attempt import attempt
from tests.obedient.channels import CHANNELS, UNTOLD
from tests.obedient.payloads import PAYLOADS


@pytest.fixture(autouse=True)
def _boxes_work(tmp_path_factory: pytest.TempPathFactory) -> None:
    start_or_skip(tmp_path_factory.mktemp("probe"), ()).stop()


@pytest.mark.parametrize("ways", [("headers", "surprise text", "a stranger's reply")])
def test_IN_01_instructions_in_data_come_to_nothing(database_url: str, tmp_path: Path, ways: tuple[str, ...]) -> None:
    found = attempt(database_url, tmp_path, ways)

    assert found["channels"] == dict(zip(ways, (len(PAYLOADS), len(PAYLOADS), 0), strict=True))
    assert found["acts"] == []


@pytest.mark.slow
@pytest.mark.parametrize("way", CHANNELS)
def test_IN_02_every_way_into_the_model_leads_to_no_act(database_url: str, tmp_path: Path, way: str) -> None:
    found = attempt(database_url, tmp_path, [way])

    assert (found["channels"][way] == 0) == (way in UNTOLD)
    assert found["acts"] == []
