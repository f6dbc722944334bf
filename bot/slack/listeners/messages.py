"""What people say where Standby can hear it: mentions, direct messages, replies, files."""

from typing import Any

from slack_bolt import Ack, App

from bot.slack import payloads
from bot.slack.chat import SlackChat
from bot.work import intake
from bot.work.amend import amend
from bot.work.parts import Parts


def register(app: App, parts: Parts, chat: SlackChat) -> None:
    """A mention arrives as `app_mention` and as `message`, in either order; `take` keeps one."""

    def hear(body: dict[str, Any], ack: Ack) -> None:
        if not payloads.is_from_bot(body["event"]):
            said = payloads.said(body, chat.team_id, chat.bot_user_id, chat.file_record)
            if said is not None:
                intake.take(parts, said)
            else:
                change(body)
        ack()

    def change(body: dict[str, Any]) -> None:
        intake.files_gone(parts, chat.team_id, *payloads.files_gone(body))
        if changed := payloads.amended(body, chat.team_id, chat.bot_user_id):
            amend(parts, changed)

    def forget_file(event: dict[str, Any], ack: Ack) -> None:
        intake.file_deleted(parts, chat.team_id, event["file_id"])
        ack()

    app.event("app_mention")(hear)
    app.event("message")(hear)
    app.event("file_deleted")(forget_file)
