"""`standby verify` and `standby audit`: what is stored is checked again, and the history leaves as JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing

from bot.processes.database import seal_of
from bot.processes.scripts import database_of, settings_of
from bot.store.session import Database
from bot.work.verify import audit_lines, problems


def verify(environ: Mapping[str, str]) -> list[str]:
    """What is wrong, in sentences. Raises SettingsError in words."""
    settings = settings_of(environ)
    with database_of(settings) as url, closing(Database(url, seal=seal_of(settings))) as db:
        return problems(db)


def audit(environ: Mapping[str, str]) -> Iterator[str]:
    """The history's lines, oldest first."""
    with database_of(settings_of(environ)) as url, closing(Database(url)) as db:
        yield from audit_lines(db)
