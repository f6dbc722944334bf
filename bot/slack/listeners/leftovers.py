"""Whatever no other listener wants: acknowledged, so that Slack does not send it again, and logged."""

import re
from typing import Any

from slack_bolt import Ack, App

from bot.log import log
from bot.slack import answers
from bot.slack.chat import SlackChat
from bot.slack.payloads import Pressed

ANY = re.compile(r".*")
UNKNOWN = "I do not know this button; nothing was changed. Use the newest card in the thread."
# What ends Standby's work here or in a channel; an operator wants to read it.
LOUD = frozenset({"channel_archive", "member_left_channel"})


def register(app: App, chat: SlackChat) -> None:
    """Register this last: bolt asks listeners in the order of their registration."""

    def note_event(event: dict[str, Any], ack: Ack) -> None:
        kind = str(event.get("type"))
        (log.warning if kind in LOUD else log.debug)("slack_event", kind=kind, channel=event.get("channel"))
        ack()

    def unknown_button(body: dict[str, Any], ack: Ack) -> None:
        ack()
        pressed = Pressed.read(body)
        log.warning("unknown_button", action=pressed.action_id)
        if pressed.channel_id:
            answers.whisper(chat, pressed.origin, pressed.user_id, UNKNOWN)

    def nothing(ack: Ack) -> None:
        ack()

    app.event(ANY)(note_event)
    app.action(ANY)(unknown_button)
    app.view(ANY)(nothing)
    app.view_closed(ANY)(nothing)
    app.shortcut(ANY)(nothing)
    app.command(ANY)(nothing)
    app.options(ANY)(nothing)
