"""Web API: streamed messages, the "is thinking" status, and reactions."""

from __future__ import annotations

from datetime import timedelta

from bot.desk import limits
from bot.desk.api_chat import content_of, metadata_of, thread_of, writable
from bot.desk.api_workspace import require_person
from bot.desk.arguments import Arguments
from bot.desk.block_check import require_blocks
from bot.desk.block_tables import Surface
from bot.desk.desk import Desk
from bot.desk.errors import Refused
from bot.desk.methods import Method
from bot.desk.shapes import Channel, Json, Message, Stream

_MODES = ("timeline", "plan")
_STATUSES = ("pending", "in_progress", "complete", "error")


def start_stream(desk: Desk, arguments: Arguments) -> Json:
    channel = writable(desk, arguments.required("channel"))
    arguments.required("thread_ts")
    mode = arguments.text("task_display_mode", "timeline")
    if mode not in _MODES:
        raise Refused("invalid_arguments")
    if not channel.is_im:
        if not arguments.text("recipient_user_id"):
            raise Refused("missing_recipient_user_id")
        if not arguments.text("recipient_team_id"):
            raise Refused("missing_recipient_team_id")
        require_person(desk, arguments.text("recipient_user_id"))
    app, ts = desk.workspace.app, desk.clock.stamp()
    message = Message(channel.id, ts, app.bot_user, "", bot_id=app.bot_id, stream=Stream(desk.clock.now(), mode))
    message.thread_ts = thread_of(desk, channel, arguments)
    _grow(message, arguments)
    desk.post(message)
    return {"channel": channel.id, "ts": ts}


def append_stream(desk: Desk, arguments: Arguments) -> Json:
    channel, message = _streaming(desk, arguments)
    _grow(message, arguments)
    desk.show(message)
    return {"channel": channel.id, "ts": message.ts}


def stop_stream(desk: Desk, arguments: Arguments) -> Json:
    channel, message = _streaming(desk, arguments)
    previous = desk.render.message(message)
    _grow(message, arguments)
    _, closing_blocks, _ = content_of(Arguments({"blocks": arguments.items("blocks")}))
    message.blocks = require_blocks([*message.blocks, *closing_blocks], Surface.MESSAGE)
    message.metadata = metadata_of(arguments)
    if message.stream:
        message.stream.is_live = False
    desk.show(message)
    desk.events.changed(message, previous)
    return {"channel": channel.id, "ts": message.ts, "message": desk.render.message(message)}


def set_status(desk: Desk, arguments: Arguments) -> Json:
    channel = writable(desk, arguments.required("channel_id"))
    thread_ts = arguments.required("thread_ts")
    if desk.workspace.find(channel.id, thread_ts) is None:
        raise Refused("thread_not_found")
    if len(arguments.items("loading_messages")) > limits.STATUS_LOADING_MESSAGES:
        raise Refused("invalid_arguments")
    status, place = arguments.text("status"), (channel.id, thread_ts)
    desk.workspace.statuses.pop(place, None)
    if status:
        expires_at = desk.clock.now() + timedelta(seconds=limits.STATUS_LIFE_S)
        desk.workspace.statuses[place] = {"status": status, "expires_at": expires_at.isoformat()}
    desk.changes.tell("status", channel=channel.id, thread_ts=thread_ts, status=status)
    return {}


def set_title(desk: Desk, arguments: Arguments) -> Json:
    writable(desk, arguments.required("channel_id"))
    arguments.required("title")
    return {}


def set_suggested_prompts(desk: Desk, arguments: Arguments) -> Json:
    if not writable(desk, arguments.required("channel_id")).is_im:
        raise Refused("invalid_arguments")
    return {}


def add_reaction(desk: Desk, arguments: Arguments) -> Json:
    message, users = _reactions(desk, arguments)
    if desk.workspace.bot.id in users:
        raise Refused("already_reacted")
    users.append(desk.workspace.bot.id)
    desk.show(message)
    desk.events.reacted(message, desk.workspace.bot, arguments.required("name"))
    return {}


def remove_reaction(desk: Desk, arguments: Arguments) -> Json:
    message, users = _reactions(desk, arguments)
    if desk.workspace.bot.id not in users:
        raise Refused("no_reaction")
    users.remove(desk.workspace.bot.id)
    message.reactions = {name: who for name, who in message.reactions.items() if who}
    desk.show(message)
    return {}


def _reactions(desk: Desk, arguments: Arguments) -> tuple[Message, list[str]]:
    channel = writable(desk, arguments.required("channel"))
    name = arguments.required("name")
    if not name.replace("_", "").replace("-", "").replace("+", "").isalnum():
        raise Refused("invalid_name")
    message = desk.workspace.message(channel.id, arguments.required("timestamp"))
    return message, message.reactions.setdefault(name, [])


def _streaming(desk: Desk, arguments: Arguments) -> tuple[Channel, Message]:
    channel = writable(desk, arguments.required("channel"))
    message = desk.workspace.message(channel.id, arguments.required("ts"))
    stream = message.stream
    age_s = (desk.clock.now() - stream.started_at).total_seconds() if stream else 0.0
    if stream is None or not stream.is_live or age_s > limits.STREAM_LIFE_S:
        raise Refused("message_not_in_streaming_state")
    return channel, message


def _grow(message: Message, arguments: Arguments) -> None:
    """Add what a call brings to a streamed message, and lay it out as blocks."""
    stream = message.stream
    if stream is None:
        raise Refused("message_not_in_streaming_state")
    markdown = arguments.text("markdown_text")
    if len(markdown) > limits.STREAM_CHARACTERS:
        raise Refused("msg_too_long")
    stream.markdown += markdown
    for chunk in arguments.items("chunks"):
        _take_chunk(stream, chunk)
    message.text = stream.markdown
    message.blocks = _laid_out(stream)


def _take_chunk(stream: Stream, chunk: Json) -> None:
    kind = chunk.get("type") if isinstance(chunk, dict) else None
    if kind == "markdown_text":
        stream.markdown += chunk.get("text", "")
    elif kind == "plan_update":
        stream.title = chunk.get("title", "")
    elif kind == "blocks":
        stream.blocks += require_blocks(chunk.get("blocks", []), Surface.MESSAGE)
    elif kind == "task_update" and chunk.get("id") and chunk.get("status") in _STATUSES:
        stream.tasks[chunk["id"]] = stream.tasks.get(chunk["id"], {}) | chunk
    else:
        raise Refused("invalid_chunks")


def _laid_out(stream: Stream) -> list[Json]:
    blocks: list[Json] = []
    tasks = [_task(one) for one in stream.tasks.values()]
    if tasks and stream.mode == "plan":
        blocks.append({"type": "plan", "block_id": "plan", "title": stream.title or "Working", "tasks": tasks})
    else:
        shown = [{**task, "status": "in_progress" if task["status"] == "pending" else task["status"]} for task in tasks]
        blocks += [{"type": "task_card", "block_id": task["task_id"], **task} for task in shown]
    if stream.markdown:
        # Slack cuts long streams into several blocks itself.
        pieces = range(0, len(stream.markdown), limits.MARKDOWN_TEXT)
        blocks += [{"type": "markdown", "text": stream.markdown[at : at + limits.MARKDOWN_TEXT]} for at in pieces]
    return [*blocks, *stream.blocks]


def _task(chunk: Json) -> Json:
    task: Json = {"task_id": chunk["id"], "title": chunk.get("title", chunk["id"]), "status": chunk["status"]}
    for name in ("details", "output"):
        if chunk.get(name):
            section = {"type": "rich_text_section", "elements": [{"type": "text", "text": chunk[name]}]}
            task[name] = {"type": "rich_text", "elements": [section]}
    return task | ({"sources": chunk["sources"]} if chunk.get("sources") else {})


METHODS = (
    Method("chat.startStream", start_stream, ("chat:write",)),
    Method("chat.appendStream", append_stream, ("chat:write",)),
    Method("chat.stopStream", stop_stream, ("chat:write",)),
    Method("assistant.threads.setStatus", set_status, ("chat:write", "assistant:write")),
    Method("assistant.threads.setTitle", set_title, ("assistant:write",)),
    Method("assistant.threads.setSuggestedPrompts", set_suggested_prompts, ("assistant:write",)),
    Method("reactions.add", add_reaction, ("reactions:write",)),
    Method("reactions.remove", remove_reaction, ("reactions:write",)),
)
