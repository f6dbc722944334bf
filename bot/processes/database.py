"""The database of a process, from its settings."""

from bot.settings import Settings, SettingsError
from bot.store.session import Database


def database(settings: Settings) -> Database:
    if not settings.database_url:
        raise SettingsError(
            "STANDBY_DATABASE_URL is not set, so this part has no database. "
            "Set it to your PostgreSQL, or start everything with `standby up`."
        )
    return Database(settings.database_url)
