"""The bot token of one workspace as it is now: decrypted when it is used, renewed in time by one process alone."""

from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from threading import Lock

from slack_sdk.errors import SlackTokenRotationError
from slack_sdk.oauth.installation_store import Bot
from slack_sdk.oauth.token_rotation import TokenRotator
from sqlalchemy.exc import SQLAlchemyError

from bot.domain.errors import ChatBusy, ChatGone
from bot.log import log
from bot.settings import Settings
from bot.slack import wire
from bot.store import installed
from bot.store.session import Database
from bot.store.tables_installed import Installation
from bot.store.vault import Vault, VaultProblem

BEFORE_END = timedelta(hours=2)
"""A token lives for twelve hours; it is renewed so long before its end."""

FOR_GOOD = frozenset({"invalid_refresh_token", "token_revoked", "token_expired", "account_inactive", "invalid_auth"})
"""After these words of Slack's nobody renews it but a person, who installs the app again."""

LOOKS_AGAIN = timedelta(seconds=30)
"""What another process stored meanwhile (a token renewed or erased) is found after so long."""


def owner_of(row: Installation) -> str:
    """Under whose name the tokens of a grant are encrypted."""
    return f"{row.enterprise_id}/{row.team_id}"


class BotToken:
    """Call it for the token. Raises ChatGone where there is none, and ChatBusy where it cannot be had now."""

    def __init__(self, control: Database, settings: Settings, enterprise_id: str, team_id: str) -> None:
        self._control, self._enterprise_id, self._team_id = control, enterprise_id, team_id
        self._vault = Vault(settings.token_keys.get_secret_value())
        self._rotator = TokenRotator(
            client_id=settings.slack_client_id,
            client_secret=settings.slack_client_secret.get_secret_value(),
            client=wire.client(settings),
        )
        self._lock = Lock()
        self._token, self._looked_at = "", datetime.min.replace(tzinfo=UTC)

    def __call__(self) -> str:
        with self._lock:
            if not self._token or datetime.now(UTC) - self._looked_at > LOOKS_AGAIN:
                self._token = self._stored()
                self._looked_at = datetime.now(UTC)
            return self._token

    def _stored(self) -> str:
        try:
            with self._control.transaction() as session:
                row = installed.installation(session, self._enterprise_id, self._team_id)
                if row is not None and not _is_due(row):
                    return str(self._opened(row)["bot_token"])
            return self._renewed()
        except SQLAlchemyError as error:
            raise ChatBusy("The stored token cannot be read just now.", retry_after_s=0) from error
        except VaultProblem as problem:
            raise ChatGone(str(problem)) from problem

    def _renewed(self) -> str:
        """Under the row's lock: whoever comes second finds the new token, and does not use the old one's key to it."""
        with self._control.transaction() as session:
            row = installed.installation(session, self._enterprise_id, self._team_id, locked=True)
            if row is None:
                raise ChatGone("Standby was removed from this workspace; install the app there again.")
            kept = self._opened(row)
            if not _is_due(row):
                return str(kept["bot_token"])
            try:
                bot = self._rotated(row, kept)
            except (SlackTokenRotationError, OSError, HTTPException) as error:
                return self._as_long_as_it_lives(row, kept, error)
            row.tokens = self._vault.sealed(
                owner_of(row), {"bot_token": bot.bot_token, "refresh_token": bot.bot_refresh_token}
            )
            row.expires_at = datetime.fromtimestamp(bot.bot_token_expires_at or 0, UTC)
            session.add(row)
        log.info("token_renewed", team=self._team_id, until=row.expires_at.isoformat())
        return str(bot.bot_token)

    def _rotated(self, row: Installation, kept: dict[str, str]) -> Bot:
        assert row.expires_at is not None, "only what expires is due"
        old = Bot(
            bot_token=kept["bot_token"],
            bot_refresh_token=kept["refresh_token"],
            bot_token_expires_at=int(row.expires_at.timestamp()),
            bot_id="",
            bot_user_id=row.bot_user_id,
            installed_at=row.installed_at.timestamp(),
        )
        minutes = int(BEFORE_END.total_seconds() / 60) + 1
        return self._rotator.perform_bot_token_rotation(bot=old, minutes_before_expiration=minutes) or old

    def _as_long_as_it_lives(self, row: Installation, kept: dict[str, str], error: Exception) -> str:
        """The old token works until its end; after it there is none."""
        why = error.api_error.response.get("error", "") if isinstance(error, SlackTokenRotationError) else "no answer"
        log.error("token_not_renewed", team=self._team_id, reason=why)
        if row.expires_at is not None and row.expires_at > datetime.now(UTC):
            return kept["bot_token"]
        if why in FOR_GOOD:
            raise ChatGone(f"Slack does not renew the token of this workspace ({why}); install the app there again.")
        raise ChatBusy(f"Slack did not renew the token just now ({why}).", retry_after_s=0) from error

    def _opened(self, row: Installation) -> dict[str, str]:
        return self._vault.opened(owner_of(row), row.tokens or b"")


def _is_due(row: Installation) -> bool:
    return row.expires_at is not None and row.expires_at - datetime.now(UTC) < BEFORE_END
