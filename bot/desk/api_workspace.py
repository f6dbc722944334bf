"""Web API: who the app is, where it is, who and what is around it."""

from __future__ import annotations

import base64
from typing import Any

from bot.desk.arguments import Arguments
from bot.desk.block_check import pointed, problems_of, view_problems
from bot.desk.block_tables import Surface
from bot.desk.desk import Desk
from bot.desk.errors import Refused
from bot.desk.methods import Method, TokenKind
from bot.desk.shapes import Json, Person

MOST_PER_PAGE = 1000


def auth_test(desk: Desk, _arguments: Arguments) -> Json:
    team, app = desk.workspace.team, desk.workspace.app
    return {
        "url": f"{desk.base_url}/",
        "team": team.name,
        "user": desk.workspace.bot.name,
        "team_id": team.id,
        "user_id": app.bot_user,
        "bot_id": app.bot_id,
        "enterprise_id": (desk.workspace.enterprise or {}).get("id"),
        "is_enterprise_install": desk.workspace.is_org_wide,
    }


def open_connection(desk: Desk, _arguments: Arguments) -> Json:
    if not desk.hub.is_enabled:
        raise Refused("access_denied")
    address = desk.base_url.removeprefix("http")
    return {"url": f"ws{address}/link/?ticket={desk.hub.issue_ticket()}&app_id={desk.workspace.app.id}"}


def team_info(desk: Desk, _arguments: Arguments) -> Json:
    team = desk.workspace.team
    return {"team": {"id": team.id, "name": team.name, "domain": team.domain, "email_domain": "", "icon": {}}}


def bots_info(desk: Desk, arguments: Arguments) -> Json:
    app, bot = desk.workspace.app, desk.workspace.bot
    if arguments.text("bot", app.bot_id) != app.bot_id:
        raise Refused("bot_not_found")
    return {"bot": {"id": app.bot_id, "app_id": app.id, "user_id": bot.id, "name": bot.name, "deleted": False}}


def validate_blocks(_desk: Desk, arguments: Arguments) -> Json:
    given = [name for name in ("blocks", "message", "view") if arguments.has(name)]
    if len(given) != 1:
        raise Refused("invalid_arguments", response_metadata={"messages": ["[ERROR] give blocks, message or view"]})
    value = arguments.values[given[0]]
    if given == ["view"]:
        found = view_problems(value)
    elif given == ["message"]:
        found = problems_of((arguments.object("message") or {}).get("blocks", []), Surface.MESSAGE)
    else:
        found = problems_of(value, Surface.MESSAGE, at="")
    if found:
        raise Refused("invalid_blocks", errors=pointed(found))
    return {}


def users_info(desk: Desk, arguments: Arguments) -> Json:
    return {"user": desk.render.person(require_person(desk, arguments.required("user")), desk.clock.now())}


def users_list(desk: Desk, arguments: Arguments) -> Json:
    now = desk.clock.now()
    page, rest = paged(list(desk.workspace.people.values()), arguments)
    return {"members": [desk.render.person(one, now) for one in page], "cache_ts": int(now.timestamp()), **rest}


def require_team(desk: Desk, arguments: Arguments) -> None:
    """With a token for a whole organisation, what is listed by workspace needs its id."""
    if desk.workspace.is_org_wide and arguments.text("team_id") != desk.workspace.team.id:
        raise Refused("missing_argument", response_metadata={"messages": ["[ERROR] team_id is required"]})


def usergroup_members(desk: Desk, arguments: Arguments) -> Json:
    require_team(desk, arguments)
    group = desk.workspace.usergroups.get(arguments.required("usergroup"))
    if group is None:
        raise Refused("no_such_subteam")
    return {"users": group[1]}


def usergroups_list(desk: Desk, arguments: Arguments) -> Json:
    shown = []
    for group_id, (handle, members) in desk.workspace.usergroups.items():
        group: Json = {"id": group_id, "handle": handle, "name": handle, "user_count": len(members)}
        shown.append(group | ({"users": members} if arguments.flag("include_users") else {}))
    return {"usergroups": shown}


def require_person(desk: Desk, user_id: str) -> Person:
    person = desk.workspace.people.get(user_id)
    if person is None:
        raise Refused("user_not_found")
    return person


def paged(items: list[Any], arguments: Arguments, default: int = 100) -> tuple[list[Any], Json]:
    """One page of a list, and the `response_metadata` that leads to the next. Raises Refused(invalid_cursor)."""
    limit = arguments.number("limit", default)
    if not 1 <= limit <= MOST_PER_PAGE:
        raise Refused("invalid_limit")
    start = _offset_of(arguments.text("cursor"))
    more = start + limit < len(items)
    cursor = base64.b64encode(f"at:{start + limit}".encode()).decode() if more else ""
    return items[start : start + limit], {"response_metadata": {"next_cursor": cursor}}


def _offset_of(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        return int(base64.b64decode(cursor, validate=True).decode().removeprefix("at:"))
    except ValueError as error:
        raise Refused("invalid_cursor") from error


METHODS = (
    Method("auth.test", auth_test),
    Method("apps.connections.open", open_connection, token=TokenKind.APP),
    Method("team.info", team_info, ("team:read",)),
    Method("bots.info", bots_info, ("users:read",)),
    Method("blocks.validate", validate_blocks, token=TokenKind.NONE),
    Method("users.info", users_info, ("users:read",)),
    Method("users.list", users_list, ("users:read",)),
    Method("usergroups.list", usergroups_list, ("usergroups:read",)),
    Method("usergroups.users.list", usergroup_members, ("usergroups:read",)),
)
