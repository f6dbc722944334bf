"""What the desk's page is told of what is behind the app: what leaves this computer, and nothing to strangers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest

from bot.processes.behind import Behind
from bot.settings import Settings

ELSEWHERE = {
    "STANDBY_DATABASE_URL": "postgresql://standby@db.example.org/standby",
    "STANDBY_SMTP_HOST": "mail.example.org",
    "STANDBY_BOX_API_KEY": "e2b_0123456789",
}


@pytest.fixture
def behind() -> Iterator[Behind]:
    settings = Settings.load(ELSEWHERE)
    with closing(Behind(lambda: settings, {"ANTHROPIC_API_KEY": "sk-ant-of-a-test"})) as one:
        yield one


def get(behind: Behind, page: str, **headers: str) -> Any:
    return httpx.get(f"{behind.url}/{page}", headers=headers, trust_env=False)


def test_every_part_elsewhere_says_what_goes_there(behind: Behind) -> None:
    facts = {one["what"]: one["leaves"] for one in get(behind, "about").json()["facts"]}
    assert {name: words.rsplit(" ", 1)[1] for name, words in facts.items()} == {
        "Model": "api.anthropic.com",
        "Boxes": "E2B",
        "Database": "db.example.org",
        "Mail": "mail.example.org",
    }


def test_hosted_boxes_are_not_asked_for(behind: Behind) -> None:
    told = get(behind, "boxes").json()
    assert told["boxes"] == [] and "E2B" in told["note"]


def test_a_name_that_only_leads_here_is_told_nothing(behind: Behind) -> None:
    assert get(behind, "about", Host="rebound.example.org").status_code == 403
    assert get(behind, "secrets").status_code == 404


def test_a_database_that_is_away_is_a_problem_in_words() -> None:
    settings = Settings.load({"STANDBY_DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none"})
    with closing(Behind(lambda: settings, {})) as one:
        told = get(one, "spent")
    assert told.status_code == 503 and "The database cannot be asked now" in told.json()["problem"]
