"""The approval card. Computed from the plan's bytes; no Approve button where a decisive part is not shown in full."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

import slackblocks as sb

from bot.domain.counts import counted
from bot.domain.slots import moment_words
from bot.domain.views import ApprovalView, DecisionWords
from bot.domain.words import Verb
from bot.slack.cards import facts
from bot.slack.cards.blocks import (
    MESSAGE_WEIGHT,
    Part,
    Rendered,
    code,
    first_lines,
    header,
    lines,
    message,
    note,
    ours,
    paragraph,
    text,
    user,
    weight,
)
from bot.slack.cards.buttons import actions
from bot.slack.cards.change import change
from bot.slack.cards.facts import DECISIVE, DENSE, GENEROUS, LEAN, MODEST, MORE, TIGHT, Limits
from bot.slack.cards.hearing import hearing
from bot.slack.cards.report import lay_out
from bot.slack.text import clip, fallback

MOST_BLOCKS = 50


def render(view: ApprovalView) -> Rendered:
    """The card with all of the script where it fits, else with its beginning and the way to the rest."""
    blocks = _fitting(view)
    return Rendered(text=fallback(_spoken(view)), blocks=message(blocks))


def _fitting(view: ApprovalView) -> list[sb.Block]:
    """The fullest layout that fits and shows all that is decided on; else the fullest without the script.

    The script goes before anything else is cut: its pages hold it better than a card does.
    """
    layouts = [_laid_out(view, limits, whole_script=True) for limits in (GENEROUS, MODEST, DECISIVE, DENSE)]
    without = [_laid_out(view, limits, whole_script=False) for limits in (GENEROUS, MODEST, DECISIVE, LEAN, TIGHT)]
    whole = [layout for layout in (*layouts, *without) if layout.fits and layout.is_whole]
    return [*whole, *(layout for layout in without if layout.fits), without[-1]][0].blocks


@dataclass(frozen=True)
class _Layout:
    """A card, and whether everything that is decided on stands on it in full."""

    blocks: list[sb.Block]
    is_whole: bool

    @property
    def fits(self) -> bool:
        return weight(self.blocks) <= MESSAGE_WEIGHT and len(self.blocks) <= MOST_BLOCKS


def _laid_out(view: ApprovalView, limits: Limits, *, whole_script: bool) -> _Layout:
    parts = [
        Part([header(_title(view))]),
        decided(view.decision, limits) if view.decision else Part([]),
        facts.request(view, limits),
        facts.notes(view, limits),
        change(view, limits),
        facts.facts(view, limits),
        facts.slot_terms(view, limits),
        facts.checks(view, limits),
        facts.unclear(view, limits),
        hearing(view, limits),
        facts.kept(view, limits),
        facts.surprise(view, limits),
        facts.answer(view, limits),
        preview(view, limits),
        facts.parameters(view, limits),
        script(view, limits, whole_script=whole_script),
    ]
    blocks = [block for part in parts for block in part.blocks]
    is_whole = all(part.is_whole for part in parts)
    if view.decision is None:
        blocks += [*_where_approve_is(view, is_whole=is_whole), *_buttons(view, is_whole=is_whole)]
    blocks.append(note(f"{clip(view.routine, 80)} · version {view.version} · digest {view.digest[:8]}"))
    return _Layout(blocks, is_whole)


def _title(view: ApprovalView) -> str:
    title = clip(view.title, 100)
    if view.decision:
        return f"{title}: {clip(view.decision.words, 40)}"
    return f"{title}: {'a new version to review' if view.change else 'needs review'}"


def _spoken(view: ApprovalView) -> str:
    return f"{_title(view)} (version {view.version}, digest {view.digest[:8]})\n{view.schedule}\n{view.request}"


def decided(decision: DecisionWords, limits: Limits) -> Part:
    """Who, when, what and why, above everything else of a decided card."""
    runs = [
        *ours(clip(decision.words, 120), bold=True),
        *([text(" by "), user(decision.by)] if decision.by else []),
        text(f", {moment_words(decision.at)}{_zone_of(decision.at)}"),
    ]
    if decision.reason:
        runs.append(text(f". Reason: {clip(decision.reason, limits.words * 2)}"))
    return Part([paragraph(*runs)])


def _zone_of(at: datetime) -> str:
    """Said where it is not the schedule's, which stands on the card already."""
    return " UTC" if at.tzinfo is UTC else ""


def preview(view: ApprovalView, limits: Limits) -> Part:
    """The report that the rehearsal made, as far as it fits."""
    sheet = lay_out(replace(view.preview, foot=""), limits.preview, limits.preview * 2 // 3, is_preview=True)
    if not sheet.blocks:
        is_empty = not (view.preview.markdown.strip() or view.preview.tables or view.preview.charts)
        words = "has no room on this card; Show all has it on a page of its own"
        return Part([] if is_empty else [lines([("Preview of the report", [text(words)])])])
    title = paragraph(text("Preview of the report", bold=True), text("  made in rehearsal from the attached data"))
    rest = [note("The preview is shown in part; Show all has all of it.")] if sheet.is_cut else []
    return Part([sb.DividerBlock(), title, *sheet.blocks, *rest, sb.DividerBlock()])


def script(view: ApprovalView, limits: Limits, *, whole_script: bool) -> Part:
    """The script byte for byte, or its first lines with the words that say so."""
    count = counted(view.script.count("\n"), "line")
    if view.change is not None and view.change.is_script_same:
        same = f"  {count}, unchanged since version {view.change.from_version}; Show all has it in full"
        return Part([paragraph(text("The script", bold=True), text(same))])
    how = "in full" if whole_script else "its beginning"
    title = paragraph(text("The script", bold=True), text(f"  {count}, {how}"))
    if whole_script:
        return Part([title, *(code(view.script) or [paragraph(text("(empty)"))])])
    shown, _ = first_lines(view.script, limits.script)
    where = paragraph(text(f"The script ({count}) is {MORE}.", bold=True))
    return Part([title, *code(shown), where], is_whole=False)


def _where_approve_is(view: ApprovalView, *, is_whole: bool) -> list[sb.Block]:
    if is_whole or Verb.APPROVE not in {one.verb for one in view.buttons}:
        return []
    words = "This card does not hold all of the plan. Press Show all: who may approve finds Approve on the last page."
    return [paragraph(text(words, bold=True))]


def _buttons(view: ApprovalView, *, is_whole: bool) -> list[sb.ActionsBlock]:
    shown = [b for b in view.buttons if is_whole or b.verb is not Verb.APPROVE]
    what = f"{view.title}, version {view.version}, digest {view.digest[:8]}. Runs {view.schedule}. Sends to "
    return actions(shown, approving=what + ("; ".join(view.sends_said or view.sends) or "nobody") + ".")
