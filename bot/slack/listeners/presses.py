"""Buttons that act at once: approve, rerun, skip, pause, go on."""

from typing import Any

from slack_bolt import Ack, App, BoltContext

from bot.domain.words import Verb
from bot.slack import answers
from bot.slack.chat import SlackChat
from bot.slack.payloads import Pressed
from bot.work import decide
from bot.work.parts import Parts

AT_ONCE = (Verb.APPROVE, Verb.RERUN, Verb.SKIP, Verb.PAUSE, Verb.GO_ON)


def register(app: App, parts: Parts, chat: SlackChat) -> None:
    """The press is decided before Slack is told that we have it, and answered after."""

    def press(body: dict[str, Any], context: BoltContext, ack: Ack) -> None:
        pressed = Pressed.read(body)
        person = chat.person(pressed.user_id)
        answer = decide.press(parts, pressed.value, Verb(pressed.action_id), person)
        context["answer"] = answer.text
        ack()

    def tell(body: dict[str, Any], context: BoltContext) -> None:
        pressed = Pressed.read(body)
        text = context.get("answer", answers.LOST)
        if pressed.view_id:
            answers.show_in_modal(chat, pressed.view_id, text)
        else:
            answers.whisper(chat, pressed.origin, pressed.user_id, text)

    for verb in AT_ONCE:
        app.action(verb.value)(ack=press, lazy=[tell])
