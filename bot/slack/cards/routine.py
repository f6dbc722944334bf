"""One routine in full: short lines that a phone shows, and the way to its script and its thread."""

import slackblocks as sb

from bot.domain.counts import counted
from bot.domain.overview import RoutineView, SlotLine
from bot.slack import ids
from bot.slack.cards.blocks import (
    Rendered,
    header,
    lines,
    message,
    note,
    paragraph,
    quote,
    text,
    titled_bullets,
    user,
    weight,
    with_channels,
)
from bot.slack.cards.facts import RUNGS
from bot.slack.cards.routines import STATES, glance, slot, when
from bot.slack.text import clip, fallback

ROOM = 10_500
FILES, VERSIONS = 12, 6
CHECKS = (20, 8, 3)
"""How many checks are said in words: as many as there is room for."""


def render(view: RoutineView) -> Rendered:
    layouts = [_blocks(view, checks) for checks in CHECKS]
    blocks = next((one for one in layouts if weight(one) <= ROOM), layouts[-1])
    spoken = f"{view.line.title}: {STATES[view.line.state]}. {when(view.line)}"
    return Rendered(fallback(spoken), message(blocks))


def _blocks(view: RoutineView, checks: int) -> list[sb.Block]:
    blocks: list[sb.Block] = [header(clip(view.line.title, 100)), *glance(view.line, has_title=False)]
    if view.request:
        blocks += [paragraph(user(view.asked_by), text(" asked:")), quote(view.request, 500)]
    blocks += [_facts(view), *_checks(view, checks), *_slots(view.slots), *_versions(view), _ways(view)]
    return blocks


def _facts(view: RoutineView) -> sb.RichTextBlock:
    said = (
        ("Made from", with_channels(RUNGS.get(view.rung, view.rung)), view.rung),
        ("Next", with_channels(clip(" · ".join(view.next_times), 200)), view.next_times),
        ("Slots", with_channels(clip(" ".join(view.terms), 400)), view.terms),
        ("Reads", with_channels(clip(view.reads, 300)), view.reads),
        ("Files", with_channels(_files(view.files)), view.files),
        ("Sends to", with_channels(clip("; ".join(view.line.sends) or "nobody", 600)), True),
        ("Shaped by", _people(view.shaped_by), view.shaped_by),
        ("Approved by", _approved(view), True),
    )
    pairs = [(label, runs) for label, runs, is_said in said if is_said]
    return lines(pairs)


def _files(names: tuple[str, ...]) -> str:
    more = len(names) - FILES
    shown = ", ".join(clip(one, 60) for one in names[:FILES])
    return f"{shown} and {more} more" if more > 0 else shown


def _people(found: tuple[str, ...]) -> list[sb.RichTextElement]:
    runs: list[sb.RichTextElement] = []
    for number, one in enumerate(found[:5]):
        runs += [*([text(", ")] if number else []), user(one)]
    return runs


def _approved(view: RoutineView) -> list[sb.RichTextElement]:
    digest = [text(", digest "), text(view.digest[:8], code=True)]
    if not view.approved_by:
        return [text("nobody yet"), *digest]
    when = text(f", version {view.line.version}, {clip(view.approved_at, 40)}")
    since = f" stands for it since {clip(view.vouched_at, 40)}" if view.vouched_at else " stands for it"
    stands = [text("; "), user(view.vouched_by), text(since)] if view.vouched_by else []
    return [user(view.approved_by), when, *digest, *stands]


def _checks(view: RoutineView, most: int) -> list[sb.Block]:
    if not view.checks:
        return []
    said = [[text(clip(says, 160))] for _, says in view.checks[:most]]
    names = ", ".join(clip(name, 40) for name, _ in view.checks[most:])
    more = [[text(f"and {clip(names, 300)}")]] if names else []
    return [titled_bullets("It halts, and reports nothing, unless", [*said, *more])]


def _slots(slots: tuple[SlotLine, ...]) -> list[sb.Block]:
    if not slots:
        return [paragraph(text("Latest  ", bold=True), text("it has not run yet"))]
    return [paragraph(text("Latest", bold=True)), *(slot(one, 120) for one in slots)]


def _versions(view: RoutineView) -> list[sb.Block]:
    found = view.versions.versions
    more = view.versions.more + max(0, len(found) - VERSIONS)
    said = [f"{one.version} ({'current' if one.is_current else one.state}, {one.made})" for one in found[:VERSIONS]]
    return [note(f"Versions: {', '.join(said)}{f' and {more} older' if more else ''}")]


def _ways(view: RoutineView) -> sb.ActionsBlock:
    count = f" ({counted(view.script_lines, 'line')})" if view.script_lines else ""
    one = view.line
    return sb.ActionsBlock(
        [
            sb.Button(sb.PlainText(f"Show the script{count}"), action_id=ids.SCRIPT, value=view.pages_key),
            sb.Button(sb.PlainText("Open its thread"), action_id=ids.OPEN_LINK, url=one.thread_url),
        ]
    )
