"""Reject and Ask for changes: a form asks why, and its submission is the press."""

from typing import Any

from slack_bolt import Ack, App, BoltContext

from bot.domain.words import Verb
from bot.slack import answers, ids
from bot.slack.cards.question import reason_form
from bot.slack.chat import SlackChat
from bot.slack.payloads import Pressed, Submitted
from bot.work import decide
from bot.work.decide import Answer
from bot.work.parts import Parts

FORMS = {
    Verb.REJECT: ("Reject", "Why should this not run?", "Reject"),
    Verb.ASK_CHANGES: ("Ask for changes", "What should be different?", "Send"),
}


def register(app: App, parts: Parts, chat: SlackChat) -> None:
    """Slack gives three seconds to open the form, so nothing is looked up before."""

    def ask(body: dict[str, Any], ack: Ack) -> None:
        pressed = Pressed.read(body)
        title, label, submit = FORMS[Verb(pressed.action_id)]
        form = reason_form(title, label, pressed.origin.written(), submit)
        is_open = answers.open_modal(chat, pressed.trigger_id, form)
        ack()
        if not is_open:
            answers.whisper(chat, pressed.origin, pressed.user_id, answers.TOO_LATE)

    def press(body: dict[str, Any], context: BoltContext, ack: Ack) -> None:
        sent = Submitted.read(body)
        person = answers.presser(chat, sent.user_id)
        reason = sent.values[ids.REASON_BLOCK]
        verb, on = Verb(sent.origin.verb), sent.origin.message
        answer = Answer(answers.NOT_KNOWN, accepted=False)
        if person:
            answer = decide.press(parts, sent.origin.press_id, verb, person, on, reason)
        context["answer"] = answer.text if answer.accepted else ""  # a refusal stands in the form itself
        if answer.accepted:
            ack()
        else:
            ack(response_action="errors", errors={ids.REASON_BLOCK: answers.plainly(chat, answer.text)})

    def tell(body: dict[str, Any], context: BoltContext) -> None:
        sent = Submitted.read(body)
        if text := context.get("answer", answers.LOST):
            answers.whisper(chat, sent.origin, sent.user_id, text)

    for verb in FORMS:
        app.action(verb.value)(ask)
    app.view(ids.REASON_FORM)(ack=press, lazy=[tell])
