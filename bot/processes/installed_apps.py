"""The bot's side of many workspaces: an app for each, made when it is first spoken to, dropped when it is removed."""

from dataclasses import dataclass
from datetime import datetime
from threading import Event, Lock, Thread

from sqlalchemy.exc import SQLAlchemyError

from bot.log import log
from bot.processes.database import database
from bot.processes.installed import Installed
from bot.processes.many import LOOK_S, POOL, stale
from bot.slack.address import Address
from bot.slack.app import StandbyApp, build_app
from bot.slack.chat import SlackChat
from bot.slack.homes import Homes
from bot.store.tables_installed import Workspace
from bot.work.parts import Parts
from bot.work.wall import clock_from


@dataclass(frozen=True)
class Served:
    """A workspace's app, what it works with, and what ends its threads."""

    changed_at: datetime
    app: StandbyApp
    parts: Parts
    chat: SlackChat
    stop: Event

    def close(self) -> None:
        self.stop.set()
        self.app.close()
        self.chat.close()
        self.parts.db.close()


class Apps:
    """The apps by workspace."""

    def __init__(self, installed: Installed) -> None:
        self._installed = installed
        self._served: dict[str, Served] = {}
        self._lock = Lock()

    def at(self, address: Address) -> StandbyApp | None:
        """The app of this address; None where Standby is not installed. Raises what the database raises."""
        served = self._served.get(address.team_id)
        if served is not None:
            return served.app
        one = self._installed.at(address)
        if one is None:
            return None
        with self._lock:
            if one.team_id not in self._served:
                self._served[one.team_id] = self._made(one)
            return self._served[one.team_id].app

    def removed(self, address: Address, kind: str, at: datetime) -> None:
        """The workspace is not spoken for any more, from this moment on here, and soon in every other process."""
        self._installed.remove(address, kind, at)
        self._drop_stale()

    def keep_fresh(self, stop: Event) -> None:
        """Notice what other processes changed, in a thread of its own, until `stop`."""
        Thread(target=self._follow, args=(stop,), name="apps", daemon=True).start()

    def close(self) -> None:
        for served in self._served.values():
            served.close()

    def _made(self, one: Workspace) -> Served:
        settings = self._installed.settings_of(one)
        chat = SlackChat(settings, token=self._installed.token_of(one), team_id=one.team_id, is_pressed=True)
        parts = Parts(database(settings, pool_size=POOL), chat, clock_from(settings), settings)
        homes, stop = Homes(parts, chat), Event()
        homes.keep_fresh(stop)
        return Served(one.changed_at, build_app(parts, chat, homes), parts, chat, stop)

    def _follow(self, stop: Event) -> None:
        while not stop.wait(LOOK_S):
            try:
                self._drop_stale()
            except SQLAlchemyError as error:
                log.warning("installed_not_read", why=type(error).__name__)

    def _drop_stale(self) -> None:
        now = self._installed.now()
        with self._lock:
            for team_id in stale({team_id: one.changed_at for team_id, one in self._served.items()}, now):
                self._served.pop(team_id).close()
