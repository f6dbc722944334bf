"""Characters that draw nothing: a model reads them and no person does, so they are written out."""

from __future__ import annotations

import unicodedata

# Letters and marks that are drawn as nothing, though Python calls them printable.
_FILLERS = frozenset("\u3164\uffa0\u115f\u1160\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f\U0001d159\U00016fe4")
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))


def written_out(text: str) -> str:
    """The text on one line, with a code such as `\\u202e` for everything that cannot be seen as itself."""
    return "".join(one if _is_seen(one) else one.encode("unicode_escape").decode() for one in text)


def hidden_in(text: str) -> int:
    """How many of its characters cannot be seen; wide blanks, tabs and ends of lines are seen well enough."""
    return sum(not _is_seen(one) and one not in "\t\r\n" and unicodedata.category(one) != "Zs" for one in text)


def _is_seen(char: str) -> bool:
    if char.isascii():
        return char.isprintable()
    return char.isprintable() and char not in _FILLERS and not any(ord(char) in one for one in _SELECTORS)
