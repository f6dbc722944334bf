"""Where Standby is installed: kept once beside all workspaces, whose own rows lie in a schema each."""

from datetime import datetime

from sqlalchemy import Column, LargeBinary
from sqlmodel import Field, SQLModel

from bot.store.columns import moment


class Installation(SQLModel, table=True):
    """One grant of Slack's: to a workspace, or (with an empty `team_id`) to all workspaces of an organisation."""

    __tablename__ = "installation"
    enterprise_id: str = Field(primary_key=True)  # empty outside Enterprise Grid
    team_id: str = Field(primary_key=True)
    tokens: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))  # see bot.store.vault
    expires_at: datetime | None = moment(optional=True)  # of the access token; None: it does not expire
    scopes: str = ""
    bot_user_id: str = ""
    installer_id: str
    installed_at: datetime = moment()


class Workspace(SQLModel, table=True):
    """One workspace, whose rows lie in the schema named here."""

    __tablename__ = "workspace"
    team_id: str = Field(primary_key=True)
    enterprise_id: str
    is_org_wide: bool = False  # by the grant to its organisation
    name: str
    schema_name: str
    installer_id: str
    changed_at: datetime = moment()
    removed_at: datetime | None = moment(optional=True)
    reason: str = ""  # why it was removed


class InstallState(SQLModel, table=True):
    """The secret that goes along with somebody to Slack's page and back, once."""

    __tablename__ = "install_state"
    digest: str = Field(primary_key=True)  # sha256 of it
    issued_at: datetime = moment()
