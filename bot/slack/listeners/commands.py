"""/standby: done or looked up, acknowledged, and answered to whoever typed it alone."""

from typing import Any

from slack_bolt import Ack, App, BoltContext, Respond

from bot.domain.errors import ChatError
from bot.domain.views import NoteView
from bot.log import log
from bot.slack import answers, ids
from bot.slack.cards import render
from bot.slack.text import door
from bot.work import command
from bot.work.parts import Parts


def register(app: App, parts: Parts) -> None:
    """The answer goes to the command's response_url: it may be blocks, and may come after the acknowledgement."""

    def hear(body: dict[str, Any], context: BoltContext, ack: Ack) -> None:
        text = door(body.get("text") or "")
        try:
            context["said"] = command.answer(parts, body["user_id"], body["channel_id"], text, body["trigger_id"])
        except ChatError as error:
            log.warning("command_not_answered", person=body["user_id"], reason=str(error))
            context["said"] = NoteView(answers.NO_ANSWER)
        ack()

    def tell(context: BoltContext, respond: Respond) -> None:
        card = render(context.get("said", NoteView(answers.LOST)))
        respond(
            text=card.text,
            blocks=card.blocks,
            response_type="ephemeral",
            replace_original=False,
            unfurl_links=False,
            unfurl_media=False,
        )

    app.command(ids.COMMAND)(ack=hear, lazy=[tell])
