"""Leads each request to the app of its own workspace, and to no other's; none of them learns of the others."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from slack_bolt import App, BoltRequest, BoltResponse

from bot.log import log
from bot.slack.address import REMOVALS, Address, is_removal

AppOf = Callable[[Address], App | None]
Removed = Callable[[Address, str, datetime], None]


class Switchboard:
    """Stands where one workspace has its app alone. What Slack did not sign never comes here."""

    def __init__(self, app_of: AppOf, removed: Removed) -> None:
        """`removed` takes the tokens away that were granted until then; both may raise, and Slack sends again."""
        self._app_of, self._removed = app_of, removed

    def dispatch(self, request: BoltRequest) -> BoltResponse:
        """The answer of the workspace's app; an empty one where Standby is not installed there (any more)."""
        body = request.body
        if body.get("type") == "url_verification":
            return _said({"challenge": str(body.get("challenge", ""))})
        address = address_in(request)
        event: dict[str, Any] = body["event"] if isinstance(body.get("event"), dict) else {}
        kind = str(event.get("type") or body.get("type") or "")
        if kind in REMOVALS:
            if is_removal(event):
                self._removed(address, kind, moment_of(body))
            return _said({})
        app = self._app_of(address)
        if app is None:
            log.warning("not_installed_there", team=address.team_id, kind=kind)
            return BoltResponse(status=200, body="")
        return app.dispatch(request)


def address_in(request: BoltRequest) -> Address:
    """Bolt knows where each kind of payload names its workspace: an event of a shared channel, whom it is sent for."""
    found = request.context
    return Address(found.enterprise_id or "", found.team_id or "", bool(found.is_enterprise_install))


def moment_of(body: dict[str, Any]) -> datetime:
    """When that of which an event tells happened, by Slack's clock, to the second; now, where it does not say."""
    told = body.get("event_time")
    return datetime.fromtimestamp(told, UTC) if isinstance(told, int) else datetime.now(UTC)


def _said(answer: dict[str, str]) -> BoltResponse:
    return BoltResponse(status=200, body=json.dumps(answer), headers={"Content-Type": "application/json"})
