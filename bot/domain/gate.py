"""The source gate: what a person reads on the card is what Python reads, character for character."""

import ast
import io
import re
import tokenize
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

LONGEST_LINE = 200
LONGEST_BLANK = 20
HIGHEST_STACK = 4  # marks upon one letter: more reach into the lines around them
# What draws nothing although Unicode calls it a letter, a mark or a symbol.
FILLERS = frozenset("\u3164\uffa0\u115f\u1160\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f\U0001d159\U00016fe4")
# Letters written from right to left take what stands between them, and numbers behind them, along: where that is code,
# it is shown in another order than Python reads it, without any character that orders it.
_LEFTWARD = frozenset({"R", "AL", "AN"})
_STRONG = _LEFTWARD | {"L", "EN"}
_OF_CODE = frozenset("\"'#()[]{}=+*/<>:;,!%&|^~@\\")
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
    return (*_of_bytes(source), *_hidden(text), *_of_layout(text), *_of_order(text), *_of_names(text))


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
    blank = 0
    for number, line in enumerate(text.split("\n"), 1):
        blank = 0 if line.strip() else blank + 1
        if blank == LONGEST_BLANK + 1:
            yield f"line {number}: more than {LONGEST_BLANK} blank lines stand in a row"
    if not text.endswith("\n"):
        yield "the last line does not end"


def _of_order(text: str) -> Iterator[str]:
    """Lines that are shown in another order than Python reads them, or drawn over by marks of others."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.isascii():
            continue
        if moved := _moved(line):
            yield (
                f"line {number}: letters that are written from right to left change the order in which {moved!a} is "
                "shown; put what follows them on a line of its own"
            )
        stacks = "".join("m" if unicodedata.category(c) in ("Mn", "Me") else " " for c in line).split()
        if any(len(one) > HIGHEST_STACK for one in stacks):
            yield f"line {number} has more than {HIGHEST_STACK} marks upon one letter"


def _moved(line: str) -> str:
    """The first stretch of code between a letter written leftward and the number or such letter that follows it."""
    kinds = [unicodedata.bidirectional(c) for c in line]
    strong = [place for place, kind in enumerate(kinds) if kind in _STRONG]
    for here, then in pairwise(strong):
        between = line[here + 1 : then]
        if kinds[here] in _LEFTWARD and kinds[then] != "L" and _OF_CODE & set(between):
            return between
    return ""


def _of_names(text: str) -> Iterator[str]:
    """Letters outside ASCII where Python reads a name: look-alikes, and what Python folds into other letters."""
    try:
        ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except SyntaxError as bad:
        yield f"it is not Python: {bad.msg}, line {bad.lineno}"
    except (tokenize.TokenError, ValueError, RecursionError, MemoryError) as bad:
        yield f"it is not Python that can be read: {bad}"
    else:
        for token in tokens:
            if not token.string.isascii() and _is_read_by_python(token):
                yield f"line {token.start[0]} has letters outside ASCII that are not text: {token.string!a}"


def _is_read_by_python(token: tokenize.TokenInfo) -> bool:
    """Whether a token with letters outside ASCII is more than a comment or the text of a string."""
    if token.type == tokenize.COMMENT or token.type == getattr(tokenize, "FSTRING_MIDDLE", -1):
        return False
    if token.type != tokenize.STRING:
        return True
    prefix = token.string.split("'")[0].split('"')[0]
    return "f" in prefix.lower() and not _is_text_only(token.string)


def _is_text_only(fstring: str) -> bool:
    """Before Python 3.12 an f-string is one token. Its letters outside ASCII must all stand in its text."""
    if "\\" in fstring:
        return False  # an escape would make letters of text that are none of the source
    parsed = ast.parse(fstring, mode="eval").body
    text = "".join(_texts(parsed))
    return sum(not c.isascii() for c in fstring) == sum(not c.isascii() for c in text)


def _texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.JoinedStr):
        for value in node.values:
            yield from _texts(value)
    elif isinstance(node, ast.FormattedValue) and node.format_spec:
        yield from _texts(node.format_spec)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def is_unseen(char: str) -> bool:
    """Hidden, and neither a tab nor a blank of whatever width, as data and sentences have them."""
    return char != "\t" and is_hidden(char) and unicodedata.category(char) != "Zs"


def is_hidden(char: str) -> bool:
    """A character that draws nothing, reorders what is drawn, or varies the one before it; blanks but the space too."""
    if char in " \n":
        return False
    point = ord(char)
    return (
        unicodedata.category(char) in ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp", "Zs")
        or char in FILLERS
        or 0xFE00 <= point <= 0xFE0F
        or 0xE0100 <= point <= 0xE01EF
    )
