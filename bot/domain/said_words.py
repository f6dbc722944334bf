"""The words of a message, each with where it stands and how far it is accounted for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(r"\S+")
AROUND = '.,;:!?()[]{}"“”„`*…'


@dataclass
class Word:
    """One word of a text: where it stands, and how far it is accounted for."""

    start: int
    end: int
    said: str  # in small letters, without the marks around it
    written: str
    is_read: bool = False  # as when, to whom or how; as part of a number that was taken; as a name of a file
    is_heard: bool = False  # by the script, which says what it does with it
    is_telling: bool = False  # by itself it finds the script
    is_done: bool = False  # one of the words for what the script does, or a column that it reads
    is_named: bool = False  # a column or a value that nothing uses


def words_of(text: str) -> list[Word]:
    found = []
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        while start < end and text[start] in AROUND:
            start += 1
        while end > start and text[end - 1] in AROUND:
            end -= 1
        if start < end:
            written = text[start:end]
            found.append(Word(start, end, written.casefold().replace("’", "'").removesuffix("'s"), written))
    return found


def over(words: Sequence[Word], start: int, end: int) -> list[Word]:
    return [word for word in words if word.start < end and word.end > start]


def mark(words: Sequence[Word], start: int, end: int) -> None:
    """What stands there is read, but for what names something in the files."""
    for word in over(words, start, end):
        word.is_read = word.is_read or not word.is_named
