"""The part of the approval card that says what the plan would not notice."""

from collections.abc import Sequence

from bot.domain.views import ApprovalView, HearingView
from bot.slack.cards.blocks import Part, paragraph, text, titled_bullets
from bot.slack.cards.facts import TIGHT, Limits
from bot.slack.text import clip

PAGE_TITLE = "What it would not notice"
"""The pages call the whole list so; the card sends people there."""


def hearing(view: ApprovalView, limits: Limits) -> Part:
    """What people decide on here is what stays deaf; so it is either all there, or the card has no Approve."""
    found = view.hearing
    if found is None:
        return Part([])
    if found.problem:
        words = f"Not tested against changed files: {clip(found.problem, limits.words)}"
        return Part([paragraph(text("What it would notice  ", bold=True), text(words))])
    lines, is_whole = _deaf(found, limits)
    if not lines:
        return Part([paragraph(text("What it would notice  ", bold=True), text(_score(found)))])
    return Part([titled_bullets(f"What it would notice: {_score(found)}", [[text(line)] for line in lines])], is_whole)


def _score(found: HearingView) -> str:
    if not found.fit:
        return "I know no change that fits these files, so nothing was tried"
    said = f"I tried {found.fit} ways in which these files could change; it copes with {found.well}"
    return said + (f" (there was no time for {found.not_tried} more)" if found.not_tried else "")


def _deaf(found: HearingView, limits: Limits) -> tuple[list[str], bool]:
    """Deaf rows first, the most serious at the top; then those that break it, and checks nothing made fire."""
    long = min(160, limits.item * 2)
    lines = [f"It would not notice if {clip(says, long)}" for says in found.deaf[: limits.items]]
    room = limits.items - len(lines)
    lines += [f"It would stop without saying why if {clip(says, long)}" for says in found.broke[:room]]
    rest = len(found.deaf) + len(found.broke) - len(lines)
    lines += [f"{rest} less serious ones stand on the page “{PAGE_TITLE}” (Show all)"] if rest else []
    is_whole = not rest
    if found.never_fired:
        lines += _never_fired(found.never_fired, limits)
    return lines, is_whole


def _never_fired(names: Sequence[str], limits: Limits) -> list[str]:
    said = f"Nothing that was tried set off these checks: {', '.join(names)}"
    return [clip(said, limits.words if limits is TIGHT else max(limits.words, 400))]
