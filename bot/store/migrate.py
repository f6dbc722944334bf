"""Bring a database to the schema of this release: our tables by alembic, the queue's by its own script."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from bot.domain.errors import StandbyError
from bot.store import locks
from bot.store.session import sqlalchemy_url


class SchemaNewer(StandbyError):
    """The database was migrated by a newer release of Standby than this one."""


class SchemaOlder(StandbyError):
    """The database was not migrated to this release yet."""

    permanent = False


def require_schema(url: str) -> None:
    """Raise SchemaNewer or SchemaOlder where this release and the database do not belong together."""
    revision = current_revision(url)
    refuse_newer(revision)
    if revision != head_revision():
        raise SchemaOlder(
            f"The database is at schema {revision or 'none at all'}, and this release needs {head_revision()}. "
            "Nothing was started; run `standby release` first."
        )


def migrate(url: str) -> None:
    """Migrate to head; running it twice is a no-op. Raises SchemaNewer and leaves everything as it is."""
    engine = create_engine(sqlalchemy_url(url))
    try:
        with engine.connect() as connection:
            connection.execute(text("select pg_advisory_lock(:lock)"), {"lock": locks.MIGRATION})
            connection.commit()
            refuse_newer(MigrationContext.configure(connection).get_current_revision())
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            connection.commit()
    finally:
        engine.dispose()


def current_revision(url: str) -> str | None:
    """The revision a database is at; None when it was never migrated."""
    engine = create_engine(sqlalchemy_url(url))
    try:
        with engine.connect() as connection:
            return MigrationContext.configure(connection).get_current_revision()
    finally:
        engine.dispose()


def head_revision() -> str:
    """The revision this release needs."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None, "there is always a first migration"
    return head


def refuse_newer(revision: str | None) -> None:
    """Raise SchemaNewer when `revision` is none of ours."""
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if revision is not None and revision not in known:
        raise SchemaNewer(
            f"The database is at schema {revision!r}, which this release of Standby does not know. "
            "Nothing was changed. Start the newer release, or restore a backup made by this one."
        )


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config
