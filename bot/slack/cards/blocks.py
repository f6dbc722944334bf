"""The few shapes all cards are made of: typed, within Slack's limits, and inert whatever the text."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import slackblocks as sb

from bot.slack.text import CHANNEL, MENTION, clean, clip, pieces, units
from bot.slack.text import ours as mrkdwn_ours

Json = dict[str, Any]

MESSAGE_WEIGHT = 12_000
"""Most characters of JSON in one message. Slack refuses beyond a number that it documents nowhere: 13,297 characters of
nothing but text went through, 11,341 in many small elements did not (bolt-js issues 2509 and 2867). The JSON's length
explains both, so that is what we count."""

CODE_PIECE = 2_900
"""Characters in one preformatted element; Slack's limit on an element's text is 3,000."""

NOTHING = "–"

MOST_NAMED = 25
"""Names and the words between them in one paragraph; text that is nothing but names is no sentence of ours."""


@dataclass(frozen=True)
class Rendered:
    """A message ready to post: `text` for notifications and screen readers, and files that go into its thread."""

    text: str
    blocks: list[Json]
    files: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True)
class Part:
    """A stretch of a card. `is_whole` is False when something was cut that a decision rests on."""

    blocks: Sequence[sb.Block]
    is_whole: bool = True


def text(words: str, *, bold: bool = False, italic: bool = False, code: bool = False) -> sb.RichText:
    """A run of rich text: never a mention, a link or an emoji, whatever the words are."""
    return sb.RichText(clean(words) or NOTHING, bold=bold or None, italic=italic or None, code=code or None)


def user(user_id: str) -> sb.RichTextElement:
    """A person, by an id that Slack gave us; anything else stays text."""
    return sb.RichTextUser(user_id) if _is_user_id(user_id) else text(user_id)


def _is_user_id(value: str) -> bool:
    return value[:1] in ("U", "W") and value.isascii() and value.isalnum() and value.isupper() and len(value) > 3


def ours(words: str, *, bold: bool = False) -> list[sb.RichTextElement]:
    """A sentence of ours, in which `<@U…>` is a person and `<#C…>` a channel. Never for words that hold data."""
    return _meant(MENTION.split(words), bold=bold)


def with_channels(words: str) -> list[sb.RichTextElement]:
    """Words in which `<#C…>` is a channel and nothing else is alive."""
    return _meant(CHANNEL.split(words))


def naming(words: str, people: Sequence[str]) -> list[sb.RichTextElement]:
    """Words in which `<@U…>` is one of these people and `<#C…>` a channel; anybody else stays text."""
    alive = re.compile(rf"<({'|'.join([r'#[CG][A-Z0-9]{2,20}', *(f'@{re.escape(one)}' for one in people)])})>")
    parts = alive.split(words)
    return _meant(parts) if len(parts) <= MOST_NAMED else [text(words)]


def _meant(parts: Sequence[str], *, bold: bool = False) -> list[sb.RichTextElement]:
    """Text and, at every second place, a token."""
    found: list[sb.RichTextElement] = []
    for number, part in enumerate(parts):
        if number % 2:
            found.append(sb.RichTextUser(part[1:]) if part.startswith("@") else sb.RichTextChannel(part[1:]))
        elif part:
            found.append(text(part, bold=bold))
    return found or [text("")]


def header(words: str) -> sb.HeaderBlock:
    return sb.HeaderBlock(sb.PlainText(clip(words, 150) or NOTHING))


def paragraph(*runs: sb.RichTextElement) -> sb.RichTextBlock:
    return sb.RichTextBlock(sb.RichTextSection(list(runs)))


def sentence(words: str, limit: int = 2_900) -> sb.RichTextBlock:
    return paragraph(text(clip(words, limit)))


def labelled(label: str, words: str, limit: int = 1_000) -> sb.RichTextBlock:
    return paragraph(text(f"{label}  ", bold=True), text(clip(words, limit)))


def lines(pairs: Iterable[tuple[str, Sequence[sb.RichTextElement]]]) -> sb.RichTextBlock:
    """One paragraph of `Label  words` lines."""
    runs: list[sb.RichTextElement] = []
    for label, rest in pairs:
        runs += [text(f"{chr(10) if runs else ''}{label}  ", bold=True), *rest]
    return paragraph(*runs)


def bullets(items: Iterable[Sequence[sb.RichTextElement]]) -> sb.RichTextList:
    return sb.RichTextList("bullet", [sb.RichTextSection(list(runs)) for runs in items])


def titled_bullets(title: str, items: Iterable[Sequence[sb.RichTextElement]]) -> sb.RichTextBlock:
    return sb.RichTextBlock([sb.RichTextSection([text(title, bold=True)]), bullets(items)])


def quote(words: str, limit: int) -> sb.RichTextBlock:
    return sb.RichTextBlock(sb.RichTextQuote([text(clip(words, limit))]))


def code(source: str) -> list[sb.RichTextBlock]:
    """All of `source`, unchanged: the texts of the blocks joined are the source."""
    return [sb.RichTextBlock(sb.RichTextCodeBlock([sb.RichText(piece)])) for piece in pieces(source, CODE_PIECE)]


def first_lines(source: str, limit: int) -> tuple[str, bool]:
    """As many whole lines as `limit` units hold, unchanged; True if something is missing."""
    kept: list[str] = []
    left = limit
    for line in source.splitlines(keepends=True):
        left -= units(line)
        if left < 0:
            return "".join(kept), True
        kept.append(line)
    return source, False


def note(words: str) -> sb.ContextBlock:
    """Small grey print."""
    return sb.ContextBlock([sb.PlainText(clip(words, 2_000) or NOTHING)])


def foot(words: str) -> sb.ContextBlock:
    """Small grey print of ours, in which `<@U…>` is a person."""
    return sb.ContextBlock([sb.Markdown(mrkdwn_ours(words)[:2_900] or NOTHING, verbatim=True)])


def message(blocks: Sequence[sb.Block]) -> list[Json]:
    """The blocks as JSON, checked by slackblocks for what a message may hold."""
    checked: list[Json] = sb.Message(channel="C", text="-", blocks=list(blocks)).to_dict()["blocks"]
    return [_without_id(block) for block in checked]


def _without_id(value: Any) -> Any:
    """Slack fills the ids in, of blocks within blocks too; made-up ones would differ at every rendering."""
    if isinstance(value, dict):
        return {name: _without_id(inner) for name, inner in value.items() if name != "block_id"}
    return [_without_id(inner) for inner in value] if isinstance(value, list) else value


def modal(
    title: str,
    blocks: Sequence[sb.Block],
    *,
    callback_id: str,
    metadata: str = "",
    submit: str = "",
    close: str = "Close",
) -> Json:
    """A modal view; ids stay on inputs alone, where we gave them."""
    view: Json = sb.ModalView(
        title=sb.PlainText(clip(title, 24)),
        blocks=list(blocks),
        submit=sb.PlainText(submit) if submit else None,
        close=sb.PlainText(close),
        private_metadata=metadata,
        callback_id=callback_id,
    ).to_dict()
    view["blocks"] = [block if block["type"] == "input" else _without_id(block) for block in view["blocks"]]
    return view


def weight(blocks: Sequence[Json] | Sequence[sb.Block]) -> int:
    """Characters of these blocks as JSON."""
    plain = [block if isinstance(block, dict) else _without_id(block._resolve()) for block in blocks]
    return units(json.dumps(plain, ensure_ascii=False, separators=(",", ":")))
