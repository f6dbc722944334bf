"""Routines at a glance: one in three lines with a strip of its latest slots; its history and its versions."""

from collections.abc import Sequence

import slackblocks as sb

from bot.domain.overview import HistoryView, RoutineLine, RoutinesView, SlotLine, VersionLine, VersionsView
from bot.domain.words import RoutineState, SlotState
from bot.slack import ids
from bot.slack.cards.blocks import (
    Json,
    Rendered,
    header,
    message,
    modal,
    naming,
    note,
    paragraph,
    sentence,
    text,
    user,
    weight,
    with_channels,
)
from bot.slack.text import clip, fallback

# A mark says it at a glance, the words behind it to whoever reads on, or hears it read.
MARKS = {
    SlotState.DUE: "…",
    SlotState.DELIVERING: "…",
    SlotState.DELIVERED: "✓",
    SlotState.HALTED: "✕",
    SlotState.FAILED: "✕",
    SlotState.BLOCKED: "✕",
    SlotState.SKIPPED: "–",
    SlotState.UNKNOWN: "?",
}
WORDS = {
    SlotState.DUE: "running",
    SlotState.DELIVERING: "being sent",
    SlotState.DELIVERED: "sent",
    SlotState.HALTED: "halted",
    SlotState.FAILED: "failed",
    SlotState.BLOCKED: "blocked",
    SlotState.SKIPPED: "skipped",
    SlotState.UNKNOWN: "perhaps not sent",
}
STATES = {
    RoutineState.DRAFT: "not approved yet",
    RoutineState.ACTIVE: "active",
    RoutineState.PAUSED: "paused",
    RoutineState.RETIRED: "retired",
}
ROOM = 10_500
MOST_EARLIER = 4  # of the earlier endings of one slot, the latest
WHY = (300, 120, 40)
"""Characters of one reason or sending: as many as a whole page of them leaves room for."""


def render(view: RoutinesView) -> Rendered:
    """As many as a message holds; how many more there are is said."""
    blocks: list[sb.Block] = [header(view.title)]
    left = 0
    for number, one in enumerate(view.routines):
        more = [*([sb.DividerBlock()] if number else []), *glance(one)]
        if weight([*blocks, *more]) > ROOM or len(blocks) > 44:
            left = len(view.routines) - number
            break
        blocks += more
    said = [f"{left} more do not fit here; the Home tab has all of them."] if left else []
    if rest := " ".join([*said, *([view.more] if view.more else [])]):
        blocks.append(note(rest))
    spoken = [f"{one.name}: {STATES[one.state]}. {when(one)}" for one in view.routines]
    return Rendered(fallback("\n".join([view.title, *spoken])), message(blocks))


def glance(one: RoutineLine, *, has_title: bool = True) -> list[sb.Block]:
    """Name, when, what waits and whose; then, smaller, how its latest slots ended and what it cost."""
    title = [text(clip(one.title, 150), bold=True), text("  ")] if has_title and one.name != one.title else []
    runs: list[sb.RichTextElement] = [*title, text(clip(one.name, 80), code=True), text(f"\n{when(one)}")]
    if one.waiting:
        said = clip(one.waiting, 200)
        runs.append(text(f"\n⚠ {said[:1].upper()}{said[1:]}", bold=True))
    runs += [text(f"\nVersion {one.version}, answered for by "), user(one.owner_id)]
    small = [*([strip(one)] if one.outcomes else []), *([f"Bill: {clip(one.bill, 200)}"] if one.bill else [])]
    return [paragraph(*runs), *(note(words) for words in small)]


def strip(one: RoutineLine) -> str:
    """The latest slots as marks, oldest first, and the same in words."""
    marks = " ".join(MARKS[state] for state in one.outcomes)
    counted = ", ".join(f"{one.outcomes.count(s)} {WORDS[s]}" for s in dict.fromkeys(reversed(one.outcomes)))
    return f"{marks}   {counted}; latest {one.latest}"


def when(one: RoutineLine) -> str:
    """Its schedule and next slot; its state, where it is not active."""
    if one.state is not RoutineState.ACTIVE:
        return f"{STATES[one.state].capitalize()}{f' ({clip(one.schedule, 120)})' if one.schedule else ''}"
    said = clip(one.schedule, 120) or "Only when somebody asks"
    return f"{said}, next {one.next_at}" if one.next_at else said


def render_history(view: HistoryView) -> Rendered:
    """The page as a message; the way to older ones is typed."""
    more = view.pages - view.page - 1
    older = f"Older: /standby history {clip(view.name, 80)} {view.page + 2}" if more else ""
    blocks = [header(f"Runs of {clip(view.name, 100)}"), *history_blocks(view), *([note(older)] if older else [])]
    spoken = [f"{one.when}: {WORDS[one.state]}" for one in view.slots]
    return Rendered(fallback("\n".join([view.name, *spoken])), message(blocks))


def history_modal(view: HistoryView) -> Json:
    blocks = history_blocks(view)
    turn: list[sb.Element] = [
        sb.Button(sb.PlainText(label), action_id=f"{ids.HISTORY_PAGE}_{label.lower()}", value=f"{view.routine_id}:{to}")
        for label, to in (("Newer", view.page - 1), ("Older", view.page + 1))
        if 0 <= to < view.pages
    ]
    if turn:
        blocks += [sb.ActionsBlock(turn), note(f"page {view.page + 1} of {view.pages}")]
    return modal("History", blocks, callback_id=ids.NOTICE)


def history_blocks(view: HistoryView) -> list[sb.Block]:
    if not view.slots:
        return [sentence("It has not run yet.")]
    head = note(f"{clip(view.name, 80)}, times in {clip(view.zone, 60)}")
    pages = [[head, *(slot(one, limit) for one in view.slots)] for limit in WHY]
    return next((page for page in pages if weight(page) <= ROOM), pages[-1])


def slot(one: SlotLine, limit: int) -> sb.RichTextBlock:
    """How one slot ended, or how it stands; `limit` characters for each reason and sending."""
    version = f", version {one.version}" if one.version else ""
    is_said = bool(one.people)  # “skipped by Bob” says that it was skipped
    runs: list[sb.RichTextElement] = [
        text(f"{MARKS[one.state]} "),
        text(f"{one.when}  ", bold=True),
        *(naming(clip(one.why, limit), one.people) if is_said else [text(f"{WORDS[one.state]}{version}")]),
    ]
    if one.left_out:
        runs.append(text(clip(f", without {', '.join(one.left_out)}", limit)))
    for ended in one.earlier[-MOST_EARLIER:]:
        runs.append(text(f"\n{clip(ended, limit)}"))
    if one.why and not is_said:
        runs += [text("\n"), *naming(clip(one.why, limit), one.people)]
    for sent in one.sent[:6]:
        runs += [text("\n"), *with_channels(clip(sent, limit))]
    if len(one.sent) > 6:
        runs.append(text(f"\nand {len(one.sent) - 6} more"))
    return paragraph(*runs)


def versions_modal(view: VersionsView) -> Json:
    blocks: list[sb.Block] = [note(clip(view.name, 80))]
    for one in view.versions:
        blocks += _version(one)
    if view.more:
        older = "1 older version is" if view.more == 1 else f"{view.more} older versions are"
        blocks.append(note(f"{older} not shown; the command standby audit lists them all."))
    return modal("Versions", blocks, callback_id=ids.NOTICE)


def _version(one: VersionLine) -> Sequence[sb.Block]:
    runs = [
        text(f"Version {one.version}", bold=True),
        text("  "),
        text(one.digest, code=True),
        text(f"  made {one.made}\n{one.state}"),
        *([text(" by "), user(one.by)] if one.by else []),
        *([text(", current")] if one.is_current else []),
    ]
    if not one.url:
        return [paragraph(*runs)]
    link = sb.Button(sb.PlainText("Open its card"), action_id=f"{ids.OPEN_LINK}_{one.version}", url=one.url)
    return [paragraph(*runs), sb.ActionsBlock([link])]


def hand_over_form(one: RoutineLine, metadata: str) -> Json:
    """Asks who answers for it from now on."""
    who = sb.UserSelectMenu(action_id=ids.FIELD, placeholder=sb.PlainText("Choose a teammate"))
    label = sb.PlainText(f"Who answers for {clip(one.name, 80)} from now on?")
    blocks = [
        sb.InputBlock(label=label, element=who, block_id=ids.REASON_BLOCK),
        paragraph(text("Now it is "), user(one.owner_id), text(". The owner is told what fails, and may give orders.")),
    ]
    return modal(
        "Hand over", blocks, callback_id=ids.HAND_OVER_FORM, metadata=metadata, submit="Hand over", close="Cancel"
    )
