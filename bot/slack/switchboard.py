"""Leads each request to the app of its own workspace, and to no other's; none of them learns of the others."""

import json
from collections.abc import Callable
from typing import Any

from slack_bolt import App, BoltRequest, BoltResponse

from bot.log import log
from bot.slack.address import REMOVALS, Address, is_removal

AppOf = Callable[[Address], App | None]
Removed = Callable[[Address, str], None]


class Switchboard:
    """Stands where one workspace has its app alone. What Slack did not sign never comes here."""

    def __init__(self, app_of: AppOf, removed: Removed) -> None:
        """`removed` takes the tokens away; both may raise, and the request is then not acknowledged."""
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
                self._removed(address, kind)
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


def _said(answer: dict[str, str]) -> BoltResponse:
    return BoltResponse(status=200, body=json.dumps(answer), headers={"Content-Type": "application/json"})
