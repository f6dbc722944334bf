"""`standby verify`, `audit` and `cost`: what is stored is checked again, leaves as JSON lines, and is added up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing

from bot.domain.errors import StandbyError
from bot.processes.database import seal_of
from bot.processes.many import Roster
from bot.processes.scripts import database_of, settings_in, settings_of
from bot.store.session import Database
from bot.work.cost import bills, paid_once
from bot.work.cost_words import told
from bot.work.verify import audit_lines, problems


def verify(environ: Mapping[str, str]) -> list[str]:
    """What is wrong, in sentences; with many workspaces of each of them. Raises SettingsError in words."""
    settings = settings_of(environ)
    with database_of(settings) as url, closing(Database(url, seal=seal_of(settings))) as db:
        found = problems(db)
        with closing(Roster(settings.model_copy(update={"database_url": url}))) as roster:
            for one in roster.now().values():
                own = roster.settings_of(one)
                with closing(Database(own.database_url, seal=seal_of(own))) as theirs:
                    found += [f"{one.team_id}: {said}" for said in problems(theirs)]
        return found


def cost(environ: Mapping[str, str], routine: str = "", workspace: str = "") -> str:
    """The bills in words, each routine's and the workspace's. Raises SettingsError and StandbyError in words."""
    with (
        database_of(settings_in(environ, workspace)) as url,
        closing(Database(url)) as db,
        db.transaction() as session,
    ):
        found = bills(session, routine)
        if routine and not found:
            raise StandbyError(f"There is no routine called {routine}. `standby cost` alone lists all of them.")
        return told(found, {} if routine else paid_once(session))


def audit(environ: Mapping[str, str], workspace: str = "") -> Iterator[str]:
    """The history's lines, oldest first. Raises SettingsError in words."""
    with database_of(settings_in(environ, workspace)) as url, closing(Database(url)) as db:
        yield from audit_lines(db)
