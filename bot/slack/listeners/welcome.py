"""Ways in that only explain for now: App Home, /standby, the message shortcut."""

from typing import Any

from slack_bolt import Ack, App

from bot.slack import answers, ids
from bot.slack.cards.home import HOW_TO_ASK, home
from bot.slack.cards.question import notice
from bot.slack.chat import SlackChat


def register(app: App, chat: SlackChat) -> None:
    def show_home(event: dict[str, Any], ack: Ack) -> None:
        if event.get("tab", "home") == "home":
            chat.show_home(event["user"], home(chat.bot_user_id))
        ack()

    def explain(ack: Ack) -> None:
        ack(text=HOW_TO_ASK, response_type="ephemeral")

    def shortcut(body: dict[str, Any], ack: Ack) -> None:
        ack()
        answers.open_modal(chat, body["trigger_id"], notice("Recurring report", HOW_TO_ASK))

    app.event("app_home_opened")(show_home)
    app.command(ids.COMMAND)(explain)
    app.shortcut(ids.MAKE_ROUTINE)(shortcut)
