"""Every setting of Standby, read from STANDBY_* variables, each with a sentence on what it is for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from pydantic_settings import SettingsError as UnreadableSetting

from bot.source_settings import EXAMPLE as SOURCES_EXAMPLE
from bot.source_settings import SourceSettings
from bot.workspace_settings import EXAMPLE as WORKSPACES_EXAMPLE
from bot.workspace_settings import WorkspaceSettings, texts_in
from library.addresses import is_address

PREFIX = "STANDBY_"
# Read by the agent process alone; never a field here, so that nothing a scheduled run can reach knows them.
MODEL_PREFIX = "STANDBY_MODEL_"
MODEL_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")

_PLACEHOLDER = re.compile(
    r"<[^>]*>|\byour[-_ ]|change[-_ ]?me|replace[-_ ]?(me|this)|placeholder|\btodo\b|x{4,}|\.\.\.",
    re.IGNORECASE,
)


_EXAMPLE = '{"lab list": ["lab@example.org"]}'
_APPROVERS_EXAMPLE = '{"C0PAYROLL01": ["S0FINANCE01"], "C0LAB000001/weekly-error-report": ["U0123456789"]}'
_WRITTEN_LIKE = {
    "sources": SOURCES_EXAMPLE,
    "approvers_of": _APPROVERS_EXAMPLE,
    "workspaces": WORKSPACES_EXAMPLE,
    "destinations": _EXAMPLE,
}


class SettingsError(Exception):
    """A setting cannot be used; the message names it, says why, and what to put there."""


def default_data_dir() -> Path:
    """`/var/lib/standby` for root, else `~/.standby`."""
    return Path("/var/lib/standby") if os.geteuid() == 0 else Path.home() / ".standby"


NameList = Annotated[tuple[str, ...], NoDecode]


class GivenSettings(BaseSettings):
    """Settings that take nothing from the process around them."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003  the signature is pydantic's
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only `load` decides where values come from: each part is handed its own environment."""
        return (init_settings,)


class Settings(GivenSettings):
    """All of Standby's settings; immutable. Build it with `Settings.load(os.environ)`."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")

    data_dir: Path = Field(
        default_factory=default_data_dir,
        description="Folder for database, kept files and logs; as root /var/lib/standby.",
    )
    database_url: str = Field(
        "", description="Your own PostgreSQL, postgresql://…; empty uses the embedded one.", repr=False
    )
    slack_api_url: str = Field("https://slack.com/api/", description="Where Slack's Web API is.")
    slack_bot_token: SecretStr = Field(SecretStr(""), description="The app's bot token, xoxb-….")
    slack_app_token: SecretStr = Field(SecretStr(""), description="The token for Socket Mode, xapp-….")
    slack_signing_secret: SecretStr = Field(
        SecretStr(""), description="The app's signing secret: HTTP mode, in place of the token for Socket Mode."
    )
    http_host: str = Field("127.0.0.1", description="Address that Slack's requests are taken at in HTTP mode.")
    http_port: int = Field(3000, ge=0, le=65535, description="Port for Slack's requests in HTTP mode; 0 takes any.")
    slack_client_id: str = Field("", description="The app's client id: Standby is installed in many workspaces.")
    slack_client_secret: SecretStr = Field(SecretStr(""), description="The app's client secret, for the same.")
    public_url: str = Field(
        "",
        pattern=r"^(https?://[^/?#@\s]+)?$",
        description="Public address of `standby bot`: https://standby.example.org.",
    )
    token_keys: SecretStr = Field(SecretStr(""), description="Keys that encrypt stored tokens, newest first.")
    workspaces: dict[str, WorkspaceSettings] = Field({}, description="What belongs to each workspace alone, as JSON.")
    slack_file_hosts: NameList = Field(
        ("files.slack.com",), description="The only hosts that files are fetched from with the bot token."
    )
    approvers: NameList = Field(
        (), description="User ids or user group ids that may approve plans; empty means that nobody may."
    )
    approvers_of: dict[str, tuple[str, ...]] = Field(
        {}, description=f"Who approves instead in a channel, or for one of its routines, as JSON: {_APPROVERS_EXAMPLE}."
    )
    solo: bool = Field(
        False, description="Those on the list may approve what they asked for themselves; every card then says so."
    )
    box_api_key: SecretStr = Field(SecretStr(""), description="E2B key; empty uses boxes on this computer.")
    box_api_url: str = Field("", description="Address of the boxes' API; empty is E2B's.")
    box_sandbox_url: str = Field("", description="Address of the boxes themselves; empty is E2B's.")
    box_template: str = Field("base", description="Template that boxes are made from.")
    smtp_host: str = Field("", description="Mail server for reports by e-mail; empty means no e-mail.")
    smtp_port: int = Field(587, ge=1, le=65535, description="Port of the mail server.")
    smtp_user: str = Field("", description="User name at the mail server; empty means no login.")
    smtp_password: SecretStr = Field(SecretStr(""), description="Password at the mail server.")
    smtp_starttls: bool = Field(True, description="Encrypts the connection to the mail server first.")
    mail_from: str = Field("", description="Sender address of reports.")
    destinations: dict[str, tuple[str, ...]] = Field(
        {}, description=f"Names of mailing lists and who is on them, as JSON: {_EXAMPLE}."
    )
    allowed_mail_domains: NameList = Field(
        (), description="Domains that reports may be mailed to; empty means any. Each card names every address."
    )
    default_time: str = Field(
        "07:00", pattern=r"^([01]\d|2[0-3]):[0-5]\d$", description="Time for requests without one."
    )
    proven_after: int = Field(
        3, ge=1, description="Clean runs after which an approved plan joins the team's own proven scripts."
    )
    history_key: SecretStr = Field(
        SecretStr(""),
        description="Key that seals the history, the same for all parts; empty: history.key in data_dir.",
    )
    clock_url: str = Field("", description="Address that tells the time; empty is the system clock.")
    blobs_url: str = Field("", description="Where kept files go (s3://…); empty is in data_dir.")
    health_port: int = Field(
        0, ge=0, le=65532, description="First of four ports for /healthz, /readyz and /metrics; 0 is off."
    )
    health_host: str = Field("127.0.0.1", description="Address that health and metrics are served at.")
    ping_url: str = Field("", description="Outside address told every minute that slots are minded; empty is off.")
    ping_allowed: NameList = Field(
        (), description="Beginnings of addresses that routines may ping (https://hc-ping.com/); empty means none."
    )
    sources: dict[str, SourceSettings] = Field(
        {}, description="Where data may come from besides channels, by name, as JSON: see “Where data may come from”."
    )
    source_file_mb: int = Field(20_480, ge=1, description="Largest single file that is taken from a source, in MB.")
    source_slot_mb: int = Field(40_960, ge=1, description="All that is taken from a source for one report, in MB.")
    source_files: int = Field(20_000, ge=1, description="Most files that are taken from a source for one report.")
    source_rows: int = Field(10_000_000, ge=1, description="Most rows that a query may give.")
    source_silence_s: float = Field(30.0, gt=0, description="Seconds that a source may say nothing.")
    source_time_s: float = Field(3600.0, gt=0, description="Seconds that collecting for one report may take.")
    query_timeout_s: int = Field(300, ge=1, description="Seconds after which a database ends our query.")
    keep_inputs_days: int = Field(
        400, ge=0, description="Days after which posted files are deleted that nothing needs any more; 0 keeps them."
    )
    keep_attachments_days: int = Field(
        400, ge=0, description="Days after which attachments of reports are deleted; 0 keeps them."
    )
    runner_jobs: int = Field(4, ge=1, le=64, description="Runs and deliveries that one runner does at once.")
    agent_jobs: int = Field(4, ge=1, le=64, description="Requests that one agent works on at once.")
    requests_at_once: int = Field(8, ge=0, description="Requests that all agents together work on; 0 is no limit.")
    requests_of_person: int = Field(30, ge=0, description="Requests taken from one person within an hour; 0: all.")
    requests_in_channel: int = Field(100, ge=0, description="Requests taken in one channel within an hour; 0: all.")
    boxes_at_once: int = Field(20, ge=0, description="Boxes that all processes together have open; 0 is no limit.")
    box_every_s: float = Field(1.0, ge=0, description="Seconds from one new box of a hosted provider to the next.")
    heartbeat_s: float = Field(5.0, gt=0, description="How often a worker says that it lives, in seconds.")
    stalled_after_s: float = Field(20.0, gt=0, description="Silent seconds after which a worker counts as dead.")

    @classmethod
    def load(cls, environ: Mapping[str, str]) -> Self:
        """The settings in `environ`. Raises SettingsError, naming each variable that cannot be used."""
        source = EnvSettingsSource(cls)
        source.env_vars = {name.lower(): value for name, value in environ.items()}
        try:
            return cls(**source())
        except ValidationError as error:
            raise SettingsError("\n".join(_sentences(error))) from error
        except UnreadableSetting as error:
            name, example = next(one for one in _WRITTEN_LIKE.items() if f'"{one[0]}"' in str(error))
            raise SettingsError(f"{PREFIX}{name.upper()} is no JSON; write it like {example}.") from None

    @property
    def blobs(self) -> str:
        """Where kept files go: `blobs_url`, or the folder in the data folder."""
        return self.blobs_url or (self.data_dir / "blobs").as_uri()

    @field_validator("slack_file_hosts", "approvers", "allowed_mail_domains", "ping_allowed", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """Lists are written with commas: `U1,U2`."""
        if isinstance(value, str):
            return tuple(part for part in re.split(r"[,\s]+", value.strip("[] ").replace('"', "")) if part)
        return value

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @field_validator("*")
    @classmethod
    def _no_placeholder(cls, value: object) -> object:
        for text in texts_in(value):
            if _PLACEHOLDER.search(text):
                raise ValueError("still holds a placeholder; put the real value there, or remove it")
        return value

    @field_validator("slack_bot_token", "slack_app_token")
    @classmethod
    def _right_token(cls, value: SecretStr, info: Any) -> SecretStr:
        start = "xoxb-" if info.field_name == "slack_bot_token" else "xapp-"
        if value and not value.get_secret_value().startswith(start):
            raise ValueError(f"begins with something other than {start}; it is another kind of Slack token")
        return value

    @field_validator("destinations")
    @classmethod
    def _whole_addresses(cls, value: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        if wrong := [one for addresses in value.values() for one in addresses if not is_address(one)]:
            raise ValueError(f"has {wrong[0]!r}, which is no plain address; write each like lab@example.org")
        return value

    @field_validator("approvers_of")
    @classmethod
    def _places(cls, value: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        if wrong := [one for one in value if not re.fullmatch(r"[CGD][A-Z0-9]+(/[a-z0-9]+(-[a-z0-9]+)*)?", one)]:
            raise ValueError(f"names {wrong[0]!r}; a place is a channel's id, or C0123456789/name-of-a-routine")
        return value

    @field_validator("sources")
    @classmethod
    def _plain_names(cls, value: dict[str, SourceSettings]) -> dict[str, SourceSettings]:
        if wrong := [name for name in value if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)]:
            raise ValueError(f"calls a source {wrong[0]!r}; use lower-case words joined by hyphens")
        return value

    @field_validator("ping_allowed")
    @classmethod
    def _whole_hosts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Without the slash behind the host, `https://hc-ping.com` would allow hc-ping.com.evil.example too."""
        if wrong := [one for one in value if not re.match(r"https?://[^/?#@\s]+/", one)]:
            raise ValueError(f"{wrong[0]} is no beginning of an address; write it like https://hc-ping.com/")
        return value

    @field_validator("database_url")
    @classmethod
    def _with_our_driver(cls, value: str) -> str:
        if value and not re.match(r"postgres(ql)?(\+psycopg)?://", value):
            raise ValueError("is no postgresql:// address; Standby keeps its rows in PostgreSQL only")
        return re.sub(r"^postgres(ql)?(\+psycopg)?://", "postgresql+psycopg://", value)

    @model_validator(mode="after")
    def _patient(self) -> Self:
        if self.stalled_after_s < 3 * self.heartbeat_s:
            raise ValueError(
                f"{PREFIX}STALLED_AFTER_S must be at least three times {PREFIX}HEARTBEAT_S, "
                "or a worker that is merely busy is taken for dead and its job runs twice"
            )
        return self


def model_keys(environ: Mapping[str, str]) -> list[str]:
    """The names of the variables in `environ` that hold a key to a model."""
    secret = re.compile(rf"{MODEL_PREFIX}\w*(KEY|TOKEN|SECRET)")  # a model's name or proxy is no key
    return sorted(name for name, value in environ.items() if value and (name in MODEL_KEYS or secret.match(name)))


def refuse_model_key(environ: Mapping[str, str]) -> None:
    """For the runner and the clock, which spend no tokens because they have nothing to spend them with.

    Raises SettingsError where `environ` holds a key to a model.
    """
    if found := model_keys(environ):
        raise SettingsError(
            f"{', '.join(found)} is set here, and this process must not be able to reach a model: what runs "
            "on schedule is the approved script alone. Give the key to the agent process, and start this one "
            "without it."
        )


def _sentences(error: ValidationError) -> Iterator[str]:
    for problem in error.errors(include_url=False, include_input=False):
        said = problem["msg"].removeprefix("Value error, ")
        name = PREFIX + str(problem["loc"][0]).upper() + " " if problem["loc"] else ""
        inner = f"({'.'.join(map(str, problem['loc'][1:]))}) " if len(problem["loc"]) > 1 else ""
        yield f"{name}{inner}{said[0].lower() if name else said[0]}{said[1:]}."
