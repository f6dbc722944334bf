"""Installing Standby in a workspace: to Slack's page and back, and the token that comes of it, encrypted."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from slack_bolt import BoltRequest, BoltResponse
from slack_bolt.error import BoltError
from slack_bolt.oauth import OAuthFlow
from slack_bolt.oauth.callback_options import CallbackOptions, FailureArgs, SuccessArgs
from slack_bolt.oauth.oauth_settings import OAuthSettings
from slack_sdk import WebClient
from slack_sdk.errors import SlackClientError
from slack_sdk.oauth import OAuthStateStore
from slack_sdk.oauth.installation_store import Installation as Granted
from slack_sdk.oauth.installation_store import InstallationStore
from sqlalchemy.exc import SQLAlchemyError

from bot.domain.errors import StandbyError
from bot.log import log
from bot.settings import Settings
from bot.slack import wire
from bot.slack.ids import NEEDED_SCOPES
from bot.slack.install_pages import BACK, INSTALL
from bot.slack.skew import apart_from
from bot.slack.tokens import owner_of
from bot.store import installed, schemas
from bot.store.session import Database
from bot.store.tables_installed import Installation, Workspace
from bot.store.vault import Vault

WHY = {
    "access_denied": "You did not agree, so Standby was not installed.",
    "invalid_browser": "This page was not opened from the link to install, in this browser. Open that link again.",
    "invalid_state": "The link to install was used already, or is older than ten minutes. Open it again.",
    "storage_error": "Standby could not keep what Slack granted, so it is not installed. Try again in a minute.",
}


class _States(OAuthStateStore):
    def __init__(self, control: Database) -> None:
        self._control = control

    def issue(self, *_args: Any, **_kwargs: Any) -> str:
        with self._control.transaction() as session:
            return installed.issue_state(session, datetime.now(UTC))

    def consume(self, state: str) -> bool:
        with self._control.transaction() as session:
            return installed.consume_state(session, state, datetime.now(UTC))


class _Grants(InstallationStore):
    """Keeps what Slack grants. It is read elsewhere: see bot.slack.tokens."""

    def __init__(self, control: Database, vault: Vault, client: WebClient) -> None:
        self._control, self._vault, self._client = control, vault, client

    def save(self, installation: Granted) -> None:
        """Raises BoltError, which shows a page in words."""
        if not installation.bot_token:
            raise BoltError("Slack granted no bot token")
        now = datetime.now(UTC)
        row = Installation(
            enterprise_id=installation.enterprise_id or "",
            team_id="" if installation.is_enterprise_install else installation.team_id or "",
            expires_at=_moment(installation.bot_token_expires_at),
            scopes=",".join(installation.bot_scopes or ()),
            bot_user_id=installation.bot_user_id or "",
            installer_id=installation.user_id,
            installed_at=granted_at(self._client, installation.bot_token, now),
        )
        row.tokens = self._vault.sealed(
            owner_of(row),
            {"bot_token": installation.bot_token, "refresh_token": installation.bot_refresh_token},
        )
        try:
            member = None if installation.is_enterprise_install else _member(installation, now)
            if member is not None:
                schemas.make(self._control.url, member.schema_name)
            with self._control.transaction() as session:
                installed.grant(session, row)
                if member is not None:
                    installed.enter(session, member)
        except (StandbyError, ValueError, SQLAlchemyError) as error:
            log.exception("not_installed", team=installation.team_id)
            raise BoltError(str(error)) from error
        log.info("installed", team=installation.team_id, enterprise=installation.enterprise_id)


class Installs:
    """The two pages. `install` sends on to Slack, `back` takes what Slack sends back."""

    def __init__(self, control: Database, settings: Settings) -> None:
        vault = Vault(settings.token_keys.get_secret_value())
        base = urlsplit(settings.slack_api_url)
        self._flow = OAuthFlow(
            client=wire.client(settings),
            settings=OAuthSettings(
                client_id=settings.slack_client_id,
                client_secret=settings.slack_client_secret.get_secret_value(),
                scopes=sorted(NEEDED_SCOPES),
                redirect_uri=settings.public_url + BACK,
                install_path=INSTALL,
                redirect_uri_path=BACK,
                authorization_url=f"{base.scheme}://{base.netloc}/oauth/v2/authorize",
                installation_store=_Grants(control, vault, wire.client(settings, None)),
                state_store=_States(control),
                install_page_rendering_enabled=False,
                callback_options=CallbackOptions(success=_welcome, failure=_sorry),
            ),
        )

    def install(self, request: BoltRequest) -> BoltResponse:
        """Off to Slack's page, with a secret that only this browser has."""
        return self._flow.handle_installation(request)

    def back(self, request: BoltRequest) -> BoltResponse:
        """From Slack's page: the code becomes a token."""
        return self._flow.handle_callback(request)


def granted_at(client: WebClient, token: str, now: datetime) -> datetime:
    """This moment by Slack's clock, which is what it tells of a removal by; by ours where it does not answer."""
    try:
        return now - timedelta(seconds=apart_from(client.auth_test(token=token).headers, now))
    except (SlackClientError, HTTPException, OSError):
        return now


def _member(granted: Granted, now: datetime) -> Workspace:
    """Raises ValueError for what is no id of Slack's."""
    team_id = granted.team_id or ""
    return Workspace(
        team_id=team_id,
        enterprise_id=granted.enterprise_id or "",
        name=granted.team_name or team_id,
        schema_name=schemas.schema_of(team_id),
        installer_id=granted.user_id,
        changed_at=now,
    )


def _moment(seconds: int | None) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds else None


def _welcome(_args: SuccessArgs) -> BoltResponse:
    return _page(
        200,
        "Standby is installed. Invite it to a channel with /invite, and ask for a report there. Until the operator "
        "names others, whoever installed it approves; nobody approves what they asked for themselves.",
    )


def _sorry(args: FailureArgs) -> BoltResponse:
    log.warning("not_installed", reason=args.reason, why=str(args.error or ""))
    return _page(
        args.suggested_status_code, WHY.get(args.reason, "Slack did not install Standby. Open the link again.")
    )


def _page(status: int, text: str) -> BoltResponse:
    """Plain words; nothing of what came in the address is shown."""
    headers: dict[str, str | Sequence[str]] = {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
    }
    return BoltResponse(status=status, body=f"{text}\n", headers=headers)
