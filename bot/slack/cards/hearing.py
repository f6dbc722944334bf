"""The part of the approval card that says what the plan would not notice."""

from collections.abc import Sequence

from bot.domain.views import ApprovalView, HearingView
from bot.slack.cards.blocks import Part, paragraph, text, titled_bullets
from bot.slack.cards.facts import MORE, Limits
from bot.slack.text import clip, units


def hearing(view: ApprovalView, limits: Limits) -> Part:
    """What people decide on here is what stays deaf; so it is either all there, or the card has no Approve."""
    found = view.hearing
    if found is None:
        return Part([])
    if found.problem:
        return Part([paragraph(text("Hearing test  ", bold=True), text(clip(found.problem, limits.words)))])
    lines, is_whole = _deaf(found, limits)
    if not lines:
        return Part([paragraph(text("Hearing test  ", bold=True), text(_score(found)))])
    title = f"Hearing test: {_score(found)}"
    return Part([titled_bullets(title, [[text(line)] for line in lines])], is_whole)


def _score(found: HearingView) -> str:
    if not found.fit:
        return "no change that I know fits this data, so nothing was tried"
    said = f"of {found.fit} ways in which this data could change, it notices or stands {found.well}"
    if found.alone < found.well:
        said += f", {found.alone} of them without Standby's comparison of shapes"
    return said + (f"; {found.not_tried} were not reached in time" if found.not_tried else "")


def _deaf(found: HearingView, limits: Limits) -> tuple[list[str], bool]:
    """Deaf rows first; then those that break it, and checks nothing made fire."""
    long = min(160, limits.item * 2)
    lines = [f"If {clip(says, long)}, this report would not notice" for says in found.deaf[: limits.items]]
    room = limits.items - len(lines)
    lines += [f"If {clip(says, long)}, it would break without saying why" for says in found.broke[:room]]
    rest = len(found.deaf) + len(found.broke) - len(lines)
    lines += [f"and {rest} more ({MORE})"] if rest else []
    is_whole = not rest
    if found.never_fired:
        lines += _never_fired(found.never_fired, limits)
    return lines, is_whole


def _never_fired(names: Sequence[str], limits: Limits) -> list[str]:
    said = f"Nothing that was tried made these checks fire: {', '.join(names)}"
    return [said if units(said) <= limits.words else clip(said, limits.words)]
