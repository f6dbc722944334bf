"""Installing the app: what Slack's page asks, the code that it gives, and tokens that are granted and taken away.

One object for all workspaces of the server, because Slack, too, has one address for all of them.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from bot.desk.errors import BadRequest, Refused
from bot.desk.shapes import Json

if TYPE_CHECKING:
    from bot.desk.desk import Desk

CODE_LIFE_S = 600.0


@dataclass
class Code:
    """What Slack sends back with somebody who agreed; good for one token."""

    desk: Desk
    person_id: str
    redirect_uri: str
    scopes: frozenset[str]
    issued_s: float = field(default_factory=monotonic)
    is_used: bool = False


@dataclass
class Grant:
    """A token that works in one workspace, and how long; with rotation also what renews it, once."""

    desk: Desk
    person_id: str
    scopes: frozenset[str]
    until_s: float | None = None
    refresh_token: str = ""
    is_revoked: bool = False


class Oauth:
    """Strict as Slack: each code once, each refresh token once, each address as it was registered."""

    def __init__(self, client_id: str, client_secret: str) -> None:
        self.client_id, self._client_secret = client_id, client_secret
        self.desks: list[Desk] = []
        self.redirect_uris: list[str] = []
        self.token_life_s = 0  # with token rotation 43200; 0 is without
        self._codes: dict[str, Code] = {}
        self._grants: dict[str, Grant] = {}
        self._renewed: set[str] = set()

    # Slack's page ------------------------------------------------------------------------------------------

    def require_request(self, query: Json) -> None:
        """Raises BadRequest for what Slack's page would not show: its word for why."""
        if query.get("client_id") != self.client_id:
            raise BadRequest("invalid_client_id")
        if not any(str(query.get("redirect_uri", "")).startswith(one) for one in self.redirect_uris):
            raise BadRequest("bad_redirect_uri")
        asked = _scopes(query)
        if not asked or not asked <= self.desks[0].workspace.app.scopes:
            raise BadRequest("invalid_scope")

    def agreed(self, query: Json, desk: Desk, person_id: str) -> str:
        """The address that the browser goes on to, with a code."""
        self.require_request(query)
        code = secrets.token_hex(16)
        self._codes[code] = Code(desk, person_id, str(query["redirect_uri"]), _scopes(query))
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query.get('state', '')})}"

    def declined(self, query: Json) -> str:
        """The address that the browser goes on to, without one."""
        self.require_request(query)
        return f"{query['redirect_uri']}?{urlencode({'error': 'access_denied', 'state': query.get('state', '')})}"

    # Tokens ------------------------------------------------------------------------------------------------

    def require_client(self, client_id: str, client_secret: str) -> None:
        if client_id != self.client_id:
            raise Refused("invalid_client_id")
        if not secrets.compare_digest(client_secret.encode(), self._client_secret.encode()):
            raise Refused("bad_client_secret")

    def redeem(self, code: str, redirect_uri: str) -> Json:
        """A token for a code."""
        found = self._codes.get(code)
        if found is None:
            raise Refused("invalid_code")
        if found.is_used:
            raise Refused("code_already_used")
        if monotonic() - found.issued_s > CODE_LIFE_S:
            raise Refused("code_expired")
        if redirect_uri != found.redirect_uri:
            raise Refused("bad_redirect_uri")
        found.is_used = True
        return self._granted(Grant(found.desk, found.person_id, found.scopes))

    def renew(self, refresh_token: str) -> Json:
        """A new token for a refresh token, which is used up. The old access token lives on until its end."""
        old = next((one for one in self._grants.values() if one.refresh_token == refresh_token), None)
        if old is None or old.is_revoked or refresh_token in self._renewed:
            raise Refused("invalid_refresh_token")
        self._renewed.add(refresh_token)
        return self._granted(Grant(old.desk, old.person_id, old.scopes))

    def _granted(self, grant: Grant) -> Json:
        workspace = grant.desk.workspace
        token = f"xoxb-desk-{secrets.token_hex(16)}"
        answer: Json = {
            "token_type": "bot",
            "scope": ",".join(sorted(grant.scopes)),
            "bot_user_id": workspace.app.bot_user,
            "app_id": workspace.app.id,
            "team": None if workspace.is_org_wide else {"id": workspace.team.id, "name": workspace.team.name},
            "enterprise": workspace.enterprise,
            "authed_user": {"id": grant.person_id},
            "is_enterprise_install": workspace.is_org_wide,
        }
        if self.token_life_s:
            token, grant.refresh_token = f"xoxe.{token}", f"xoxe-1-{secrets.token_hex(20)}"
            grant.until_s = monotonic() + self.token_life_s
            answer |= {"expires_in": self.token_life_s, "refresh_token": grant.refresh_token}
        self._grants[token] = grant
        return answer | {"access_token": token}

    def require(self, token: str) -> Grant:
        """The grant of a token that works now. Raises Refused with Slack's word for why it does not."""
        grant = self._grants.get(token)
        if grant is None:
            raise Refused("invalid_auth")
        if grant.is_revoked:
            raise Refused("token_revoked" if grant.desk.is_installed else "account_inactive")
        if grant.until_s is not None and monotonic() > grant.until_s:
            raise Refused("token_expired")
        return grant

    def desk_of(self, token: str) -> Desk | None:
        """The workspace of a token, whether it works or not."""
        grant = self._grants.get(token)
        return grant.desk if grant else None

    def count(self, desk: Desk) -> int:
        """How many tokens of a workspace work now."""
        return sum(one.desk is desk and not one.is_revoked for one in self._grants.values())

    def revoke(self, desk: Desk) -> None:
        """Every token of a workspace is worth nothing any more."""
        for grant in self._of(desk):
            grant.is_revoked = True

    def expire(self, desk: Desk) -> None:
        """Twelve hours are over."""
        for grant in self._of(desk):
            grant.until_s = monotonic() if grant.until_s is not None else None

    def _of(self, desk: Desk) -> list[Grant]:
        return [one for one in self._grants.values() if one.desk is desk]


def _scopes(query: Json) -> frozenset[str]:
    return frozenset(filter(None, str(query.get("scope", "")).split(",")))
