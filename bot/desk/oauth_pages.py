"""The page on which somebody lets the app into a workspace, and the methods that make tokens of what it gives."""

from __future__ import annotations

import html

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from bot.desk.arguments import Arguments
from bot.desk.desk import Desk
from bot.desk.errors import BadRequest, Refused
from bot.desk.methods import Method, TokenKind
from bot.desk.oauth import Oauth
from bot.desk.shapes import Json

PAGE = """<!doctype html><title>Install {app}</title><h1>{app} wants to come to {team}</h1>
<p>It asks for: {scopes}</p>
<form method="post"><input type="hidden" name="team" value="{team_id}">
<label>You are <select name="person">{people}</select></label>
<button name="answer" value="allow">Allow</button> <button name="answer" value="cancel">Cancel</button></form>
"""


def routes(oauth: Oauth) -> list[Route]:
    async def page(request: Request) -> Response:
        query = dict(request.query_params)
        try:
            oauth.require_request(query)
            desk = _desk(oauth, query.get("team", ""))
        except BadRequest as wrong:
            return PlainTextResponse(str(wrong), 400)
        people = "".join(
            f"<option value={one.id}>{html.escape(one.real_name)}</option>"
            for one in desk.workspace.people.values()
            if not (one.is_bot or one.is_stranger)
        )
        return HTMLResponse(
            PAGE.format(
                app=html.escape(desk.workspace.bot.real_name), team=html.escape(desk.workspace.team.name),
                team_id=desk.workspace.team.id, scopes=html.escape(query["scope"]), people=people,
            )
        )  # fmt: skip

    async def answer(request: Request) -> Response:
        query = dict(request.query_params)
        async with request.form() as form:
            said = {name: str(value) for name, value in form.items()}
        try:
            if said.get("answer") != "allow":
                return RedirectResponse(oauth.declined(query), 302)
            desk = _desk(oauth, said.get("team", ""))
            person = desk.workspace.person(said.get("person", ""))
            return RedirectResponse(oauth.agreed(query, desk, person.id), 302)
        except BadRequest as wrong:
            return PlainTextResponse(str(wrong), 400)

    where = "/oauth/v2/authorize"
    return [Route(where, page, methods=["GET"]), Route(where, answer, methods=["POST"])]


def _desk(oauth: Oauth, team_id: str) -> Desk:
    for desk in oauth.desks:
        if team_id in ("", desk.workspace.team.id):
            return desk
    raise BadRequest("invalid_team")


def access(desk: Desk, arguments: Arguments) -> Json:
    """A token for a code, or for a refresh token."""
    oauth = desk.oauth
    oauth.require_client(arguments.text("client_id"), arguments.text("client_secret"))
    kind = arguments.text("grant_type") or "authorization_code"
    if kind == "refresh_token":
        return oauth.renew(arguments.text("refresh_token"))
    if kind != "authorization_code":
        raise Refused("invalid_grant_type")
    return oauth.redeem(arguments.text("code"), arguments.text("redirect_uri"))


def revoke(desk: Desk, _arguments: Arguments) -> Json:
    desk.revoke()
    return {"revoked": True}


METHODS = (
    Method("oauth.v2.access", access, token=TokenKind.NONE),
    Method("auth.revoke", revoke),
)
