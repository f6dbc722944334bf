"""The message shortcut: for now it explains how to ask."""

from typing import Any

from slack_bolt import Ack, App

from bot.slack import answers, ids
from bot.slack.cards.question import notice
from bot.slack.chat import SlackChat

HOW_TO_ASK = (
    "Mention Standby in this message's thread, say what should come back and how often: it uses the thread's files. "
    "It looks at a small sample, shows the script that it would run, and a teammate approves it."
)


def register(app: App, chat: SlackChat) -> None:
    def shortcut(body: dict[str, Any], ack: Ack) -> None:
        ack()
        answers.open_modal(chat, body["trigger_id"], notice("Recurring report", HOW_TO_ASK))

    app.shortcut(ids.MAKE_ROUTINE)(shortcut)
