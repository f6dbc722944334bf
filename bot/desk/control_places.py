"""Channels, people and sockets: what an operator of a real workspace does to them, and what a network does; and a look
behind the app.
"""

from __future__ import annotations

from dataclasses import replace

from bot.desk import behind
from bot.desk.control import Handler, Order
from bot.desk.shapes import Json


async def change_channel(order: Order) -> Json:
    action, channel, bot = (order.path or {})["action"], order.channel, order.desk.workspace.bot
    if action in ("archive", "unarchive"):
        channel.is_archived = action == "archive"
        order.desk.events.about_channel(f"channel_{action}", channel, order.person)
    elif action == "remove_bot" and bot.id in channel.members:
        order.desk.events.about_channel("member_left_channel", channel, bot)
        channel.members.remove(bot.id)
    elif action == "invite_bot":
        order.desk.let_bot_in(channel)
    order.desk.changes.tell("reload")
    return {"channel": order.desk.render.channel(channel)}


async def change_person(order: Order) -> Json:
    """deactivate or reactivate an account; the app learns of it when it asks."""
    person = replace(order.person, deleted=(order.path or {})["action"] == "deactivate")
    order.desk.workspace.people[person.id] = person
    order.desk.changes.tell("reload")
    return {"person": order.desk.render.person(person, order.desk.clock.now())}


async def change_sockets(order: Order) -> Json:
    action, hub = (order.path or {})["action"], order.desk.hub
    if action == "cut":
        return {"connections": await hub.cut()}
    if action in ("off", "on"):
        return {"connections": await hub.switch(on=action == "on")}
    return {"connections": await hub.ask_to_reconnect("refresh_requested" if action == "refresh" else "warning")}


async def look_behind(order: Order) -> Json:
    return await behind.asked(order.desk.behind_url, order.text("page"))


ORDERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/channels/{action}", change_channel),
    ("POST", "/people/{action}", change_person),
    ("POST", "/sockets/{action}", change_sockets),
    ("GET", "/behind", look_behind),
)
