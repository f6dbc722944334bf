"""The client for Slack's Web API, and what bolt and the SDK must not pick up from the environment."""

import logging
from collections.abc import MutableMapping

from slack_sdk import WebClient

from bot.domain.here import is_loopback
from bot.settings import Settings

TIMEOUT_S = 20.0

# Bolt reads these by itself; Standby's settings are the only source.
BOLT_READS = (
    "SLACK_BOT_TOKEN",
    "SLACK_APP_TOKEN",
    "SLACK_SIGNING_SECRET",
    "SLACK_VERIFICATION_TOKEN",
    "SLACK_CLIENT_ID",
    "SLACK_CLIENT_SECRET",
)
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy")


def client(settings: Settings, token: str | None = "", *, timeout_s: float = TIMEOUT_S) -> WebClient:
    """A client that sends every call once: what to do after an error is decided where the outbox is.

    Its token is that of the settings where none is given; None is a client without one.
    """
    quiet = logging.getLogger("standby.slack.sdk")
    quiet.setLevel(logging.CRITICAL)  # errors come to us as exceptions; logged here they would be told twice
    return WebClient(
        token=settings.slack_bot_token.get_secret_value() if token == "" else token,
        base_url=settings.slack_api_url.rstrip("/") + "/",
        timeout=timeout_s,  # type: ignore[arg-type] # the SDK hands it on to a socket
        retry_handlers=[],
        logger=quiet,
    )


def forget_what_bolt_reads(settings: Settings, environ: MutableMapping[str, str]) -> None:
    """Take out of `environ` what would override our settings.

    On loopback that includes proxies: the SDK's WebSocket client sends even 127.0.0.1 through one, whatever NO_PROXY
    says. Call it before any client is made.
    """
    names = BOLT_READS + (PROXIES if is_loopback(settings.slack_api_url) else ())
    for name in names:
        environ.pop(name, None)
