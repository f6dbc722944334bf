"""Web API: channels, their members, and what was said in them."""

from __future__ import annotations

from bot.desk.api_workspace import paged, require_person, require_team
from bot.desk.arguments import Arguments
from bot.desk.desk import Desk
from bot.desk.errors import Refused
from bot.desk.methods import Method
from bot.desk.shapes import Channel, Json, Message

_READ = ("channels:read", "groups:read", "im:read")
_HISTORY = ("channels:history", "groups:history", "im:history")


def info(desk: Desk, arguments: Arguments) -> Json:
    return {"channel": desk.render.channel(desk.workspace.channel(arguments.required("channel")))}


def list_(desk: Desk, arguments: Arguments) -> Json:
    require_team(desk, arguments)
    types = arguments.text("types", "public_channel").replace(" ", "").split(",")
    leave_archived_out = arguments.flag("exclude_archived")
    channels = [
        channel
        for channel in desk.workspace.channels.values()
        if ("im" if channel.is_im else "public_channel") in types and not (leave_archived_out and channel.is_archived)
    ]
    page, rest = paged(channels, arguments)
    return {"channels": [desk.render.channel(one) for one in page], **rest}


def members(desk: Desk, arguments: Arguments) -> Json:
    channel = desk.workspace.channel(arguments.required("channel"))
    page, rest = paged(channel.members, arguments)
    return {"members": page, **rest}


def open_(desk: Desk, arguments: Arguments) -> Json:
    if arguments.text("channel"):
        channel = desk.workspace.channel(arguments.text("channel"))
    else:
        users = [one for one in arguments.required("users").split(",") if one != desk.workspace.bot.id]
        if len(users) != 1:
            raise Refused("users_list_not_supplied" if not users else "too_many_users")
        person = require_person(desk, users[0])
        if person.is_bot:
            raise Refused("cannot_dm_bot")
        channel = desk.workspace.direct_message(person, desk.workspace.general())
    full = arguments.flag("return_im")
    return {"channel": desk.render.channel(channel) if full else {"id": channel.id}}


def join(desk: Desk, arguments: Arguments) -> Json:
    channel = desk.workspace.channel(arguments.required("channel"))
    if channel.is_archived:
        raise Refused("is_archived")
    if channel.is_im:
        raise Refused("method_not_supported_for_channel_type")
    if desk.workspace.bot.id not in channel.members:
        channel.members.append(desk.workspace.bot.id)
    return {"channel": desk.render.channel(channel)}


def history(desk: Desk, arguments: Arguments) -> Json:
    channel = readable(desk, arguments)
    shown = [
        one
        for one in desk.workspace.said_in(channel.id)
        if not one.ephemeral_to and (not one.is_reply or one.is_broadcast) and _is_between(one, arguments)
    ]
    return _listed(desk, arguments, shown[::-1])


def replies(desk: Desk, arguments: Arguments) -> Json:
    channel = readable(desk, arguments)
    named = desk.workspace.find(channel.id, arguments.required("ts"))
    root = desk.workspace.find(channel.id, named.thread_root) if named else None
    if root is None or root.ephemeral_to:
        raise Refused("thread_not_found")
    thread = [root, *(one for one in desk.workspace.replies(root) if _is_between(one, arguments))]
    return _listed(desk, arguments, thread)


def readable(desk: Desk, arguments: Arguments) -> Channel:
    """The named channel, if the app is in it. Raises Refused(channel_not_found | not_in_channel)."""
    channel = desk.workspace.channel(arguments.required("channel"))
    if desk.workspace.bot.id not in channel.members:
        raise Refused("not_in_channel")
    return channel


def _listed(desk: Desk, arguments: Arguments, messages: list[Message]) -> Json:
    with_metadata = arguments.flag("include_all_metadata")
    page, rest = paged(messages, arguments)
    has_more = bool(rest["response_metadata"]["next_cursor"])
    shown = [desk.render.message(one, with_metadata=with_metadata) for one in page]
    return {"messages": shown, "has_more": has_more, **(rest if has_more else {})}


def _is_between(message: Message, arguments: Arguments) -> bool:
    oldest, latest = arguments.text("oldest", "0"), arguments.text("latest") or "9999999999"
    at = float(message.ts)
    try:
        low, high = float(oldest), float(latest)
    except ValueError as error:
        raise Refused("invalid_ts_oldest") from error
    return low <= at <= high if arguments.flag("inclusive") else low < at < high


METHODS = (
    Method("conversations.info", info, _READ),
    Method("conversations.list", list_, _READ),
    Method("conversations.members", members, _READ),
    Method("conversations.open", open_, ("im:write",)),
    Method("conversations.join", join, ("channels:join",)),
    Method("conversations.history", history, _HISTORY),
    Method("conversations.replies", replies, _HISTORY),
)
