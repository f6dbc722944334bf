"""Where Standby is in many workspaces: which they are now, and what belongs to each."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from threading import Lock
from time import monotonic

from pydantic import SecretStr

from bot.domain.errors import StandbyError
from bot.log import log
from bot.processes.database import database
from bot.settings import Settings, SettingsError
from bot.store import installed, schemas
from bot.store.migrate import require_schema
from bot.store.session import Database
from bot.store.tables_installed import Workspace
from bot.workspace_settings import WorkspaceSettings

LOOK_S = 2.0
POOL = 1
"""Idle connections that a process keeps for one workspace; more are opened while they are needed."""

OF_ONE = ("approvers", "approvers_of", "solo", "destinations", "allowed_mail_domains", "sources")
"""Settings that belong to one workspace: given for all, they would lead from one into another."""

JOBS_NEED = ("slack_client_secret", "token_keys")
NEEDED = ("slack_signing_secret", "slack_client_id", "slack_client_secret", "public_url", "token_keys")


def is_for_many(settings: Settings) -> bool:
    """Whether Standby is installed by Slack's page, instead of having one token in its settings."""
    return bool(settings.slack_client_id)


def check(settings: Settings, needed: tuple[str, ...] = NEEDED) -> None:
    """Raises SettingsError where the settings do not fit many workspaces."""
    if missing := [_variable(name) for name in needed if not getattr(settings, name)]:
        raise SettingsError(f"STANDBY_SLACK_CLIENT_ID is set, for many workspaces; so must be {', '.join(missing)}.")
    if extra := [_variable(name) for name in ("slack_bot_token", "slack_app_token") if getattr(settings, name)]:
        raise SettingsError(
            f"{', '.join(extra)} is of one workspace, and STANDBY_SLACK_CLIENT_ID means many, each with its own token. "
            "Unset one or the other."
        )
    if shared := [_variable(name) for name in OF_ONE if getattr(settings, name)]:
        raise SettingsError(
            f"{', '.join(shared)} would hold for every workspace; say it for each in STANDBY_WORKSPACES."
        )
    if "token_keys" in needed:
        from bot.store.vault import Vault, VaultProblem  # noqa: PLC0415  the clock needs no key, and does not load it

        try:
            Vault(settings.token_keys.get_secret_value())
        except VaultProblem as problem:
            raise SettingsError(str(problem)) from problem


def _variable(name: str) -> str:
    return f"STANDBY_{name.upper()}"


class Roster:
    """Looks into the rows that say where Standby is installed. `control` sees those, and no workspace's."""

    def __init__(self, settings: Settings) -> None:
        if not settings.database_url:
            raise SettingsError("STANDBY_DATABASE_URL is not set, and many workspaces need a PostgreSQL of your own.")
        require_schema(settings.database_url)
        self.settings = settings
        self.control = Database(settings.database_url, pool_size=2)

    def now(self) -> dict[str, Workspace]:
        """Those that have it now, by id. Raises sqlalchemy's OperationalError."""
        with self.control.transaction() as session:
            return {one.team_id: one for one in installed.workspaces(session)}

    def all(self) -> Sequence[Workspace]:
        """Those that ever had it; their rows stay. Raises sqlalchemy's OperationalError."""
        with self.control.transaction() as session:
            return installed.ever(session)

    def settings_of(self, one: Workspace) -> Settings:
        """What a process of this workspace alone would find: its own schema, folder, people and places."""
        own = self.settings.workspaces.get(one.team_id, WorkspaceSettings())
        folder = self.settings.data_dir / "workspaces" / one.schema_name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # the end of its history is noted there
        return self.settings.model_copy(
            update={
                "database_url": schemas.address_of(self.settings.database_url, one.schema_name),
                "data_dir": folder,
                "blobs_url": f"{self.settings.blobs.rstrip('/')}/{one.schema_name}",
                "approvers": own.approvers or (one.installer_id,),
                "approvers_of": dict(own.approvers_of),
                "solo": own.solo,
                "destinations": dict(own.destinations),
                "allowed_mail_domains": own.allowed_mail_domains,
                "sources": dict(own.sources),
                "workspaces": {},
                "token_keys": SecretStr(""),
                "slack_client_secret": SecretStr(""),
            }
        )

    def close(self) -> None:
        self.control.close()


def stale(served: Mapping[str, datetime], now: Mapping[str, Workspace]) -> list[str]:
    """Of the workspaces that are served, by the stamps of their rows then, those that changed or are gone."""
    return [team_id for team_id, at in served.items() if team_id not in now or now[team_id].changed_at != at]


class Databases:
    """The rows of each workspace, as they come and go: for the clock, which needs nothing else of them."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._open: dict[str, Database] = {}
        self._closed: dict[str, str] = {}
        self._looked_s = 0.0
        self._lock = Lock()

    def now(self) -> list[Database]:
        """Raises sqlalchemy's OperationalError."""
        with self._lock:
            if monotonic() - self._looked_s > LOOK_S or not self._open:
                self._look()
                self._looked_s = monotonic()
            return list(self._open.values())

    def unminded(self) -> str:
        """Which workspaces' rows cannot be opened, and why; empty where all can."""
        return "; ".join(f"{team_id}: {why}" for team_id, why in sorted(self._closed.items()))

    def _look(self) -> None:
        now = self._roster.now()
        self._closed = {}
        for team_id in self._open.keys() - now.keys():
            self._open.pop(team_id).close()
        for team_id in sorted(now.keys() - self._open.keys()):
            try:
                self._open[team_id] = database(self._roster.settings_of(now[team_id]), pool_size=POOL)
            except (StandbyError, SettingsError) as error:  # the others are minded meanwhile
                self._closed[team_id] = str(error)
                log.error("workspace_not_served", team=team_id, why=str(error))
