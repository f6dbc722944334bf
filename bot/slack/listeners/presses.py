"""Buttons that act at once: approve, rerun, skip, pause, go on."""

from typing import Any

from slack_bolt import Ack, App, BoltContext

from bot.domain.words import Verb
from bot.slack import answers
from bot.slack.cards.question import second_look
from bot.slack.chat import SlackChat
from bot.slack.payloads import Pressed
from bot.work import decide
from bot.work.parts import Parts

AT_ONCE = (
    Verb.APPROVE,
    Verb.APPROVE_WITHOUT,
    Verb.RERUN,
    Verb.SKIP,
    Verb.PAUSE,
    Verb.SEND_ANYWAY,
    Verb.ARRIVED,
    Verb.GO_ON,
)


def register(app: App, parts: Parts, chat: SlackChat) -> None:
    """The press is decided before Slack is told that we have it, and answered after."""

    def press(body: dict[str, Any], context: BoltContext, ack: Ack) -> None:
        pressed = Pressed.read(body)
        context["answer"] = answers.NOT_KNOWN
        if person := answers.presser(chat, pressed.user_id):
            answer = decide.press(parts, pressed.value, Verb(pressed.action_id), person, pressed.origin.message)
            context["answer"], context["second"] = answer.text, answer.second_press_id
        ack()

    def tell(body: dict[str, Any], context: BoltContext) -> None:
        pressed = Pressed.read(body)
        text = context.get("answer", answers.LOST)
        if second := context.get("second", ""):
            show_second(pressed, second, text)
        elif pressed.view_id:
            answers.show_in_modal(chat, pressed.view_id, text)
        else:
            answers.whisper(chat, pressed.origin, pressed.user_id, text)

    def show_second(pressed: Pressed, press_id: str, text: str) -> None:
        view = second_look(text, press_id, pressed.origin.written())
        if pressed.view_id:
            chat.change_modal(pressed.view_id, view)
        elif not answers.open_modal(chat, pressed.trigger_id, view):
            answers.whisper(chat, pressed.origin, pressed.user_id, answers.TOO_LATE)

    for verb in AT_ONCE:
        app.action(verb.value)(ack=press, lazy=[tell])
