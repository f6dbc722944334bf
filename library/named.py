"""Columns that a request names: “by region”, “cost centers”, “the net amount”, whatever their case and number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# What stands before a column by which rows are put together, in the languages of the labs we know.
_BY = frozenset({"by", "per", "pr", "nach", "je", "pro", "etter", "across"})
_OF_EACH = frozenset({"for", "of", "in", "from"})  # “for each region”; “each region” alone may be of a schedule
_EACH = frozenset({"each", "every"})
_BETWEEN = frozenset({"the", "our", "its", "their", "different", "single"})
_TIMES = frozenset({"day", "week", "month", "quarter", "year", "date", "hour", "time"})  # words of a schedule too


@dataclass(frozen=True)
class Said:
    """One naming of a column in a text: where it stands, from its “by” on where it has one."""

    column: str
    start: int
    end: int
    is_grouping: bool


def columns_said(columns: Iterable[str], text: str) -> tuple[Said, ...]:
    """Every naming of these columns, in the order of the text; of “net amount” no “amount” alone."""
    spoken = [(word[0].casefold(), word.start(), word.end()) for word in _WORD.finditer(text)]
    found = []
    for column in columns:
        words = words_of(column)
        for at in range(len(spoken) - len(words) + 1) if words else ():
            if all(alike(one, said) for one, (said, _, _) in zip(words, spoken[at:], strict=False)):
                begin = _grouping(spoken, at)
                start = spoken[at if begin is None else begin][1]
                found.append(Said(column, start, spoken[at + len(words) - 1][2], begin is not None))
    longest = [one for one in found if not any(_is_within(one, other) for other in found)]
    return tuple(sorted(longest, key=lambda one: (one.start, one.end, one.column)))


def grouped_by(columns: Sequence[str], text: str) -> list[str]:
    """Those after “by”, “per” or the like, each once."""
    return list(dict.fromkeys(one.column for one in columns_said(columns, text) if one.is_grouping))


def named_in(columns: Sequence[str], text: str) -> list[str]:
    """Those that stand anywhere, each once; a word of time alone is rather one of a schedule."""
    said = (one.column for one in columns_said(columns, text))
    return list(dict.fromkeys(one for one in said if not set(words_of(one)) <= _TIMES))


def words_of(column: str) -> list[str]:
    """`costCenter`, `cost_center` and `Cost center` are the words cost, center."""
    return [word.casefold() for word in _WORD.findall(_CAMEL.sub(" ", column))]


def alike(one: str, other: str) -> bool:
    """Whether two words in small letters are one word, or one of them is the other's plural."""
    return bool(_numbers(one) & _numbers(other))


def _numbers(word: str) -> set[str]:
    """The word, and what it is the plural of if it is one."""
    singles = {word}
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        singles |= {word[:-1]}
    if len(word) > 4 and word.endswith(("ses", "xes", "ches", "shes", "zes")):
        singles |= {word[:-2]}
    return singles | {f"{word[:-3]}y"} if len(word) > 4 and word.endswith("ies") else singles


def _grouping(spoken: Sequence[tuple[str, int, int]], at: int) -> int | None:
    """Where the “by” of a column stands whose words begin at `at`; None where it has none."""
    place = at - 1
    while place >= 0 and spoken[place][0] in _BETWEEN:
        place -= 1
    if place >= 1 and spoken[place][0] in _EACH and spoken[place - 1][0] in (_BY | _OF_EACH):
        return place - 1
    return place if place >= 0 and spoken[place][0] in _BY else None


def _is_within(one: Said, other: Said) -> bool:
    """A shorter naming inside a longer one, wherever either has its “by”."""
    inside = other.start <= one.start and one.end <= other.end
    return inside and (len(words_of(other.column)) > len(words_of(one.column)))
