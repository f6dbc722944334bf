"""A question's button opens its form; the form's submission is the answer."""

from typing import Any

from slack_bolt import Ack, App, BoltContext

from bot.domain.words import Verb
from bot.slack import answers, ids
from bot.slack.cards.question import form
from bot.slack.chat import SlackChat
from bot.slack.payloads import Pressed, Submitted
from bot.work import questions
from bot.work.decide import Answer
from bot.work.parts import Parts

ASKING = (Verb.ANSWER, Verb.KEEP, Verb.MOVE)
ANSWERED = "This question was answered already. Nothing was changed."


def register(app: App, parts: Parts, chat: SlackChat) -> None:
    def ask(body: dict[str, Any], ack: Ack) -> None:
        pressed = Pressed.read(body)
        question = questions.question(parts, pressed.value)
        said = ANSWERED
        if question is not None:
            is_open = answers.open_modal(chat, pressed.trigger_id, form(question, pressed.origin.written()))
            said = "" if is_open else answers.TOO_LATE
        ack()
        if said:
            answers.whisper(chat, pressed.origin, pressed.user_id, said)

    def take(body: dict[str, Any], context: BoltContext, ack: Ack) -> None:
        sent = Submitted.read(body)
        answer = Answer(answers.NOT_KNOWN, accepted=False)
        if person := answers.presser(chat, sent.user_id):
            answer = questions.answer(parts, sent.origin.press_id, person, sent.values)
        context["answer"] = answer.text if answer.accepted else ""  # a refusal stands in the form itself
        if answer.accepted:
            ack()
        else:
            first = next(iter(sent.values), ids.REASON_BLOCK)
            ack(response_action="errors", errors={first: answers.plainly(chat, answer.text)})

    def tell(body: dict[str, Any], context: BoltContext) -> None:
        sent = Submitted.read(body)
        if text := context.get("answer", answers.LOST):
            answers.whisper(chat, sent.origin, sent.user_id, text)

    for verb in ASKING:
        app.action(verb.value)(ask)
    app.view(ids.QUESTION_FORM)(ack=take, lazy=[tell])
