"""A halted or failed slot: which surprise, what was seen and expected, and what happens now."""

import slackblocks as sb

from bot.domain.views import SurpriseView
from bot.domain.words import Cause
from bot.slack.cards.blocks import (
    Rendered,
    code,
    header,
    labelled,
    lines,
    message,
    naming,
    note,
    ours,
    paragraph,
    text,
    with_channels,
)
from bot.slack.cards.buttons import actions
from bot.slack.text import clip, fallback

HEADS = {
    Cause.SURPRISE: "Halted: {title}",
    Cause.SCRIPT_ERROR: "Script error: {title}",
    Cause.FAULT: "Fault: {title}",
}
MEANS = {
    Cause.SURPRISE: "The run halted before the report. Nothing was delivered.",
    Cause.SCRIPT_ERROR: "The script broke before the report. Nothing was delivered.",
    Cause.FAULT: "The run failed before the report. Nothing was delivered; the data is not known to be wrong.",
}


def render(view: SurpriseView) -> Rendered:
    said = f"{view.name}: {view.message}" if view.name else view.message
    blocks: list[sb.Block] = [
        header(HEADS[view.cause].format(title=clip(view.title, 120))),
        paragraph(*([text(f"{view.name}: ", bold=True)] if view.name else []), *_message(view)),
        paragraph(text(MEANS[view.cause], bold=True)),
        *_evidence(view),
    ]
    if view.times > 1:
        blocks.append(labelled("Repeats", f"this happened {view.times} times; the question about it is still open."))
    if view.next_step:
        blocks.append(paragraph(text("Now  ", bold=True), *ours(clip(view.next_step, 1_000))))
    blocks += actions(view.buttons)
    blocks.append(note(" · ".join(filter(None, [f"slot {view.slot}", view.routine, clip(view.foot, 500)]))))
    return Rendered(text=fallback(f"{HEADS[view.cause].format(title=view.title)}\n{said}"), blocks=message(blocks))


def _message(view: SurpriseView) -> list[sb.RichTextElement]:
    words = clip(view.message, 1_500)
    return naming(words, view.people) if view.people else [text(words)]


def _evidence(view: SurpriseView) -> list[sb.Block]:
    pairs = [("Seen", view.seen), ("Expected", view.expected)]
    found: list[sb.Block] = []
    if any(words for _, words in pairs):
        found.append(lines((name, with_channels(clip(words, 800))) for name, words in pairs if words))
    if view.rows:
        rows = "\n".join(clip(row, 300) for row in view.rows[:3])
        what = "Where it broke" if view.cause is Cause.SCRIPT_ERROR else "First lines of what was seen"
        found += [paragraph(text(what, bold=True)), *code(rows)]
    return found
