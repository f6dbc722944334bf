"""`standby release`: what runs once before the processes of a new version start."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing

from bot.processes.running import Running
from bot.settings import Settings
from bot.store.embedded import Embedded
from bot.store.installed import schemas
from bot.store.migrate import head_revision, migrate
from bot.store.schemas import make
from bot.store.session import Database


def migrate_all(url: str) -> None:
    """The database, and in it the schema of each workspace that has Standby or had it. Raises SchemaNewer."""
    migrate(url)
    with closing(Database(url)) as db, db.transaction() as session:
        found = schemas(session)
    for schema in found:
        make(url, schema)


def release(environ: Mapping[str, str]) -> str:
    """Migrates the database of the settings: one's own, that of a running `up`, or the folder's. Says what it did.

    Raises StandbyError or SettingsError in words.
    """
    settings = Settings.load(environ)
    there = Running.read(settings.data_dir)
    if settings.database_url:
        migrate_all(settings.database_url)
    elif there and there.up.process():
        migrate_all(there.variables["STANDBY_DATABASE_URL"])
    else:
        with Embedded(settings.data_dir) as embedded:
            migrate_all(embedded.url)
    return f"The database is at schema {head_revision()}."
