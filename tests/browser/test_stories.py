"""The story as two people, a first visit, a question without a mouse, and a phone: in a browser, over everything."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser import telling
from tests.browser.visitor import Findings
from tests.flows.world import World
from tests.folders import reachable_folder


@pytest.fixture(scope="module")
def world(browser: Browser) -> Iterator[World]:  # noqa: ARG001  without a browser there is no need of it
    with reachable_folder() as folder, telling.lab(folder) as one:
        yield one


def test_a_first_visit_is_shown_the_story_in_five_steps_once(
    browser: Browser, world: World, findings: Findings
) -> None:
    telling.tour(browser, world.desk.url, findings)


def test_the_story_as_two_people(browser: Browser, world: World, findings: Findings) -> None:
    telling.story(browser, world.desk.url, findings)


def test_a_question_is_asked_and_read_by_keyboard_alone(browser: Browser, world: World, findings: Findings) -> None:
    telling.once_by_keyboard(browser, world.desk.url, findings, world.desk.story_files("books"))


def test_a_phone_shows_every_page_within_its_width(browser: Browser, world: World, findings: Findings) -> None:
    telling.phone(browser, world.desk.url, findings, world)
