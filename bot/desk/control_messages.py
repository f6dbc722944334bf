"""People change and take back what they said, as Slack's own app lets them: their own messages only. And a crowd."""

from __future__ import annotations

import asyncio
from time import monotonic

from bot.desk.composing import as_sent, post_as
from bot.desk.control import Handler, Order
from bot.desk.errors import BadRequest
from bot.desk.shapes import Json, Message


async def edit(order: Order) -> Json:
    """`text` takes the place of what the message says."""
    message = _own(order)
    previous = order.desk.render.message(message)
    message.text = as_sent(order.desk.workspace, order.text("text"))
    message.edited_by, message.edited_ts = order.person.id, order.desk.clock.stamp()
    order.desk.show(message)
    order.desk.events.changed(message, previous)
    return {"message": order.look.message(message)}


async def delete(order: Order) -> Json:
    """Take the message away; a root with replies leaves a tombstone, and is told as a change."""
    message = _own(order)
    previous = order.desk.render.message(message)
    order.desk.workspace.remove(message)
    order.desk.show(message)
    if message.is_tombstone:
        order.desk.events.changed(message, previous)
    else:
        order.desk.events.deleted(message, previous)
    return {}


async def say_many(order: Order) -> Json:
    """Post a list of {text, files: {name: text}, thread_of: index of an earlier one} evenly over `within_s`.

    Answers their timestamps once all is said. What is late is made good, so the pace holds over the whole.
    """
    said, began = order.get("said"), monotonic()
    if not isinstance(said, list) or not all(isinstance(one, dict) for one in said):
        raise BadRequest("'said' is missing, or is no list of {text, files, thread_of}.")
    pace_s = float(order.get("within_s", 0)) / max(len(said), 1)
    posted: list[str] = []
    for number, one in enumerate(said):
        await asyncio.sleep(began + number * pace_s - monotonic())
        files = [(name, text.encode()) for name, text in one.get("files", {}).items()]
        thread_ts = posted[one["thread_of"]] if "thread_of" in one else ""
        posted.append(post_as(order.desk, order.person, order.channel, one.get("text", ""), files, thread_ts).ts)
    return {"posted": posted}


def _own(order: Order) -> Message:
    message = order.message
    if message.user != order.person.id or message.is_tombstone or message.ephemeral_to:
        raise BadRequest(f"{order.person.real_name} can change only what they wrote themselves.")
    return message


ORDERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/messages/edit", edit),
    ("POST", "/messages/delete", delete),
    ("POST", "/messages/many", say_many),
)
