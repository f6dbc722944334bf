"""What a new version changes: checks that changed or are gone first, then new ones, the diff, and the replay."""

import slackblocks as sb

from bot.domain.views import ApprovalView
from bot.slack.cards.blocks import Part, code, first_lines, paragraph, text, titled_bullets
from bot.slack.cards.facts import MORE, Limits
from bot.slack.text import clip


def change(view: ApprovalView, limits: Limits) -> Part:
    """Empty for a first version. A diff that does not fit is cut at a line, and the part is then incomplete."""
    changed = view.change
    if changed is None:
        return Part([])
    blocks: list[sb.Block] = []
    is_whole = True
    for title, names in (
        ("⚠ Checks that this version removes", changed.checks_removed),
        ("⚠ Checks that this version may loosen", changed.checks_changed),
        ("Checks that it adds", changed.checks_added),
    ):
        if names:
            shown = [[text(clip(name, limits.item))] for name in names[: limits.items]]
            is_whole = is_whole and len(names) <= limits.items
            if len(names) > limits.items:
                shown.append([text(f"and {len(names) - limits.items} more ({MORE})", italic=True)])
            blocks.append(titled_bullets(title, shown))
    diff, is_cut = _diff(changed.diff, limits.diff)
    blocks += [paragraph(text(f"Changed since version {changed.from_version}", bold=True)), *diff]
    if is_cut:
        blocks.append(paragraph(text(f"The diff is {MORE}.", italic=True)))
    if changed.replay:
        lines = [[text(clip(line, limits.item))] for line in changed.replay[: limits.items]]
        blocks.append(titled_bullets("Replayed over earlier inputs", lines))
    return Part(blocks, is_whole and not is_cut)


def _diff(diff: str, limit: int) -> tuple[list[sb.RichTextBlock], bool]:
    """Whole lines of the diff, unchanged."""
    if not diff:
        return [paragraph(text("no byte of the script; only what surrounds it"))], False
    shown, is_cut = first_lines(diff, limit)
    return code(shown) or [paragraph(text("too long for this message"))], is_cut
