"""Checks of the workspace: the tokens, what they may do, and who may approve."""

from __future__ import annotations

from typing import Any

import httpx

from bot.processes.checks import TIMEOUT_S, Finding
from bot.processes.environment import is_loopback
from bot.settings import Settings

# What the parts call and hear; the manifest asks for these and a few comforts.
NEEDED_SCOPES = frozenset(
    [
        *("app_mentions:read", "channels:history", "channels:read", "groups:history", "groups:read"),
        *("chat:write", "files:read", "files:write", "users:read", "usergroups:read"),
    ]
)


class _Refused(Exception):
    """Slack, or the way to it, said no; the text says what."""


def slack(settings: Settings) -> Finding:
    """Whether the bot token is accepted, and may do what is needed."""
    if not settings.slack_bot_token:
        return Finding("slack", False, "no token", "Set Slack's tokens, or try it in the desk: `standby up`.")
    try:
        said, scopes = _call(settings, "auth.test", settings.slack_bot_token.get_secret_value())
    except _Refused as error:
        todo = "Check STANDBY_SLACK_BOT_TOKEN: install the app again and copy its xoxb- token."
        return Finding("slack", False, f"auth.test: {error}", todo)
    if missing := sorted(NEEDED_SCOPES - scopes):
        todo = "Add them to the app (the manifest lists all) and install it again."
        return Finding("slack", False, f"scopes are missing: {', '.join(missing)}", todo)
    return Finding("slack", True, f"{said.get('user')} in {said.get('team')}, all {len(NEEDED_SCOPES)} scopes")


def socket_mode(settings: Settings) -> Finding:
    """Whether the app token opens a connection; none is kept."""
    if not settings.slack_app_token:
        return Finding("socket mode", False, "no token", "Set STANDBY_SLACK_APP_TOKEN: the app-level xapp- token.")
    try:
        _call(settings, "apps.connections.open", settings.slack_app_token.get_secret_value())
    except _Refused as error:
        todo = "Check STANDBY_SLACK_APP_TOKEN (scope connections:write) and that Socket Mode is on."
        return Finding("socket mode", False, f"apps.connections.open: {error}", todo)
    return Finding("socket mode", True, "Slack gives out connections")


def approvers(settings: Settings) -> Finding:
    """Whether anybody may approve, and whether the workspace knows them."""
    if not settings.approvers:
        todo = "Set STANDBY_APPROVERS to ids of people (U…) or user groups (S…)."
        return Finding("approvers", False, "the list is empty, so nobody can approve anything", todo)
    strangers = [one for one in settings.approvers if not _is_known(settings, one)]
    if strangers:
        todo = "Correct STANDBY_APPROVERS: profile → ⋮ → Copy member ID."
        return Finding("approvers", False, f"not in this workspace: {', '.join(strangers)}", todo)
    alone = "; solo mode is on: one person may request and approve" if settings.solo else ""
    return Finding("approvers", True, f"{', '.join(settings.approvers)}{alone}")


def _is_known(settings: Settings, approver: str) -> bool:
    method, name = ("usergroups.users.list", "usergroup") if approver.startswith("S") else ("users.info", "user")
    try:
        said, _ = _call(settings, method, settings.slack_bot_token.get_secret_value(), **{name: approver})
    except _Refused:
        return False
    return not said.get("user", {}).get("deleted", False)


def _call(settings: Settings, method: str, token: str, **arguments: str) -> tuple[dict[str, Any], frozenset[str]]:
    """One call; returns the answer and the token's scopes. Raises _Refused."""
    url = f"{settings.slack_api_url.rstrip('/')}/{method}"
    headers = {"Authorization": f"Bearer {token}"}
    try:
        with httpx.Client(trust_env=not is_loopback(url), timeout=TIMEOUT_S) as client:
            response = client.post(url, headers=headers, data=arguments)
            said = response.json()
    except (httpx.HTTPError, ValueError) as error:
        raise _Refused(f"no answer from {settings.slack_api_url} ({type(error).__name__}: {error})") from error
    if not said.get("ok"):
        raise _Refused(str(said.get("error", "no reason given")))
    scopes = response.headers.get("x-oauth-scopes", "")
    return said, frozenset(scope.strip() for scope in scopes.split(",") if scope.strip())
