"""Every byte of a plan on pages of a modal; Approve, where a card could not hold it, stands on the last page."""

from dataclasses import dataclass

import slackblocks as sb

from bot.domain.views import Button
from bot.domain.words import Verb
from bot.slack import ids
from bot.slack.cards.blocks import Json, code, modal, note, paragraph, text
from bot.slack.cards.buttons import button
from bot.slack.text import clip, pieces

PAGE = 8_000
"""Characters on a page: three preformatted elements, far under what a view may hold."""


@dataclass(frozen=True)
class Pages:
    """A plan to leaf through. `approve_press_id` is empty where the card itself has the button."""

    title: str
    text: str
    press_id: str
    approve_press_id: str = ""

    @property
    def texts(self) -> list[str]:
        return pieces(self.text, PAGE) or ["(empty)\n"]


def view(pages: Pages, number: int, metadata: str) -> Json:
    """Page `number`, from 0; a number outside becomes the nearest page."""
    texts = pages.texts
    number = max(0, min(number, len(texts) - 1))
    blocks: list[sb.Block] = [
        note(f"{clip(pages.title, 200)} · page {number + 1} of {len(texts)}"),
        *code(texts[number]),
    ]
    is_last = number == len(texts) - 1
    buttons = _turning(pages, number, is_last=is_last)
    if is_last and pages.approve_press_id:
        approve = Button(Verb.APPROVE, pages.approve_press_id)
        buttons.append(button(approve, f"{pages.title}: every byte on these {len(texts)} pages."))
        blocks.append(paragraph(text("You have seen every byte of this plan.", bold=True)))
    if buttons:
        blocks.append(sb.ActionsBlock([*buttons]))
    return modal("The whole plan", blocks, callback_id=ids.PAGES, metadata=metadata)


def _turning(pages: Pages, number: int, *, is_last: bool) -> list[sb.Button]:
    """Back and Next; the value says which press the pages belong to, and which page comes."""
    turns = [] if number == 0 else [("Back", ids.PREVIOUS_PAGE, number - 1)]
    turns += [] if is_last else [("Next", ids.NEXT_PAGE, number + 1)]
    return [
        sb.Button(sb.PlainText(label), action_id=action_id, value=f"{to}:{pages.press_id}")
        for label, action_id, to in turns
    ]
