"""Names of routines: where one is taken, the next number behind it, and in the title what a number does not say."""

import re
from collections.abc import Set
from itertools import count
from textwrap import shorten

TITLE = 90  # characters that a header shows on a phone in two or three lines
_NUMBERED = re.compile(r"-\d{1,3}$")


def next_free(name: str, taken: Set[str]) -> str:
    """The name itself where it is free, else `name-2`, `name-3` and so on; a number that it has is not kept."""
    if name not in taken:
        return name
    bare = _NUMBERED.sub("", name)
    return next(one for number in count(2) if (one := f"{bare}-{number}") not in taken)


def is_numbered(name: str) -> bool:
    return _NUMBERED.search(name) is not None


def told_apart(title: str, name: str, asked: str) -> str:
    """The title of a routine: with what was `asked` for in it, where its name is another one's with a number.

    Cards, lists, mails and notifications have the title, so none of them looks like another routine's.
    """
    words = " ".join(asked.split()).strip(" .,;:!?-–")
    return shorten(f"{title}: {words}", TITLE, placeholder="…") if words and is_numbered(name) else title
