"""What a new version changes: checks that changed or are gone first, then new ones, the diff, and the replay."""

from collections.abc import Sequence

import slackblocks as sb

from bot.domain.views import ApprovalView
from bot.slack.cards.blocks import Part, code, first_lines, paragraph, text, titled_bullets
from bot.slack.cards.facts import MORE, TIGHT, Limits
from bot.slack.text import clean, clip, units

MOST_NAMED = 8
COUNTED = "These checks ask as before, and what they count is computed differently now"


def change(view: ApprovalView, limits: Limits) -> Part:
    """Empty for a first version. A diff that does not fit is cut at a line, and the part is then incomplete."""
    changed = view.change
    if changed is None:
        return Part([])
    blocks: list[sb.Block] = []
    is_whole = True
    for title, names in (
        ("⚠ Checks that this version removes", changed.checks_removed),
        ("⚠ Checks that this version loosens", changed.checks_loosened),
        ("Checks that it adds", changed.checks_added),
    ):
        if names:
            # Named in words before any diff, because a diff is what is cut first.
            most = max(limits.items, MOST_NAMED) if limits is not TIGHT else limits.items
            long = limits.item if limits is TIGHT else max(100, limits.item)
            shown = [[text(clip(name, long))] for name in names[:most]]
            is_whole = is_whole and len(names) <= most
            if len(names) > most:
                shown.append([text(f"and {len(names) - most} more ({MORE})", italic=True)])
            blocks.append(titled_bullets(title, shown))
    if changed.counted_otherwise:
        words = f"{COUNTED}: {', '.join(changed.counted_otherwise)}"
        blocks.append(paragraph(text(clip(words, 2 * limits.words))))
        is_whole = is_whole and units(clean(words)) <= 2 * limits.words
    diff, is_cut = _diff(changed.diff, limits.diff)
    blocks += [paragraph(text(f"Changed since version {changed.from_version}", bold=True)), *diff]
    if is_cut:
        blocks.append(paragraph(text(f"The diff is {MORE}.", italic=True)))
    if changed.replay:
        lines, is_all = _replay(changed.replay, limits)
        blocks.append(titled_bullets("Replayed over earlier inputs", [[text(line)] for line in lines]))
        is_whole = is_whole and is_all
    return Part(blocks, is_whole and not is_cut)


def _replay(said: Sequence[str], limits: Limits) -> tuple[list[str], bool]:
    """What becomes of earlier slots is what a fix is decided on: all of it, or no Approve."""
    most = max(limits.items, MOST_NAMED) if limits is not TIGHT else limits.items
    lines = [clip(line, limits.replay) for line in said[:most]]
    if more := len(said) - len(lines):
        lines.append(f"and {more} more ({MORE})")
    return lines, not more and all(units(clean(line)) <= limits.replay for line in said)


def _diff(diff: str, limit: int) -> tuple[list[sb.RichTextBlock], bool]:
    """Whole lines of the diff, unchanged."""
    if not diff:
        return [paragraph(text("no byte of the script; only what surrounds it"))], False
    shown, is_cut = first_lines(diff, limit)
    return code(shown) or [paragraph(text("too long for this message"))], is_cut
