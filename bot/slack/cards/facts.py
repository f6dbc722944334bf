"""The upper half of the approval card: what was asked, when it runs, what it reads, sends, checks and keeps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import slackblocks as sb

from bot.domain.views import ApprovalView, Change, CheckLine, Kept
from bot.slack.cards.blocks import Part, code, lines, paragraph, quote, text, titled_bullets, user, with_channels
from bot.slack.text import clean, clip, first_sentences, head, units

T = TypeVar("T")
Runs = Sequence[sb.RichTextElement]


@dataclass(frozen=True)
class Limits:
    """How much of each thing a card shows; characters, or items."""

    words: int
    items: int
    item: int
    parameters: int
    preview: int
    script: int
    diff: int
    terms: int = 600  # the usual ones need about 350; a card that cuts them has no Approve
    request: int = 1_200  # what was asked, word for word
    sends: int = 1_200  # every recipient, of all destinations together
    names: int = 1_000  # the names of all checks together
    replay: int = 400  # each line of what a new version makes of earlier inputs


GENEROUS = Limits(words=600, items=12, item=160, parameters=900, preview=2_400, script=1_500, diff=2_500)
MODEST = Limits(words=300, items=8, item=120, parameters=700, preview=1_200, script=900, diff=1_200)
DECISIVE = Limits(words=120, items=12, item=120, parameters=1_200, preview=600, script=900, diff=1_800)
"""Little room for what only explains, so that all that is decided on may stand on the card, and Approve with it."""
DENSE = Limits(words=90, items=6, item=80, parameters=1_200, preview=300, script=900, diff=1_800)
"""Every check by its name, the first with what it says: a proven script of 4,000 characters stands there in full."""
LEAN = Limits(words=56, items=4, item=56, parameters=400, preview=240, script=240, diff=400, terms=400, replay=200)
"""Whom it reaches, what was asked and what it checks still stand there in full; all else makes room for them."""
TIGHT = Limits(
    words=56, items=2, item=36, parameters=120, preview=240, script=240, diff=240, terms=120,
    request=160, sends=240, names=240, replay=100,
)  # fmt: skip
"""The worst of all cards stays under MESSAGE_WEIGHT with these; test_the_largest_card_fits builds it."""

MORE = "shown in part: open all pages"


def request(view: ApprovalView, limits: Limits) -> Part:
    return Part(
        [
            paragraph(user(view.asked_by), text(" asked:")),
            quote(view.request, limits.request),
            *([paragraph(text(clip(view.not_read, limits.request), bold=True))] if view.not_read else []),
        ],
        units(clean(view.request)) <= limits.request,
    )


def facts(view: ApprovalView, limits: Limits) -> Part:
    """Everything that is decided on besides the code. Cut recipients or times make the part incomplete."""
    sends, sends_whole = _joined(view.sends, limits)
    pairs: list[tuple[str, Runs]] = [
        ("Made from", [text(_origin(view, limits))]),
        ("Runs", [text(clip(view.schedule, 120))]),
        ("Next", [text(clip(" · ".join(view.next_times[:3]), 120))]),
        ("Reads", with_channels(clip(view.reads, limits.words))),
        ("Sends to", with_channels(sends)),
        ("Imports", [text(clip(", ".join(view.imports) or "nothing", limits.words))]),
        *([("Letters in its texts", [text(_letters(view, limits))])] if view.letters else []),
        ("Written by", [_author(view.author)]),
        *([("Shaped by", [user(one) for one in view.shaped_by[:5]])] if view.shaped_by else []),
    ]
    is_whole = sends_whole and units(view.reads) <= limits.words and units(view.schedule) <= 120
    return Part([lines(pairs)], is_whole)


# Each of the four ways in which a request is met, as people say it.
RUNGS = {
    "ad hoc": "ad hoc: an answer at once, nothing is kept",
    "plan first": "plan first: a short plan, then acted on",
    "plan as code": "a plan as code: a script written for this",
    "existing script": "an existing script, proven in the library",
}


def _origin(view: ApprovalView, limits: Limits) -> str:
    made = RUNGS.get(view.rung, view.rung)
    return f"{made}. {first_sentences(view.why, max(limits.words // 2, 90))}" if view.why else made


def _letters(view: ApprovalView, limits: Limits) -> str:
    """A Cyrillic letter that looks like a Latin one makes a text that fits nothing; nobody sees that without a name."""
    more = len(view.letters) - limits.items
    return clip("; ".join(view.letters[: limits.items]) + (f" and {more} more" if more > 0 else ""), limits.words)


def _author(author: str) -> sb.RichTextElement:
    """A person where it is a user id, else the words for who it is."""
    return user(author) if author else text("the library")


def _joined(items: Sequence[str], limits: Limits) -> tuple[str, bool]:
    """As many whole recipients as there is room for, and whether these are all."""
    shown: list[str] = []
    left = limits.sends
    for item in items:
        left -= units(clean(item)) + 2
        if left < 0:
            break
        shown.append(clean(item))
    rest = len(items) - len(shown)
    if rest:
        shown.append(f"{rest} {'more' if shown else 'long ones'} ({MORE})")
    return "; ".join(shown) or "nothing", not rest


def slot_terms(view: ApprovalView, limits: Limits) -> Part:
    """What happens to its slots; in one paragraph, because little of it is unusual."""
    if not view.slot_terms:
        return Part([])
    if view.change is not None and view.change.are_slots_same:
        return Part([lines([("Slots", [text(_as_before(view.change))])])])
    words = " ".join(view.slot_terms)
    room = limits.terms
    return Part([paragraph(text("Slots  ", bold=True), text(clip(words, room)))], units(words) <= room)


def checks(view: ApprovalView, limits: Limits) -> Part:
    if not view.checks:
        return Part([paragraph(text("Checks  ", bold=True), text("none"))])
    if view.change is not None and view.change.are_checks_same:
        return _same_checks(view, view.change, limits)
    said = [_check(line, limits) for line in view.checks[: limits.items]]
    names = [clean(line.name) for line in view.checks]
    rest, is_whole = _named(names[limits.items :], limits.names - sum(map(units, names[: limits.items])))
    more = [[text("and "), *rest]] if rest else []
    is_whole = is_whole and all(units(name) <= 60 for name in names[: limits.items])
    return Part([titled_bullets("It halts, and reports nothing, unless", [*said, *more])], is_whole)


def _as_before(change: Change) -> str:
    return f"as in version {change.from_version}"


def _same_checks(view: ApprovalView, change: Change, limits: Limits) -> Part:
    """By name: what each says stood on the card before, and stands on the pages."""
    names, is_whole = _named([clean(line.name) for line in view.checks], limits.names)
    title = text("It halts, and reports nothing, unless all hold  ", bold=True)
    return Part([paragraph(title, text(f"{_as_before(change)}: "), *names)], is_whole)


def _named(names: Sequence[str], room: int) -> tuple[list[sb.RichTextElement], bool]:
    """Names alone, where there is no room for what they say; and whether these are all."""
    shown = [name for number, name in enumerate(names) if sum(units(one) + 2 for one in names[: number + 1]) <= room]
    left = len(names) - len(shown)
    words: list[sb.RichTextElement] = [text(", ".join(shown), code=True)] if shown else []
    words += [text(f" and {left} more ({MORE})", italic=True)] if left else []
    return words, not left


def _check(line: CheckLine, limits: Limits) -> Runs:
    return [text(f"{clip(line.says, limits.item)}  "), text(clip(line.name, 60), code=True)]


def unclear(view: ApprovalView, limits: Limits) -> Part:
    """What static reading of the script could not classify: said, never left out."""
    if not view.unclear:
        return Part([])
    return _list(
        "What reading the script could not tell",
        view.unclear,
        limits,
        lambda item, limits: [text(clip(item, limits.item))],
    )


def kept(view: ApprovalView, limits: Limits) -> Part:
    """Intermediates that stay in the script, with their measured sizes; what was looked at, and what it costs."""
    shown = ", ".join(size(one) for one in view.kept[: limits.items])
    rest = len(view.kept) - limits.items
    words = shown + (f" and {rest} more" if rest > 0 else "")
    pairs = [("Stays with the computer", [text(clip(words, limits.words))])] if words else []
    if view.sample_words:
        pairs.append(("What was looked at", [text(clip(view.sample_words, limits.words))]))
    if view.bill and limits is not TIGHT:  # it explains and decides nothing
        pairs.append(("Bill", [text(clip(view.bill, limits.words))]))
    return Part([lines(pairs)] if pairs else [])


def size(one: Kept) -> str:
    """An intermediate as one reads it: its name, and how much of it there was."""
    return f"{clip(one.name, 40)} ({one.count:,} {clip(one.unit, 20)})"


def surprise(view: ApprovalView, limits: Limits) -> Part:
    if not view.surprise:
        return Part([])
    if view.change is not None and view.change.is_surprise_same:
        name, _, _ = view.surprise.partition(":")
        return Part([lines([("Likeliest surprise", [text(f"{clip(name, 60)}, {_as_before(view.change)}")])])])
    blocks: list[sb.Block] = [
        paragraph(text("Likeliest surprise  ", bold=True), text(clip(view.surprise, limits.words)))
    ]
    if view.first_message:
        blocks += [
            paragraph(text("It would say", italic=True)),
            quote(view.first_message, limits.words),
        ]
    return Part(blocks)


def parameters(view: ApprovalView, limits: Limits) -> Part:
    if not view.parameters.strip():
        return Part([])
    if view.change is not None:
        words = f"what differs from version {view.change.from_version} is in the diff above; Show all has all of them"
        return Part([lines([("Parameters", [text(words)])])])
    shown, is_cut = head(view.parameters, limits.parameters)
    blocks: list[sb.Block] = [paragraph(text("Parameters", bold=True)), *code(shown)]
    if is_cut:
        blocks.append(paragraph(text(f"Parameters {MORE}.", italic=True)))
    return Part(blocks, not is_cut)


def notes(view: ApprovalView, limits: Limits) -> Part:
    """Sentences of Standby's own that a decision needs, solo mode among them."""
    if not view.notes:
        return Part([])
    return _list("Note", view.notes, limits, lambda item, limits: [text(clip(item, limits.item * 2))])


def answer(view: ApprovalView, limits: Limits) -> Part:
    """The author's own words, labelled as such and below what Standby computed."""
    if not view.answer.strip():
        return Part([])
    cut = "; all of them are under Show all" if units(clean(view.answer)) > limits.words else ""
    return Part(
        [
            paragraph(text(f"In the author's words (not checked by Standby{cut})", italic=True)),
            quote(view.answer, limits.words),
        ]
    )


def _list(title: str, items: Sequence[T], limits: Limits, show: Callable[[T, Limits], Runs]) -> Part:
    """A titled list; what does not fit is counted, and the part is then incomplete."""
    shown = [show(item, limits) for item in items[: limits.items]]
    rest = len(items) - len(shown)
    if rest:
        shown.append([text(f"and {rest} more ({MORE})", italic=True)])
    return Part([titled_bullets(title, shown)], is_whole=not rest)
