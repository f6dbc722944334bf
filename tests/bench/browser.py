"""The stories in a browser: how many are told to their end, what axe calls serious on the way, and the pictures.

`browser draw` also makes the README's pictures of them, in tests/browser/shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Error

from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.browser import chromium, telling
from tests.browser.visitor import Findings
from tests.flows.world import World

ARTEFACTS = Path(__file__).parents[1] / "browser" / "artefacts"
SHOWN = Path(__file__).parents[1] / "browser" / "shown"
README = ("card", "fix", "home", "ledger", "phone")
COLOURS = 96  # of a picture for the README: text and few tones
MOST_BYTES = 150_000

# What somebody writes themselves no longer comes into view.
PLANT = Plant(
    "bot/desk/page/messages.js",
    "[one.user, one.ephemeral_to].includes(store.person)",
    "false",
)

Told = Callable[[Browser, World, Findings], None]
STORIES: dict[str, Told] = {
    "a first visit": lambda browser, world, found: telling.tour(browser, world.desk.url, found),
    "the story as two people": lambda browser, world, found: telling.story(browser, world.desk.url, found),
    "a question by keyboard": lambda browser, world, found: telling.once_by_keyboard(
        browser, world.desk.url, found, world.desk.story_files("books")
    ),
    "a phone": lambda browser, world, found: telling.phone(browser, world.desk.url, found, world),
}


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    demand(bool(chromium.path()), chromium.NONE)
    pictures = folder / "pictures" if code else ARTEFACTS
    pictures.mkdir(exist_ok=True)
    found = Findings(pictures)
    (folder / "lab").mkdir()
    took_s = {}
    with chromium.running() as browser, telling.lab(folder / "lab", code) as world:
        for name, told in STORIES.items():
            began = time.monotonic()
            _tell(name, lambda told=told: told(browser, world, found))  # type: ignore[misc]  # bound at once
            took_s[name] = round(time.monotonic() - began, 1)
    demand(not found.serious, "\n".join(found.serious))
    if rest == ["draw"]:
        _draw(found)
    screenshots = [path.name for path in found.pictures]
    return {"stories": len(took_s), "axe_serious": len(found.serious), "screenshots": screenshots, "seconds": took_s}


def _tell(name: str, told: Callable[[], None]) -> None:
    try:
        told()
    except (AssertionError, Error) as error:
        demand(False, f"{name}: {str(error).splitlines()[0] if str(error) else type(error).__name__}")


def _draw(found: Findings) -> None:
    SHOWN.mkdir(exist_ok=True)
    for path in found.pictures:
        if path.stem in README:
            small = SHOWN / path.name
            Image.open(path).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(small, optimize=True)
            demand(small.stat().st_size < MOST_BYTES, f"{small.name} has {small.stat().st_size} bytes")


BENCH = Bench(measure, PLANT)
