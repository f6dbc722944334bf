"""Show all: every file of the plan, page by page; and what was sent to the model, in the same way."""

from typing import Any

from slack_bolt import Ack, App

from bot.domain.words import Verb
from bot.slack import answers, ids
from bot.slack.answers import plainly
from bot.slack.cards import pages as cards
from bot.slack.chat import SlackChat
from bot.slack.payloads import Pressed
from bot.work import decide
from bot.work.instruct import Refused
from bot.work.one_routine import routine_pages
from bot.work.parts import Parts
from bot.work.sent import sent_pages

UNKNOWN = "I do not know this button any more; nothing was changed. Use the newest card in the thread."


def register(app: App, parts: Parts, chat: SlackChat) -> None:
    """Pages are read afresh at each turn: what is shown is what is stored."""

    def read(press_id: str, user_id: str) -> cards.Pages | str:
        """The pages, or why this person does not see them."""
        person = answers.presser(chat, user_id)
        if person is None:
            return answers.NOT_KNOWN
        try:
            found = (
                decide.pages(parts, press_id, person)
                or sent_pages(parts, press_id, person)
                or routine_pages(parts, press_id, person)
            )
        except Refused as refused:
            return str(refused)
        if found is None:
            return UNKNOWN
        return cards.Pages(found.title, found.files, press_id, found.approve_press_id, plainly(chat, found.why_not))

    def open_first(body: dict[str, Any], ack: Ack) -> None:
        pressed = Pressed.read(body)
        pages = read(pressed.value, pressed.user_id)
        if isinstance(pages, str):
            said = pages
        else:
            view = cards.view(pages, 0, pressed.origin.written())
            said = "" if answers.open_modal(chat, pressed.trigger_id, view) else answers.TOO_LATE
        ack()
        if said:
            answers.whisper(chat, pressed.origin, pressed.user_id, said)

    def turn(body: dict[str, Any], ack: Ack) -> None:
        pressed = Pressed.read(body)
        number, _, press_id = pressed.value.partition(":")
        pages = read(press_id, pressed.user_id)
        if isinstance(pages, str):
            answers.show_in_modal(chat, pressed.view_id, pages)
        else:
            view = cards.view(pages, int(number), pressed.metadata)
            answers.turn_page(chat, pressed, view)
        ack()

    app.action(Verb.SHOW_ALL.value)(open_first)
    app.action(Verb.SHOW_SENT.value)(open_first)
    app.action(ids.SCRIPT)(open_first)
    app.action(ids.NEXT_PAGE)(turn)
    app.action(ids.PREVIOUS_PAGE)(turn)
