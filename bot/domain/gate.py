"""The source gate: what a person reads on the card is what Python reads, character for character."""

import io
import re
import tokenize
import unicodedata
from collections.abc import Iterator

LONGEST_LINE = 200
LONGEST_BLANK = 20
# Letters that draw nothing although Unicode calls them letters or symbols.
FILLERS = frozenset("\u3164\uffa0\u115f\u1160\u2800")
COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # as in the language reference, "Encoding declarations"


def source_problems(source: bytes, *, is_python: bool = True) -> tuple[str, ...]:
    """Why these bytes may not be shown for approval: each with the line; empty means that they may.

    The other files of a plan are text: for them only what cannot be seen counts.
    """
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as bad:
        return (f"byte {bad.start} is not UTF-8",)
    if not is_python:
        return tuple(_hidden(text))
    return tuple(_of_bytes(source)) + tuple(_hidden(text)) + tuple(_of_layout(text)) + tuple(_of_names(text))


def _of_bytes(source: bytes) -> Iterator[str]:
    if source.startswith(b"\xef\xbb\xbf"):
        yield "line 1 begins with a byte order mark"
    for number, line in enumerate(source.split(b"\n")[:2], 1):
        if COOKIE.match(line):
            yield f"line {number} declares an encoding"


def _hidden(text: str) -> Iterator[str]:
    for number, line in enumerate(text.split("\n"), 1):
        if bad := sorted({c for c in line if is_hidden(c)}):
            names = ", ".join(f"U+{ord(c):04X} {unicodedata.name(c, 'without a name')}" for c in bad)
            yield f"line {number} holds characters that cannot be seen: {names}"


def _of_layout(text: str) -> Iterator[str]:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            yield f"line {number} has {len(line)} characters, more than {LONGEST_LINE}"
    if "\n" * (LONGEST_BLANK + 1) in text:
        yield f"more than {LONGEST_BLANK} blank lines stand in a row"
    if not text.endswith("\n"):
        yield "the last line does not end"


def _of_names(text: str) -> Iterator[str]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME and not token.string.isascii():
                yield f"line {token.start[0]} has a name with letters outside ASCII: {token.string!a}"
    except (tokenize.TokenError, SyntaxError) as bad:
        yield f"it is not Python: {bad.args[0]}"


def is_hidden(char: str) -> bool:
    """A character that draws nothing, reorders what is drawn, or varies the one before it."""
    if char in "\n\t":
        return char == "\t"
    point = ord(char)
    return (
        unicodedata.category(char) in ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp")
        or char in FILLERS
        or 0xFE00 <= point <= 0xFE0F
        or 0xE0100 <= point <= 0xE01EF
    )
