"""Every card and view as the desk draws it, at the width of a desktop and of a phone.

`python -m tests.browser.gallery FOLDER` takes a picture of each, to be looked at. The test beside it takes none and
asks of each that it fits, that nothing in it is unknown to the page, and what axe says of it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, expect
from slack_bolt import Ack
from slack_sdk import WebClient

from bot.slack.cards import render
from tests.browser import chromium
from tests.browser.visitor import DESKTOP, PHONE, Findings, Visitor, visiting
from tests.desk.bolt_bot import BoltBot, Json, connected
from tests.desk_client import Desk, Message
from tests.desk_server import running_desk
from tests.slack.test_cards_golden import CARDS, MODALS

# As high as the longest card: a picture shows all of it.
WIDTHS = {"desktop": (DESKTOP[0], 4_000), "phone": (PHONE[0], 4_000)}
HOMES = {name: view for name, view in MODALS.items() if view["type"] == "home"}
FORMS = {name: view for name, view in MODALS.items() if view["type"] == "modal"}
SETTLES_MS = 600  # a tab is drawn as it was, and anew once it is published
# What hangs out at the side, so that a person would have to guess at the rest; what scrolls may be wide.
HANGS_OUT = """one => {
  const scrolls = (at) => at !== one && (["auto", "scroll"].includes(getComputedStyle(at).overflowX) || scrolls(at.parentElement));
  const right = one.getBoundingClientRect().right + 1;
  return [...one.querySelectorAll("*")]
    .filter((at) => at.getBoundingClientRect().right > right && !scrolls(at.parentElement))
    .map((at) => `${at.tagName} ${at.className}: ${at.textContent.slice(0, 60)}`).slice(0, 5);
}"""  # noqa: E501  one statement


class Shower(BoltBot):
    """Shows the view that it was handed last: as a Home tab when that opens, as a form when the shortcut is chosen."""

    view: Json

    def on_home(self, event: Json, client: WebClient) -> None:
        client.views_publish(user_id=event["user"], view=self.view)

    def on_shortcut(self, ack: Ack, shortcut: Json, client: WebClient) -> None:
        client.views_open(trigger_id=shortcut["trigger_id"], view=self.view)
        ack()


@dataclass(frozen=True)
class Gallery:
    """A desk with all cards in #lab, and a bot that shows views."""

    desk: Desk
    bot: Shower
    cards: dict[str, str]  # the ts of each, by name

    def hang(self, visitor: Visitor) -> Iterator[tuple[str, Locator]]:
        """Each card and view in turn, as it stands there, with its name."""
        visitor.goes("# lab")
        for name, ts in self.cards.items():
            yield name, visitor.page.locator(f'#main .list > article[data-ts="{ts}"]')
        yield from self._homes(visitor)
        yield from self._forms(visitor)

    def _homes(self, visitor: Visitor) -> Iterator[tuple[str, Locator]]:
        for name, view in HOMES.items():
            self.bot.view = view
            visitor.goes("# lab")
            visitor.goes("Home")
            home = visitor.page.locator("#main section.page")
            expect(home.locator(".blocks").first.locator("> *")).to_have_count(len(view["blocks"]))
            visitor.page.wait_for_timeout(SETTLES_MS)
            yield name, home

    def _forms(self, visitor: Visitor) -> Iterator[tuple[str, Locator]]:
        visitor.goes("# lab")
        alice, root = self.desk.person("Alice"), self._root
        for name, view in FORMS.items():
            self.bot.view = view
            alice.shortcut("turn_into_report", root)
            expect(visitor.form).to_be_visible()
            yield name, visitor.form
            visitor.page.keyboard.press("Escape")
            expect(visitor.form).to_have_count(0)

    @property
    def _root(self) -> Message:
        return self.desk.messages("#lab")[0]


@contextmanager
def gallery(folder: Path) -> Iterator[Gallery]:
    with running_desk(folder) as running, connected(running, Shower) as bot:
        assert isinstance(bot, Shower)
        desk = Desk(running.url)
        client = WebClient(token=running.bot_token, base_url=running.api_url, retry_handlers=[])
        lab = desk.person("Alice").post("#lab", "Cards, one after the other").channel
        cards = {name: str(_posted(client, lab, render(view))["ts"]) for name, view in CARDS.items()}
        yield Gallery(desk, bot, cards)
        desk.close()


def _posted(client: WebClient, channel: str, card: Any) -> Any:
    return client.chat_postMessage(channel=channel, text=card.text, blocks=card.blocks)


def hangs_out(shown: Locator) -> list[str]:
    """What of it hangs out at the side."""
    found: list[str] = shown.evaluate(HANGS_OUT)
    return found


def pictured(browser: Browser, folder: Path) -> list[Path]:
    """A picture of each, at both widths."""
    taken = []
    with tempfile.TemporaryDirectory(prefix="sb-") as data, gallery(Path(data)) as one:
        for width, size in WIDTHS.items():
            with visiting(browser, one.desk.url, Findings(folder), size=size) as alice:
                for name, shown in one.hang(alice):
                    path = folder / f"{name}-{width}.png"
                    shown.screenshot(path=path, animations="disabled")
                    taken.append(path)
    return taken


if __name__ == "__main__":
    where = Path(sys.argv[1])
    where.mkdir(parents=True, exist_ok=True)
    with chromium.running() as one:
        print(f"{len(pictured(one, where))} pictures in {where}")
