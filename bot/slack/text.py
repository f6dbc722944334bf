"""Text on its way into Slack and out of it: nothing that came from data may turn into a mention, a link or a trick."""

import re
import unicodedata

# Characters that reorder or hide what a reader sees: bidirectional controls, tags, zero-width characters.
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
_JOINERS = "\u200c\u200d"  # they hold emoji together, and letters of several scripts apart
_SENTENCE_END = re.compile(r"[.!?](?=\s)")
_TOKEN = re.compile(r"<([^<>]*)>")
MENTION = re.compile(r"<(@[UW][A-Z0-9]{2,20}|#[CG][A-Z0-9]{2,20})>")
"""A person or a channel as Slack writes them. Only words of ours are searched for it."""

CHANNEL = re.compile(r"<(#[CG][A-Z0-9]{2,20})>")
"""A channel alone: it is shown by its name and pings nobody."""

SPOKEN = re.compile(r"&lt;(@[UW][A-Z0-9]{2,20}|#[CG][A-Z0-9]{2,20})&gt;")
"""The same as `fallback` leaves them, inert, for whoever puts names in their place."""

_BEGINS = re.compile(r"<(?=\S)|\]\(|://|(?i:mailto):")

ELLIPSIS = "…"


def units(text: str) -> int:
    """The length as Slack counts it, in UTF-16 code units: an emoji is two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def clean(text: str) -> str:
    """The text with everything that cannot be seen written out as `\\u202e`; line breaks and tabs stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.translate(_VISIBLE)


class _Visible(dict[int, str]):
    """How each character is written. It is filled as characters come, so that a long text costs what its letters do."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        shown = char in "\n\t" or char in _JOINERS or not _is_hidden(char)
        return self.setdefault(code, char if shown else f"\\u{code:04x}")


_VISIBLE = _Visible()


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or bool(_UNSEEN.match(char))


def clip(text: str, limit: int) -> str:
    """At most `limit` units of cleaned text; what was cut shows as an ellipsis. For labels; see `head` for content."""
    text = clean(text)
    return text if units(text) <= limit else _first(text, limit - 1).rstrip() + ELLIPSIS


def first_sentences(text: str, limit: int) -> str:
    """As many whole sentences as there is room for; of a longer first one its beginning."""
    text = clean(text)
    ends = [end.end() for end in _SENTENCE_END.finditer(text) if units(text[: end.end()]) <= limit]
    return clip(text, limit) if units(text) <= limit or not ends else text[: ends[-1]]


def head(text: str, limit: int) -> tuple[str, bool]:
    """At most `limit` units, cut at the end of a line where one is near; True if something is missing."""
    text = clean(text)
    if units(text) <= limit:
        return text, False
    first = _first(text, limit)
    line_end = first.rfind("\n")
    return (first[:line_end] if line_end > limit // 2 else first), True


def _first(text: str, limit: int) -> str:
    """The longest beginning of at most `limit` units."""
    end = min(len(text), limit)
    while units(text[:end]) > limit:
        end -= max(1, (units(text[:end]) - limit) // 2)
    return text[:end]


def pieces(text: str, limit: int) -> list[str]:
    """The text in pieces of at most `limit` units, cut after line ends where possible; joined they are the text."""
    found: list[str] = []
    current, size = "", 0
    for line in text.splitlines(keepends=True):
        for part in _line_pieces(line, limit):
            if size + units(part) > limit:
                found.append(current)
                current, size = "", 0
            current += part
            size += units(part)
    return [*found, current] if current else found


def _line_pieces(line: str, limit: int) -> list[str]:
    found: list[str] = []
    while line:
        first = _first(line, limit)
        found.append(first)
        line = line[len(first) :]
    return found


def escape(text: str) -> str:
    """Data for a place where Slack reads mrkdwn: no token, no code, no emphasis begins in it.

    Only `&`, `<` and `>` have escapes in Slack; the marks of emphasis are kept apart by a word joiner, which draws
    nothing.
    """
    text = clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([*_~`])", "\u2060\\1\u2060", text)


def fallback(text: str, limit: int = 3000) -> str:
    """Data for a message's `text`, which notifications show and screen readers speak."""
    return clip(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"), limit).strip() or "Standby"


def inert(text: str) -> str:
    """Data for a place of which Slack does not say how it reads it: nothing in it is a token or a link in any reading.

    A word joiner, which draws nothing, stands where one would begin or go on.
    """
    return _BEGINS.sub(lambda found: f"{found[0][0]}\u2060{found[0][1:]}", text)


def ours(text: str) -> str:
    """A sentence of ours for a place where Slack reads mrkdwn: `<@U…>` and `<#C…>` live, everything else is inert."""
    parts = MENTION.split(text)
    return "".join(f"<{part}>" if n % 2 else escape(part) for n, part in enumerate(parts))


def door(text: str) -> str:
    """Text as it comes in, without what no database keeps and nobody typed: NUL, and halves of characters."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


def heard(text: str, bot_user_id: str = "") -> str:
    """What a person typed, as plain text: the bot's own mention gone, channels and links by their names."""
    text = _TOKEN.sub(lambda token: _spoken(token.group(1), bot_user_id), door(text))
    text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return text.strip()


def _spoken(token: str, bot_user_id: str) -> str:
    address, _, label = token.partition("|")
    if address.startswith("@"):
        return "" if address == f"@{bot_user_id}" else f"<{address}>"
    if address.startswith("#"):
        return f"#{label}" if label else f"<{address}>"
    if address.startswith("!"):
        return label or address.split("^")[0]
    return label or address.removeprefix("mailto:")
