"""A report's markdown as rich text: headings, lists, emphasis, code; links and mentions become plain text."""

import re
from collections.abc import Iterator

import slackblocks as sb

from bot.slack.cards.blocks import CODE_PIECE, code, text
from bot.slack.text import clean, pieces

_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_BULLET = re.compile(r"\s{0,3}[-*+]\s+(.*)")
_NUMBERED = re.compile(r"\s{0,3}\d{1,3}[.)]\s+(.*)")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\(([^()\s]{0,500})\)")
_SPAN = re.compile(r"\*\*(?P<bold>[^*\n]+)\*\*|`(?P<code>[^`\n]+)`|(?<![\w*])[*_](?P<italic>[^*_\n]+)[*_](?![\w*])")


def rich_blocks(markdown: str) -> list[sb.Block]:
    """All of the markdown, one block a paragraph, list or code part. Tables in it show as written, in a fixed pitch."""
    blocks: list[sb.Block] = []
    for kind, group in _groups(clean(markdown).split("\n")):
        if kind == "code":
            blocks += code("\n".join(group) + "\n")
        elif kind in ("bullet", "ordered"):
            items = [sb.RichTextSection(list(_runs(item[:CODE_PIECE]))) for item in group]
            blocks.append(sb.RichTextBlock(sb.RichTextList(kind, items)))
        elif kind == "heading":
            blocks.append(sb.RichTextBlock(sb.RichTextSection([text(_plain(group[0])[:CODE_PIECE], bold=True)])))
        else:
            for piece in pieces("\n".join(group), CODE_PIECE):
                blocks.append(sb.RichTextBlock(sb.RichTextSection(list(_runs(piece)))))
    return blocks


def _groups(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    kind, group = "", list[str]()
    is_fenced = False
    for line in lines:
        if _FENCE.match(line):
            if group:
                yield kind, group
            is_fenced, kind, group = not is_fenced, "", []
            continue
        now, content = ("code", line) if is_fenced else _kind(line)
        if group and (now != kind or now == "heading"):
            yield kind, group
            group = []
        kind = now
        if content or now == "code":
            group.append(content)
    if group:
        yield kind, group


def _kind(line: str) -> tuple[str, str]:
    """What sort of line this is, and its content."""
    if not line.strip():
        return "", ""
    if found := _HEADING.match(line):
        return "heading", found.group(1) or " "
    if found := _BULLET.match(line):
        return "bullet", found.group(1) or " "
    if found := _NUMBERED.match(line):
        return "ordered", found.group(1) or " "
    return ("code", line) if line.lstrip().startswith("|") else ("text", line)


def _runs(words: str) -> Iterator[sb.RichTextElement]:
    words = _LINK.sub(r"\1 (\2)", words)
    at = 0
    for found in _SPAN.finditer(words):
        if found.start() > at:
            yield text(words[at : found.start()])
        style = found.lastgroup or "bold"
        yield text(found.group(style), bold=style == "bold", italic=style == "italic", code=style == "code")
        at = found.end()
    if at < len(words) or not words:
        yield text(words[at:] or " ")


def _plain(words: str) -> str:
    """A heading without marks."""
    return _SPAN.sub(lambda found: found.group(found.lastgroup or 0), _LINK.sub(r"\1 (\2)", words))
