"""The lines of a plan that people agreed on, as steps: which is under way, which is done, and how they are changed."""

import re
from dataclasses import replace

from bot.domain.views import Step

Steps = tuple[Step, ...]
FEWEST = 2  # numbered lines that make a plan

_ITEM = re.compile(r"(?:^|(?<=\s))(\d{1,2})[.)]\s+")
_NAMED = re.compile(
    r"\W*(?:lines?|steps?)\s+(\d{1,2})(?:\s*(?:to|and|-|–)\s*(\d{1,2}))?\b[\s:.,–-]*(.*)", re.IGNORECASE
)


def lines_in(text: str) -> tuple[str, ...]:
    """The lines numbered 1, 2, 3 … of a text, below each other or in one; empty where there are none."""
    items: list[re.Match[str]] = []
    for found in _ITEM.finditer(text):
        if int(found[1]) == len(items) + 1:  # any other number ends a sentence
            items.append(found)
    if len(items) < FEWEST:
        return ()
    ends = [*(one.start() for one in items[1:]), len(text)]
    pieces = [text[one.end() : end].strip().splitlines() for one, end in zip(items, ends, strict=True)]
    return tuple(piece[0].strip() for piece in pieces if piece) if all(pieces) else ()


def begun(text: str) -> Steps:
    """A plan of which nothing is done yet; empty where the text holds none."""
    return tuple(Step(f"{number}. {line}", "pending") for number, line in enumerate(lines_in(text), 1))


def told(steps: Steps, words: str) -> Steps | None:
    """The steps after words about them: a changed plan, or which line is under way. None where they say neither.

    Of a changed plan the lines that read as before stay as they are; all others are still to do.
    """
    changed = begun(words)
    known = {one.text: one for one in steps}
    return tuple(known.get(one.text, one) for one in changed) or reached(steps, words)


def reached(steps: Steps, words: str) -> Steps | None:
    """The steps where these words name one of them as under way, so that those before it are done; else None."""
    named = _NAMED.match(words)
    if named is None or not 1 <= int(named[1]) <= len(steps):
        return None
    first, last = int(named[1]), int(named[2] or named[1])
    rest = " ".join(named[3].split())
    return tuple(_at(one, number, first, last, rest) for number, one in enumerate(steps, 1))


def _at(step: Step, number: int, first: int, last: int, words: str) -> Step:
    if number < first:
        return replace(step, status="complete")
    return replace(step, status="in_progress", detail=words) if number <= last else step
