"""How a press is answered: to the presser alone, where they pressed."""

from typing import Any

from bot.domain.errors import ChatError, ChatRefused
from bot.domain.people import Person
from bot.log import log
from bot.slack.cards.question import notice
from bot.slack.chat import SlackChat
from bot.slack.payloads import Origin, Pressed
from bot.slack.text import MENTION

LOST = (
    "Something went wrong on Standby's side while it took this press, so it probably changed nothing. "
    "Look at the card: if it still has its buttons, press again."
)
NOT_KNOWN = (
    "Slack does not tell me just now who you are, and without that nobody decides or sees anything here. Nothing was "
    "changed. Please press again in a minute."
)
NO_ANSWER = (
    "Slack does not answer me just now, and without its word on who somebody is and what they may see, nothing is "
    "shown or done here. Nothing was changed. Please try again in a minute."
)
TOO_LATE = "Slack closed the window for opening a form before Standby could. Please press the button again."


def presser(chat: SlackChat, user_id: str) -> Person | None:
    """Who pressed, as the workspace has them now; None where it does not say: then `NOT_KNOWN` is the answer."""
    try:
        return chat.person(user_id)
    except ChatError as error:
        log.warning("presser_not_known", person=user_id, reason=str(error))
        return None


def whisper(chat: SlackChat, origin: Origin, user_id: str, text: str) -> None:
    """Tell the presser; where Slack does not let us, the log has it."""
    try:
        chat.whisper(origin.channel_id, user_id, text, thread_ts=origin.thread_ts)
    except ChatError as error:
        log.warning("answer_not_shown", press=origin.press_id, reason=str(error))


def open_modal(chat: SlackChat, trigger_id: str, view: dict[str, Any]) -> bool:
    """Open a modal within the three seconds that Slack gives; False when they are over."""
    try:
        chat.open_modal(trigger_id, view)
    except ChatRefused as error:
        log.warning("modal_not_opened", reason=str(error))
        return False
    return True


def show_in_modal(chat: SlackChat, view_id: str, text: str) -> None:
    """Replace what a modal shows by the answer."""
    try:
        chat.change_modal(view_id, notice("Standby", plainly(chat, text)))
    except ChatError as error:
        log.warning("answer_not_shown", view=view_id, reason=str(error))


def turn_page(chat: SlackChat, pressed: Pressed, view: dict[str, Any]) -> None:
    """Show the page where the modal is still as it was pressed; of two quick presses the second comes too late."""
    try:
        chat.change_modal(pressed.view_id, view, pressed.view_hash)
    except ChatRefused as error:
        log.info("page_not_turned", view=pressed.view_id, reason=str(error))


def plainly(chat: SlackChat, text: str) -> str:
    """The sentence with people's names in place of mentions, for where Slack shows plain text alone."""
    return MENTION.sub(lambda found: _named(chat, found.group(1)), text)


def _named(chat: SlackChat, token: str) -> str:
    return chat.name_of(token[1:]) if token.startswith("@") else token
