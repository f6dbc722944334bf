"""What a pick made of the words of a request, and what is asked about those that it made nothing of."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import reduce

from bot.agent.wanted import Wanted
from bot.domain.accounted import Heard
from bot.domain.unread_words import ALL_READ, Unread, cadence_of, quoted, unread
from bot.domain.views import Choice, QuestionField
from library.catalog import ParameterType, Script
from library.facts import FileFacts
from library.filling import COLUMN, Filled
from library.match import Match, Spoken, match, words_in

STOPPED = (
    "Nothing was made, as you said. Say here in other words what you need, or “over all rows” to have it without that."
)
_GO_ON, _STOP = "go on without", "stop"
_ALL_ROWS = re.compile(
    r"\b(?:over|with|use|take|count|for) all (?:of )?(?:the )?(?:rows|data|lines)\b|^\W*all (?:the )?rows\b"
)


class Beyond(StrEnum):
    """What becomes of a request that says more than any script does, where that could change the answer."""

    ASK = "ask"  # a person says whether to go on without
    REFUSE = "refuse"  # no script fits it, and a model takes it
    TELL = "tell"  # somebody chose the script already: it stands above the answer


def heard_by(
    wanted: Wanted, request: Spoken, picked: Match, filled: Filled, files: Sequence[FileFacts], *, is_own: bool = False
) -> tuple[Heard, ...]:
    """For each message; also of a pick that still has questions. A script of the team's own may read any column."""
    columns = list(dict.fromkeys(one.name for facts in files if facts.csv for one in facts.csv.columns))
    used = set(columns) if is_own else {*_read(filled), *_asked(filled)}
    values = [value for facts in files if facts.csv for one in facts.csv.columns for value in one.values]
    of_all = Heard(
        words=picked.heard | _of_files(picked.script, files),
        telling=picked.telling,
        does=picked.does,
        phrases=(*filled.phrases, *picked.phrases, *_in_unit(files)),
        used=tuple(one for one in columns if one in used),
        unused=tuple(one for one in columns if one not in used),
        values=tuple(dict.fromkeys(values)),
        files=tuple(facts.name for facts in files),
    )
    earlier = [" ".join(wanted.said[:number]) for number in range(len(wanted.said))]
    return tuple(_after(text, of_all, request, picked, files) for text in earlier)


def _in_unit(files: Sequence[FileFacts]) -> tuple[str, ...]:
    """“In EUR” is how it is, where a column of each file says so of every row."""
    units = [[one.values for one in facts.csv.columns if one.is_unit and one.values] for facts in files if facts.csv]
    said = {value for of_file in units for values in of_file for value in values}
    is_one = len(said) == 1 and len(units) == len(files) and all(units)
    return tuple(f"in {form}" for one in said for form in (one.upper(), one.lower())) if is_one else ()


def _of_files(script: Script, files: Sequence[FileFacts]) -> frozenset[str]:
    """Where each table is one line of the answer, “which shop” of shop_01.csv asks for what the script goes by."""
    tables = [one for one in script.parameters if one.type is ParameterType.TABLE_READERS]
    if not tables or any(one.texts for one in tables):
        return frozenset()
    words = {word for facts in files for word in re.findall(r"[^\W\d_]{3,}", facts.name.casefold())}
    return frozenset(words | {f"{word}s" for word in words})


def _after(earlier: str, heard: Heard, request: Spoken, picked: Match, files: Sequence[FileFacts]) -> Heard:
    """Where the script was picked by what was said before, a reply in its words may want something else of it.

    “Count warnings too” is more than the error summary does, although both its words are the summary's.
    """
    script = picked.script
    if not earlier or not match(Spoken(earlier, request.stems), files, {script.name: script}):
        return heard
    known = {word.casefold() for word in words_in(earlier)}

    def again(words: frozenset[str]) -> frozenset[str]:
        return frozenset(one for one in words if one.casefold() in known)

    return replace(heard, words=again(heard.words), telling=again(heard.telling), does=again(heard.does))


def left_of(wanted: Wanted, heard: Sequence[Heard]) -> tuple[Unread, ...]:
    """What of each message neither the schedule nor the script makes anything of."""
    cadence = "" if wanted.is_once else cadence_of(wanted.when)
    return tuple(
        unread(text, of_it, is_once=wanted.is_once, cadence=cadence)
        for text, of_it in zip(wanted.said, heard, strict=True)
    )


def not_understood(wanted: Wanted, request: Spoken, catalog: Mapping[str, Script]) -> str:
    """The words of the request that are no word of any script, quoted; empty where each is one of some script's."""
    of_scripts = ((*one.words, *one.also, *one.does, *one.grouped) for one in catalog.values())
    words = request.heard(word for some in of_scripts for word in some)
    heard = Heard(words=words, telling=words, does=words)
    left = in_all(unread(text, heard, is_once=wanted.is_once) for text in wanted.said)
    return quoted(left.all)


def in_all(each: Iterable[Unread]) -> Unread:
    return reduce(Unread.and_then, each, ALL_READ)


def is_agreed(wanted: Wanted, each: Sequence[Unread]) -> bool:
    """Whether somebody wants it without what could change the answer, by the form or by a reply.

    A reply agrees to what was said before it, and only where it sets no condition itself: “all rows since May” does.
    """
    replies = [
        number
        for number, (text, left) in enumerate(zip(wanted.said, each, strict=True))
        if number and not left.changing and _ALL_ROWS.search(text.casefold())
    ]
    is_open = any(left.changing for left in each[replies[-1] if replies else 0 :])
    return not is_open or wanted.answers.get(_key(in_all(each))) == _GO_ON


def is_stopped(wanted: Wanted, left: Unread) -> bool:
    return wanted.answers.get(_key(left)) == _STOP


def cannot(left: Unread) -> str:
    """The sentence before the question."""
    return f"I cannot do {quoted(left.changing)}: no proven script does, and without a model I write none."


def left_field(left: Unread, title: str) -> QuestionField:
    """Asks whether to go on without it. Another request with other words is asked about anew."""
    choices = (
        Choice(f"Make “{title}” over all rows, without that", _GO_ON),
        Choice("Stop: nothing is made", _STOP),
    )
    return QuestionField(
        _key(left), "What should I do without that?", f"Without {quoted(left.changing)}"[:150], choices
    )


def _key(left: Unread) -> str:
    return f"unread:{hashlib.sha256(repr(left.changing).encode()).hexdigest()[:16]}"


def _read(filled: Filled) -> Iterator[str]:
    readers = filled.parameters.get("readers")
    for reader in readers.values() if isinstance(readers, Mapping) else ():
        columns = reader.get("columns") if isinstance(reader, Mapping) else None
        yield from map(str, columns.values() if isinstance(columns, Mapping) else ())


def _asked(filled: Filled) -> Iterator[str]:
    """Those that a form offers are about to be used."""
    for question in filled.questions:
        yield from (choice.value for choice in question.choices if question.key.startswith(COLUMN))
