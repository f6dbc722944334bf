"""How Slack reaches us, as the settings say: by our connections to it (Socket Mode), or by its requests (HTTP mode)."""

from enum import StrEnum

from bot.processes.many import check, is_for_many
from bot.settings import Settings, SettingsError


class WayIn(StrEnum):
    """The way in. Its words are what people read."""

    SOCKET = "Socket Mode"
    HTTP = "HTTP mode"
    INSTALLED = "HTTP mode, in many workspaces"


def way_in(settings: Settings) -> WayIn:
    """Raises SettingsError where the settings name none, or two."""
    if is_for_many(settings):
        check(settings)
        return WayIn.INSTALLED
    if settings.slack_app_token and settings.slack_signing_secret:
        raise SettingsError(
            "STANDBY_SLACK_APP_TOKEN means Socket Mode and STANDBY_SLACK_SIGNING_SECRET means HTTP mode, and both are "
            "set. Slack uses one of the two: unset the other."
        )
    if settings.slack_signing_secret:
        return WayIn.HTTP
    if settings.slack_app_token:
        return WayIn.SOCKET
    raise SettingsError(
        "STANDBY_SLACK_APP_TOKEN is not set, nor is STANDBY_SLACK_SIGNING_SECRET, so Slack cannot reach Standby. "
        "Set the first for Socket Mode, which needs no public address, or the second for HTTP mode."
    )
