"""Web API: posting, changing and taking back messages."""

from __future__ import annotations

from bot.desk import limits
from bot.desk.api_workspace import require_person
from bot.desk.arguments import Arguments
from bot.desk.block_check import require_blocks
from bot.desk.block_tables import Surface
from bot.desk.desk import Desk
from bot.desk.errors import Refused
from bot.desk.methods import Method
from bot.desk.shapes import Channel, Json, Message

_WRITE = ("chat:write",)
MOST_ATTACHMENTS = 100


def post_message(desk: Desk, arguments: Arguments) -> Json:
    channel = writable(desk, arguments.required("channel"))
    message = _composed(desk, arguments, channel)
    message.metadata = metadata_of(arguments)
    message.thread_ts = thread_of(desk, channel, arguments)
    message.is_broadcast = bool(message.thread_ts) and arguments.flag("reply_broadcast")
    desk.post(message)
    return {"channel": channel.id, "ts": message.ts, "message": desk.render.message(message, with_metadata=True)}


def post_ephemeral(desk: Desk, arguments: Arguments) -> Json:
    channel = writable(desk, arguments.required("channel"))
    person = require_person(desk, arguments.required("user"))
    if person.id not in channel.members:
        raise Refused("user_not_in_channel")
    message = _composed(desk, arguments, channel)
    message.thread_ts = thread_of(desk, channel, arguments)
    message.ephemeral_to = person.id
    desk.post(message)
    return {"message_ts": message.ts}


def update(desk: Desk, arguments: Arguments) -> Json:
    channel, message = _own(desk, arguments, "cant_update_message")
    previous = desk.render.message(message)
    changed = _composed(desk, arguments, channel, needs_text=not message.files)
    message.text = changed.text
    # Blocks and attachments that are not named stay; an empty list takes them away.
    if arguments.has("blocks"):
        message.blocks = changed.blocks
    if arguments.has("attachments"):
        message.attachments = changed.attachments
    if arguments.has("metadata"):
        message.metadata = metadata_of(arguments)
    message.edited_by, message.edited_ts = desk.workspace.bot.id, desk.clock.stamp()
    desk.show(message)
    desk.events.changed(message, previous)
    shown = desk.render.message(message, with_metadata=True)
    return {"channel": channel.id, "ts": message.ts, "text": message.text, "message": shown}


def delete(desk: Desk, arguments: Arguments) -> Json:
    channel, message = _own(desk, arguments, "cant_delete_message")
    previous = desk.render.message(message)
    desk.workspace.remove(message)
    desk.show(message)
    desk.events.deleted(message, previous)
    return {"channel": channel.id, "ts": message.ts}


def get_permalink(desk: Desk, arguments: Arguments) -> Json:
    channel = desk.workspace.channel(arguments.required("channel"))
    message = desk.workspace.message(channel.id, arguments.required("message_ts"))
    thread = f"?thread_ts={message.thread_ts}&cid={channel.id}" if message.is_reply else ""
    link = f"{desk.base_url}/archives/{channel.id}/p{message.ts.replace('.', '')}{thread}"
    return {"channel": channel.id, "permalink": link}


def writable(desk: Desk, name: str) -> Channel:
    """The channel to post to; a person's id means the direct message. Raises Refused, as Slack does."""
    person = desk.workspace.people.get(name)
    if person and person.deleted:
        raise Refused("user_not_found")
    if person and not person.is_bot:
        return desk.workspace.direct_message(person, desk.workspace.general())
    channel = desk.workspace.channel(name)
    if channel.is_archived:
        raise Refused("is_archived")
    if desk.workspace.bot.id not in channel.members:
        raise Refused("not_in_channel")
    return channel


def thread_of(desk: Desk, channel: Channel, arguments: Arguments) -> str:
    """The root's ts to which a new message replies, "" for none. A reply's own ts is no root: Slack refuses it."""
    thread_ts = arguments.text("thread_ts")
    if not thread_ts:
        return ""
    root = desk.workspace.find(channel.id, thread_ts)
    if root is None or root.ephemeral_to:
        raise Refused("thread_not_found")
    if root.is_reply:
        raise Refused("invalid_thread_ts")
    return thread_ts


def metadata_of(arguments: Arguments) -> Json | None:
    """The message's metadata. Raises Refused(invalid_metadata_format) for anything but a type and an object."""
    metadata = arguments.object("metadata")
    if not metadata:
        return None
    if not isinstance(metadata.get("event_type"), str) or not isinstance(metadata.get("event_payload"), dict):
        raise Refused("invalid_metadata_format")
    return {"event_type": metadata["event_type"], "event_payload": metadata["event_payload"]}


def content_of(arguments: Arguments) -> tuple[str, list[Json], list[Json]]:
    """Text, blocks and attachments that a call gives, checked. Raises Refused."""
    text, markdown = arguments.text("text"), arguments.text("markdown_text")
    blocks, attachments = arguments.items("blocks"), arguments.items("attachments")
    if markdown:
        if text or blocks:
            raise Refused("markdown_text_conflict")
        blocks = [{"type": "markdown", "text": markdown}]
    if len(text) > limits.MESSAGE_TEXT:
        raise Refused("msg_too_long")
    if len(attachments) > MOST_ATTACHMENTS:
        raise Refused("too_many_attachments")
    return text or markdown, require_blocks(blocks, Surface.MESSAGE), [_attachment(one) for one in attachments]


def _attachment(attachment: Json) -> Json:
    if "blocks" not in attachment:
        return attachment
    return {**attachment, "blocks": require_blocks(attachment["blocks"], Surface.MESSAGE, at="/attachments/blocks")}


def _composed(desk: Desk, arguments: Arguments, channel: Channel, *, needs_text: bool = True) -> Message:
    text, blocks, attachments = content_of(arguments)
    if needs_text and not (text or blocks or attachments):
        raise Refused("no_text")
    app = desk.workspace.app
    return Message(channel.id, desk.clock.stamp(), app.bot_user, text, blocks, attachments, bot_id=app.bot_id)


def _own(desk: Desk, arguments: Arguments, refusal: str) -> tuple[Channel, Message]:
    channel = writable(desk, arguments.required("channel"))
    message = desk.workspace.message(channel.id, arguments.required("ts"))
    if message.ephemeral_to or message.is_tombstone:
        raise Refused("message_not_found")
    if message.user != desk.workspace.bot.id:
        raise Refused(refusal)
    return channel, message


METHODS = (
    Method("chat.postMessage", post_message, _WRITE),
    Method("chat.postEphemeral", post_ephemeral, _WRITE),
    Method("chat.update", update, _WRITE),
    Method("chat.delete", delete, _WRITE),
    Method("chat.getPermalink", get_permalink),
)
