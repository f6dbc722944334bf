"""Checks of the workspace: the tokens, what they may do, and who may approve."""

from __future__ import annotations

from typing import Any

import httpx

from bot.domain.here import is_loopback
from bot.processes import way_in as chosen
from bot.processes.checks import TIMEOUT_S, Finding
from bot.settings import Settings, SettingsError
from bot.slack.http import PATH as HTTP_PATH
from bot.slack.ids import NEEDED_SCOPES
from bot.slack.skew import SKEW_S, apart_from


class _Refused(Exception):
    """Slack, or the way to it, said no; the text says what."""


def slack(settings: Settings) -> Finding:
    """Whether the bot token is accepted, and may do what is needed."""
    if not settings.slack_bot_token:
        return Finding("slack", False, "no token", "Set Slack's tokens, or try it in the desk: `uv run standby up`.")
    try:
        said, headers = _call(settings, "auth.test", settings.slack_bot_token.get_secret_value())
    except _Refused as error:
        todo = "Check STANDBY_SLACK_BOT_TOKEN: install the app again and copy its xoxb- token."
        return Finding("slack", False, f"auth.test: {error}", todo)
    if missing := sorted(NEEDED_SCOPES - _scopes(headers)):
        todo = "Add them to the app (the manifest lists all) and install it again."
        return Finding("slack", False, f"scopes are missing: {', '.join(missing)}", todo)
    if abs(apart_s := apart_from(headers)) > SKEW_S:
        todo = "Set this computer's clock by NTP; signed requests and reports go by it."
        return Finding("slack", False, f"this computer's clock is {apart_s:+.0f} s from Slack's", todo)
    return Finding("slack", True, f"{said.get('user')} in {said.get('team')}, all {len(NEEDED_SCOPES)} scopes")


def way_in(settings: Settings) -> Finding:
    """Which way Slack takes to reach us, and whether it is open; no connection is kept."""
    try:
        way = chosen.way_in(settings)
    except SettingsError as error:
        return Finding("way in", False, "none, or two", str(error))
    if way is chosen.WayIn.SOCKET:
        return _socket_mode(settings)
    where = f"{settings.http_host}:{settings.http_port}"
    if not settings.http_port:
        todo = "Set STANDBY_HTTP_PORT to the port that Slack's requests are led to."
        return Finding("way in", False, "HTTP mode, at any port, which nobody outside can know", todo)
    if not _answers(where):
        todo = "Start it there: `standby bot`. (Where it runs on another computer, look there.)"
        return Finding("way in", False, f"HTTP mode, and nobody listens on {where}", todo)
    return Finding("way in", True, f"HTTP mode: Slack's requests are taken at http://{where}{HTTP_PATH}")


def _socket_mode(settings: Settings) -> Finding:
    try:
        _call(settings, "apps.connections.open", settings.slack_app_token.get_secret_value())
    except _Refused as error:
        todo = "Check STANDBY_SLACK_APP_TOKEN (scope connections:write) and that Socket Mode is on."
        return Finding("way in", False, f"Socket Mode, apps.connections.open: {error}", todo)
    return Finding("way in", True, "Socket Mode: Slack gives out connections")


def _answers(where: str) -> bool:
    try:
        with httpx.Client(trust_env=False, timeout=TIMEOUT_S) as client:
            return client.get(f"http://{where}/healthz").status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


def approvers(settings: Settings) -> Finding:
    """Whether anybody may approve, everywhere and in places of their own, and whether the workspace knows them."""
    todo = "Set STANDBY_APPROVERS to ids of people (U…) or user groups (S…)."
    if not settings.approvers and not settings.approvers_of:
        return Finding("approvers", False, "the list is empty, so nobody can approve anything", todo)
    lists = {"": settings.approvers, **settings.approvers_of}
    found = {one: _people(settings, one) for who in lists.values() for one in who}
    if strangers := [one for one, people in found.items() if people is None]:
        says = f"not in this workspace, or not to be read, and so nobody: {', '.join(strangers)}"
        return Finding("approvers", False, says, "Correct STANDBY_APPROVERS: profile → ⋮ → Copy member ID.")
    for place, who in lists.items():
        if (who or place) and not any(found[one] for one in who):
            where = f"in {place}" if place else "anything"
            says = f"{', '.join(who) or 'an empty list'} holds nobody who may decide, so nobody can approve {where}"
            return Finding("approvers", False, says, todo)
    said = [f"{f'in {place}: ' if place else ''}{', '.join(who) or 'nobody'}" for place, who in lists.items()]
    alone = "; solo mode is on: those on the list may approve what they asked for" if settings.solo else ""
    return Finding("approvers", True, f"{'; '.join(said)}{alone}")


def _people(settings: Settings, approver: str) -> list[str] | None:
    """Whom an entry of the list stands for, those left out who may not decide; None where it cannot be read."""
    is_group = approver.startswith("S")
    method, name = ("usergroups.users.list", "usergroup") if is_group else ("users.info", "user")
    try:
        said, _ = _call(settings, method, settings.slack_bot_token.get_secret_value(), **{name: approver})
    except _Refused:
        return None
    if is_group:
        return [str(one) for one in said.get("users", [])]
    user = said.get("user", {})
    is_barred = any(user.get(flag) for flag in ("deleted", "is_bot", "is_restricted", "is_stranger"))
    return None if user.get("deleted") else [] if is_barred else [approver]


def _call(settings: Settings, method: str, token: str, **arguments: str) -> tuple[dict[str, Any], httpx.Headers]:
    """One call; returns the answer and its headers. Raises _Refused."""
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
    return said, response.headers


def _scopes(headers: httpx.Headers) -> frozenset[str]:
    return frozenset(scope.strip() for scope in headers.get("x-oauth-scopes", "").split(",") if scope.strip())
