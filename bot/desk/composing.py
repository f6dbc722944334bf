"""What people type, in the form in which Slack hands it on: escaped, with mentions, channels and links marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bot.desk.api_files import store
from bot.desk.desk import Desk
from bot.desk.errors import BadRequest, Refused
from bot.desk.shapes import Channel, Message, Person
from bot.desk.state import Workspace

SLACKBOT = "USLACKBOT"
"""Under this id Slack says things of its own."""

_LINK = re.compile(r"\bhttps?://[^\s<>|]+[^\s<>|.,;:!?)\]'\"]")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_MENTION = re.compile(r"(?<![\w.+-])@([a-z][\w-]*)", re.IGNORECASE)
_CHANNEL = re.compile(r"(?<![\w&])#([a-z][\w-]*)", re.IGNORECASE)
# A mark that the typed text may already hold, and any mark.
_SENT_MARK = re.compile(r"(<[@#][A-Z0-9]+(?:\|[^<>]*)?>)")
_MARK = re.compile(r"(<[^<>]*>)")


def as_sent(workspace: Workspace, typed: str) -> str:
    """The text of the message that these keystrokes make. Mentions already in Slack's form stay as they are."""
    pieces = _SENT_MARK.split(typed)
    return "".join(piece if _SENT_MARK.fullmatch(piece) else _marked(workspace, piece) for piece in pieces)


def _marked(workspace: Workspace, text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _outside_marks(_LINK, text, lambda found: f"<{found[0]}>")
    text = _outside_marks(_EMAIL, text, lambda found: f"<mailto:{found[0]}|{found[0]}>")
    people = {person.name.casefold(): person.id for person in workspace.people.values()}
    channels = {one.name.casefold(): one for one in workspace.channels.values() if not one.is_im}

    def mention(found: re.Match[str]) -> str:
        person = people.get(found[1].casefold())
        return f"<@{person}>" if person else found[0]

    def channel(found: re.Match[str]) -> str:
        one = channels.get(found[1].casefold())
        return f"<#{one.id}|{one.name}>" if one else found[0]

    return _outside_marks(_CHANNEL, _outside_marks(_MENTION, text, mention), channel)


def _outside_marks(pattern: re.Pattern[str], text: str, replace: Callable[[re.Match[str]], str]) -> str:
    return "".join(piece if _MARK.fullmatch(piece) else pattern.sub(replace, piece) for piece in _MARK.split(text))


def post_as(
    desk: Desk, person: Person, channel: Channel, typed: str, files: Sequence[tuple[str, bytes]], thread_ts: str = ""
) -> Message:
    """Post what a person typed, with files. Raises Refused or BadRequest where Slack's own app would not let them."""
    if person.id not in channel.members:
        raise BadRequest(f"{person.real_name} is not in #{channel.name}.")
    if channel.is_archived:
        raise Refused("is_archived")
    if not typed.strip() and not files:
        raise BadRequest("There is nothing to post: write a text or attach a file.")
    if thread_ts and desk.workspace.find(channel.id, thread_ts) is None:
        raise Refused("thread_not_found")
    kept = [store(desk, name, person.id, data) for name, data in files]
    message = Message(channel.id, desk.clock.stamp(), person.id, as_sent(desk.workspace, typed), thread_ts=thread_ts)
    message.files = [file.id for file in kept]
    posted = desk.post(message)
    _say_who_is_missing(desk, person, channel, posted)
    return posted


def _say_who_is_missing(desk: Desk, person: Person, channel: Channel, message: Message) -> None:
    """What Slack itself tells whoever mentions an app in a channel that it is not in; the app hears of nothing."""
    bot = desk.workspace.bot
    if f"<@{bot.id}>" not in message.text or channel.is_im or bot.id in channel.members:
        return
    words = f"<@{bot.id}> is not in this channel, so it does not see this. Type `/invite @{bot.name}` to let it in."
    desk.post(
        Message(
            channel.id,
            desk.clock.stamp(),
            SLACKBOT,
            words,
            thread_ts=message.thread_ts,
            ephemeral_to=person.id,
        )
    )
