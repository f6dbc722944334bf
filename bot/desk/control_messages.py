"""People change and take back what they said, as Slack's own app lets them: their own messages only."""

from __future__ import annotations

from bot.desk.composing import as_sent
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


def _own(order: Order) -> Message:
    message = order.message
    if message.user != order.person.id or message.is_tombstone or message.ephemeral_to:
        raise BadRequest(f"{order.person.real_name} can change only what they wrote themselves.")
    return message


ORDERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/messages/edit", edit),
    ("POST", "/messages/delete", delete),
)
