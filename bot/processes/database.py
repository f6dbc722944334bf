"""The database of a process, from its settings."""

from contextlib import suppress

from sqlalchemy.exc import OperationalError

from bot.settings import Settings, SettingsError
from bot.store.migrate import require_schema
from bot.store.session import Database


def database(settings: Settings) -> Database:
    """Raises SettingsError, and SchemaNewer or SchemaOlder where the database is of another release.

    A database that cannot be reached now is waited for, like one that goes away later.
    """
    if not settings.database_url:
        raise SettingsError(
            "STANDBY_DATABASE_URL is not set, so this part has no database. "
            "Set it to your PostgreSQL, or start everything with `standby up`."
        )
    with suppress(OperationalError):
        require_schema(settings.database_url)
    return Database(settings.database_url)
