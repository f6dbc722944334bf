"""Every byte of a plan on pages of a modal; Approve, where a card could not hold it, stands on the last one."""

from collections.abc import Iterator
from dataclasses import dataclass

import slackblocks as sb

from bot.domain.views import Button
from bot.domain.words import Verb
from bot.slack import ids
from bot.slack.cards.blocks import CODE_PIECE, Json, code, modal, note, paragraph, text
from bot.slack.cards.buttons import button
from bot.slack.text import clip, pieces, units

PAGE = 8_500
"""Characters on a page: three preformatted elements, far under what a view may hold."""

FILES_ON_PAGE = 20


@dataclass(frozen=True)
class Pages:
    """A plan to leaf through, file by file. `approve_press_id` is empty where the card itself has the button."""

    title: str
    files: tuple[tuple[str, str], ...]
    press_id: str
    approve_press_id: str = ""
    why_not: str = ""  # why this person gets no Approve

    def sheets(self) -> list[list[tuple[str, str]]]:
        """The pages, each as pieces of files; joined by name the pieces are the files."""
        sheets: list[list[tuple[str, str]]] = [[]]
        room = PAGE
        for name, piece in self._pieces():
            if units(piece) > room or len(sheets[-1]) >= FILES_ON_PAGE:
                sheets.append([])
                room = PAGE
            sheets[-1].append((name, piece))
            room -= units(piece)
        return sheets

    def _pieces(self) -> Iterator[tuple[str, str]]:
        for name, body in self.files:
            for piece in pieces(body, CODE_PIECE) or [""]:
                yield name, piece


def view(pages: Pages, number: int, metadata: str) -> Json:
    """Page `number`, from 0; a number outside becomes the nearest page."""
    sheets = pages.sheets()
    number = max(0, min(number, len(sheets) - 1))
    here = f"{clip(pages.title, 200)} · page {number + 1} of {len(sheets)}"
    controls = _controls(pages, number, len(sheets))
    blocks: list[sb.Block] = [note(here), *controls]
    above = ""
    for name, piece in sheets[number]:
        if name != above:
            blocks.append(paragraph(text(name, bold=True)))
        above = name
        blocks += code(piece) or [paragraph(text("(empty)", italic=True))]
    if number == len(sheets) - 1 and (pages.approve_press_id or pages.why_not):
        blocks.append(paragraph(text("These pages were every byte of the plan.", bold=True)))
        blocks += [note(clip(f"No Approve here. {pages.why_not}", 500))] if pages.why_not else []
    return modal("The whole plan", [*blocks, *controls], callback_id=ids.PAGES, metadata=metadata)


def _controls(pages: Pages, number: int, count: int) -> list[sb.Block]:
    """Back, Next and, on the last page, Approve: above a page and below it, so that nobody scrolls to turn one.

    A button's value says which page comes and which press the pages belong to.
    """
    is_last = number == count - 1
    turns = [] if number == 0 else [("Back", ids.PREVIOUS_PAGE, number - 1)]
    turns += [] if is_last else [("Next", ids.NEXT_PAGE, number + 1)]
    buttons = [
        sb.Button(sb.PlainText(label), action_id=action_id, value=f"{to}:{pages.press_id}")
        for label, action_id, to in turns
    ]
    if is_last and pages.approve_press_id:
        approve = Button(Verb.APPROVE, pages.approve_press_id)
        buttons.append(button(approve, f"{pages.title}: every byte on these {count} pages."))
    return [sb.ActionsBlock([*buttons])] if buttons else []
