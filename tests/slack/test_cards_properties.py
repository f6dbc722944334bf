"""Whatever the text: blocks that Slack takes, no live mention or link, and no Approve on code that is not all there."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.desk.block_check import problems_of, view_problems
from bot.desk.block_tables import Surface
from bot.domain.overview import SlotLine
from bot.domain.views import (
    Change,
    Chart,
    CheckLine,
    HearingView,
    Kept,
    NoteView,
    Step,
    Table,
    View,
    WordsView,
)
from bot.domain.words import RoutineState, SlotState, Verb
from bot.slack.cards import Rendered, render
from bot.slack.cards.blocks import MESSAGE_WEIGHT, weight
from bot.slack.cards.home import home
from bot.slack.cards.pages import FILES_ON_PAGE, Pages, view
from bot.slack.cards.routines import hand_over_form, history_modal, versions_modal
from bot.slack.text import clean
from tests import overviews, views

# The views are large on purpose, and shrinking one takes minutes: a failure names what broke instead.
BIG = settings(phases=[Phase.explicit, Phase.reuse, Phase.generate], suppress_health_check=list(HealthCheck))
TRAPS = [
    "<!channel>", "<!here|x>", "<@U0MALLORY01>", "<#C0LAB000001|lab>", "<https://evil.example|bank>", "@channel",
    "```", "`x`", "*b*", "_i_", ":smile:", "https://evil.example/a?b", "[click](https://evil.example)", "\u202egnp.exe",
    "\x00", "\u200b", "| a | b |\n|---|---|", "# head", "- item", "\r\n", "\U0001f600", "&lt;!channel&gt;", "\ud800",
]  # fmt: skip
words = st.lists(st.one_of(st.sampled_from(TRAPS), st.text(max_size=40)), max_size=8).map("".join)
long_words = st.tuples(words, st.integers(1, 400)).map(lambda pair: pair[0] * pair[1])
sources = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=300),
    st.tuples(st.text(st.characters(codec="utf-8"), min_size=1, max_size=80), st.integers(1, 600)).map(
        lambda pair: (pair[0] + "\n") * pair[1]
    ),
)
tables = st.builds(
    Table,
    title=words,
    columns=st.lists(words, min_size=1, max_size=24).map(tuple),
    rows=st.lists(st.lists(words, max_size=24).map(tuple), max_size=130).map(tuple),
)
charts = st.builds(
    Chart,
    title=words,
    kind=st.sampled_from(["bar", "line"]),
    labels=st.lists(words, max_size=24).map(tuple),
    series=st.lists(st.tuples(words, st.lists(st.floats(width=32), max_size=24).map(tuple)), max_size=14).map(tuple),
)
reports = st.builds(
    lambda title, text, tables, charts, foot: views.report(
        title=title, markdown=text, tables=tuple(tables), charts=tuple(charts), foot=foot
    ),
    words, long_words, st.lists(tables, max_size=3), st.lists(charts, max_size=4), words,
)  # fmt: skip
changes = st.builds(
    Change,
    from_version=st.integers(1, 99),
    diff=sources,
    checks_removed=st.lists(words, max_size=30).map(tuple),
    checks_added=st.lists(words, max_size=30).map(tuple),
    replay=st.lists(words, max_size=30).map(tuple),
    are_slots_same=st.booleans(),
    are_checks_same=st.booleans(),
    is_surprise_same=st.booleans(),
)
many = st.lists(long_words, max_size=30).map(tuple)
hearings = st.builds(HearingView, fit=st.just(60), well=st.just(30), alone=st.just(20), deaf=many, broke=many,
                     never_fired=many, problem=words)  # fmt: skip


@st.composite
def approvals(draw: st.DrawFn) -> Any:
    return views.approval(
        title=draw(words), request=draw(long_words), why=draw(long_words), reads=draw(long_words), sends=draw(many),
        schedule=draw(words), author=draw(words), imports=draw(many), unclear=draw(many),
        checks=tuple(CheckLine(name, says) for name, says in zip(draw(many), draw(many), strict=False)),
        kept=tuple(Kept(name, 10**9, name) for name in draw(many)), notes=draw(many), answer=draw(long_words),
        surprise=draw(long_words), first_message=draw(long_words), parameters=draw(long_words), script=draw(sources),
        preview=draw(reports), change=draw(st.none() | changes), sample_words=draw(words),
        decision=draw(st.none() | st.builds(views.decision, reason=long_words)), hearing=draw(st.none() | hearings),
    )  # fmt: skip


@settings(BIG, max_examples=40)
@given(approvals())
def test_approval_is_postable_and_approves_only_what_it_shows(view: Any) -> None:
    card = render(view)
    require_postable(card, allowed=(view.asked_by, views.BOB))
    approves = [b for b in buttons(card) if b["action_id"] == Verb.APPROVE]
    if approves:
        assert view.decision is None
        assert view.script in code_of(card)
        assert view.change is None or view.change.diff in code_of(card)
        shown = words_of(card)
        assert view.change is None or all(clean(line) in shown for line in view.change.replay)
        assert all(clean(one) in shown for one in (*view.sends, *(line.name for line in view.checks)))
        assert view.hearing is None or view.hearing.problem or len(view.hearing.deaf + view.hearing.broke) <= 12


def test_the_largest_card_fits() -> None:
    """A quotation mark takes two characters of JSON; everything there can be is there, and far too long."""
    much = '"' * 5_000
    many = (much,) * 30
    card = views.approval(
        title=much,
        request=much,
        why=much,
        reads=much,
        sends=many,
        schedule=much,
        next_times=many,
        imports=many,
        unclear=many,
        checks=tuple(CheckLine(much, much) for _ in many),
        kept=tuple(Kept(much, 10**9, much) for _ in many),
        hearing=HearingView(60, 30, 20, many, many, many),
        notes=many,
        answer=much,
        surprise=much,
        first_message=much,
        sample_words=much,
        parameters=much,
        script='"' * 100_000,
        change=Change(1, (much + "\n") * 9, many, many, many),
        preview=views.report(markdown=much, tables=(Table(much, many[:20], (many[:20],) * 9),)),
        routine=much,
    )
    require_postable(render(card), allowed=(card.asked_by,))
    require_postable(render(replace(card, decision=views.decision(reason=much))), allowed=(card.asked_by, views.BOB))
    assert card.change is not None
    same = replace(card.change, are_checks_same=True, are_slots_same=True, is_script_same=True, is_surprise_same=True)
    require_postable(render(replace(card, change=same)), allowed=(card.asked_by,))


few_words = st.text("abc .,:'åß\"", min_size=1, max_size=30)
addresses = st.from_regex(r"[a-z]{3,20}@[a-z]{3,20}\.example", fullmatch=True)
check_names = st.from_regex(r"[A-Z][a-z]{2,12}[A-Z][a-z]{2,12}", fullmatch=True)


@settings(BIG, max_examples=10)
@given(
    st.lists(addresses, min_size=1, max_size=24),
    st.lists(few_words, min_size=1, max_size=39).map("".join),
    st.lists(st.tuples(check_names, words), max_size=30),
    st.booleans(),
)
def test_whom_it_reaches_what_was_asked_and_what_it_checks_stand_in_full_beside_whatever_else(
    sends: list[str], request: str, checks: list[tuple[str, str]], is_fix: bool
) -> None:
    much = '"' * 900
    every = (much,) * 30
    lines = tuple(CheckLine(name, says) for name, says in checks)
    card = views.approval(
        sends=tuple(sends), request=request, checks=lines, why=much, reads=much, imports=every,
        unclear=every, script=much * 9,
        kept=tuple(Kept(much, 10**9, much) for _ in every), hearing=HearingView(60, 30, 20, every, every, every),
        answer=much, surprise=much, first_message=much, sample_words=much, parameters=much,
        preview=views.report(markdown=much), change=Change(1, (much + "\n") * 9) if is_fix else None,
    )  # fmt: skip
    rendered = render(card)
    require_postable(rendered, allowed=(card.asked_by,))
    shown = words_of(rendered)
    assert "; ".join(sends) in shown
    assert clean(request) in shown
    assert all(name in shown for name, _ in checks)


@settings(BIG, max_examples=40)
@given(reports)
def test_report_is_postable_and_says_where_the_rest_is(view: Any) -> None:
    card = render(replace(view, foot=""))
    require_postable(card)
    assert len({name for name, _ in card.files}) == len(card.files)
    shown = json.dumps(card.blocks, ensure_ascii=False)
    for name, data in card.files:
        assert name in shown
        assert data


@settings(BIG, max_examples=60)
@given(
    st.builds(views.surprise, title=words, slot=words, name=words, message=long_words, seen=long_words,
              expected=long_words, rows=many, foot=words, times=st.integers(1, 99))
    | st.builds(NoteView, long_words)
    | st.builds(WordsView, long_words)
    | st.builds(views.basis, why=long_words, script=words, read=words, looked_at=long_words,
                notes=st.lists(long_words, max_size=3).map(tuple))
    | st.builds(views.steps, title=words,
                steps=st.lists(st.builds(Step, words, st.sampled_from(["pending", "complete"]), words), max_size=60)
                .map(tuple))
    | st.builds(views.question, text=long_words)
)  # fmt: skip
def test_other_cards_are_postable(view: View) -> None:
    require_postable(render(view))


@settings(BIG, max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(["plan.py", "plan.toml", "report.md"]), sources), max_size=6))
def test_pages_hold_every_byte_and_approve_only_at_the_end(files: list[tuple[str, str]]) -> None:
    named = tuple((f"{number}-{name}", body) for number, (name, body) in enumerate(files))
    pages = Pages("Version 1", named, "press", "approve")
    sheets = pages.sheets()
    for name, body in named:
        assert "".join(piece for sheet in sheets for n, piece in sheet if n == name) == body
    for number, sheet in enumerate(sheets):
        modal = view(pages, number, "{}")
        assert not view_problems(modal)
        assert len(sheet) <= FILES_ON_PAGE
        approves = [e for e in strings_of(modal["blocks"], "action_id") if e == Verb.APPROVE]
        assert len(approves) == (2 if number == len(sheets) - 1 else 0)  # above the page and below it


lines = st.builds(
    overviews.line, name=words, title=words, schedule=words, next_at=words, waiting=long_words, latest=words,
    state=st.sampled_from(RoutineState), outcomes=st.lists(st.sampled_from(SlotState), max_size=10).map(tuple),
    sends=many,
)  # fmt: skip
slots = st.builds(SlotLine, st.sampled_from(SlotState), words, st.none() | st.integers(1, 99), long_words, many)


@settings(BIG, max_examples=30)
@given(st.lists(lines, max_size=40).map(tuple), st.lists(slots, max_size=8).map(tuple), words)
def test_overviews_are_postable(found: Any, page: Any, said: str) -> None:
    people = (views.ALICE, views.BOB)
    require_postable(render(overviews.routines(routines=found, more=said)), people)
    require_postable(render(overviews.history(slots=page, name=said)), people)
    assert not view_problems(home(overviews.home(routines=found[:10], said=said, waiting=(overviews.WAITING,) * 8)))
    assert not view_problems(history_modal(overviews.history(slots=page, name=said)))
    assert not view_problems(versions_modal(overviews.versions(name=said)))
    assert not view_problems(hand_over_form(overviews.line(name=said), "{}"))


def require_postable(card: Rendered, allowed: tuple[str, ...] = ()) -> None:
    """What the desk, as strict as Slack, accepts; small enough; and nothing in it is alive but what we put there."""
    assert card.blocks
    assert not problems_of(card.blocks, Surface.MESSAGE)
    assert weight(card.blocks) <= MESSAGE_WEIGHT
    assert card.text
    assert not any(token in card.text for token in ("<!", "<@", "<#", "<http"))
    for element in elements_of(card.blocks):
        kind = element.get("type")
        assert kind not in ("link", "broadcast", "usergroup", "emoji", "markdown")
        if kind == "channel":
            raise AssertionError(element)  # data has no channel in the one form that we write
        if kind == "user":
            assert element["user_id"] in allowed
        if kind == "mrkdwn":
            assert not any(token in element["text"] for token in ("<!", "<#", "<http")), element


def elements_of(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from elements_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from elements_of(inner)


def strings_of(value: Any, name: str) -> Iterator[str]:
    return (element[name] for element in elements_of(value) if isinstance(element.get(name), str))


def words_of(card: Rendered) -> str:
    """All text of a card, joined."""
    return "".join(strings_of(card.blocks, "text"))


def buttons(card: Rendered) -> list[dict[str, Any]]:
    return [element for element in elements_of(card.blocks) if element.get("type") == "button"]


def code_of(card: Rendered) -> str:
    """All preformatted text of a card, joined."""
    pieces = [e["elements"][0]["text"] for e in elements_of(card.blocks) if e.get("type") == "rich_text_preformatted"]
    return "".join(pieces)
