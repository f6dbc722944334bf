"""Home tabs that people look at: published when they open one, after what they do there, and when anything changes."""

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from bot.domain.errors import StandbyError
from bot.domain.overview import HomeView
from bot.log import log
from bot.slack.cards.home import home as render
from bot.slack.chat import SlackChat
from bot.store import history
from bot.work import home
from bot.work.parts import Parts

EVERY_S = 2.0
"""How soon a tab follows what happened; one query when nothing did."""

LOOKED_AT_S = 1_800.0
"""For so long after somebody used their tab it is kept fresh; opening it anew publishes it anyway."""

NOT_SHOWN = (
    "Slack does not tell me just now who you are, so I cannot show your routines here. Nothing happened to them; open "
    "this tab again in a minute."
)


@dataclass
class Tab:
    """One person's tab: the page they are on, and what they see."""

    page: int
    used_s: float
    said: str = ""  # the answer to what they did last; it stays until they do something else
    shown: dict[str, Any] = field(default_factory=dict)


class Homes:
    """The tabs that were opened at this process."""

    def __init__(self, parts: Parts, chat: SlackChat) -> None:
        self._parts, self._chat = parts, chat
        self._tabs: dict[str, Tab] = {}
        self._guard = Lock()
        # What somebody did and what happened elsewhere must not overtake each other on one tab.
        self._turns: defaultdict[str, Lock] = defaultdict(Lock)
        self._seen = 0

    def show(self, user_id: str, *, page: int | None = None, said: str = "") -> None:
        """Publish somebody's tab, with an answer on top where they just did something. Raises ChatError."""
        with self._turn(user_id):
            old = self._tabs.get(user_id)
            wanted = page if page is not None else old.page if old else 0
            if not self._publish(user_id, Tab(wanted, monotonic(), said)):
                self._say_alone(user_id, said)

    def keep_fresh(self, stop: Event) -> None:
        """Follow what happens, in a thread of its own, until `stop`."""
        Thread(target=self._follow, args=(stop,), name="homes", daemon=True).start()

    def _follow(self, stop: Event) -> None:
        while not stop.wait(EVERY_S):
            try:
                self.refresh()
            except Exception:
                log.exception("homes_not_refreshed")  # the next round tries again

    def refresh(self) -> None:
        """Publish anew the tabs whose content is another one now."""
        since = monotonic() - LOOKED_AT_S
        with self._guard:
            self._tabs = {who: tab for who, tab in self._tabs.items() if tab.used_s > since}
            looking = list(self._tabs)
        if not looking:
            return
        with self._parts.db.transaction() as session:
            newest = history.newest(session)
        if newest == self._seen:
            return
        for user_id in looking:
            with self._turn(user_id):
                self._publish(user_id, self._tabs[user_id])
        self._seen = newest

    def _turn(self, user_id: str) -> Lock:
        with self._guard:
            return self._turns[user_id]

    def _publish(self, user_id: str, tab: Tab) -> bool:
        """False where Slack does not say who this is and what they see, or takes no tab."""
        try:
            view = render(home.home(self._parts, user_id, self._chat.bot_user_id, tab.page, tab.said))
            if view != tab.shown:
                self._chat.show_home(user_id, view)
        except StandbyError as error:
            log.warning("home_not_shown", person=user_id, reason=str(error))
            return False
        with self._guard:
            self._tabs[user_id] = replace(tab, shown=view)
        return True

    def _say_alone(self, user_id: str, said: str) -> None:
        """What somebody did gets its answer, though nothing else can be shown to them."""
        words = f"{said}\n{NOT_SHOWN}" if said else NOT_SHOWN
        with suppress(StandbyError):
            self._chat.show_home(user_id, render(HomeView(self._chat.bot_user_id, said=words)))
