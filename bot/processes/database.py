"""The database of a process, from its settings, with the seal of its history."""

from contextlib import suppress

from sqlalchemy.exc import OperationalError

from bot.settings import Settings, SettingsError
from bot.store.history import begin_seal
from bot.store.migrate import require_schema
from bot.store.seal import Seal, SealProblem, seal_in
from bot.store.session import Database
from bot.work.wall import clock_from


def database(settings: Settings, *, pool_size: int = 5) -> Database:
    """For a part that is about to work.

    Raises SettingsError where it could not, or another key sealed the history, and SchemaNewer or SchemaOlder where
    the database is of another release. A database that cannot be reached now is waited for, like one that goes away
    later.
    """
    if not settings.database_url:
        raise SettingsError(
            "STANDBY_DATABASE_URL is not set, so this part has no database. "
            "Set it to your PostgreSQL, or start everything with `uv run standby up`."
        )
    db = Database(settings.database_url, pool_size=pool_size, seal=seal_of(settings, makes_key=True))
    with suppress(OperationalError):
        require_schema(settings.database_url)
        _begin_seal(db, settings)
    return db


def _begin_seal(db: Database, settings: Settings) -> None:
    with db.transaction() as session:
        is_ours = begin_seal(session, clock_from(settings).now())
    if not is_ours:
        raise SettingsError(
            "The history in this database is sealed with another key than this part has. All parts need the same "
            "one: set STANDBY_HISTORY_KEY everywhere, or bring history.key back into the data folder."
        )


def seal_of(settings: Settings, *, makes_key: bool = False) -> Seal:
    """Raises SettingsError where the key cannot be had."""
    try:
        return seal_in(settings.data_dir, settings.history_key.get_secret_value(), makes_key=makes_key)
    except SealProblem as problem:
        raise SettingsError(str(problem)) from problem
