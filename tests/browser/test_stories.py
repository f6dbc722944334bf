"""Four stories in a browser, over one whole Standby: what a later one looks at, an earlier one has made."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser import telling
from tests.browser.visitor import Findings
from tests.flows.world import World
from tests.folders import reachable_folder

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture
def world(browser: Browser) -> Iterator[World]:  # noqa: ARG001  without a browser there is no need of it
    with reachable_folder() as folder, telling.lab(folder) as one:
        yield one


def test_a_first_visit_the_story_as_two_people_a_question_by_keyboard_and_a_phone(
    browser: Browser, world: World, findings: Findings
) -> None:
    telling.tour(browser, world.desk.url, findings)
    telling.story(browser, world.desk.url, findings)
    telling.once_by_keyboard(browser, world.desk.url, findings, world.desk.story_files("books"))
    telling.phone(browser, world.desk.url, findings, world)
