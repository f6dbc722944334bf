"""Finds the proven script for a request: by its words, the kinds of the files and their columns, and says why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from library.catalog import ParameterSpec, ParameterType, Script
from library.columns import goes_by, has_roles
from library.facts import FileFacts, FileKind
from library.named import alike, grouped_by
from library.said import said_number

_WRITTEN = re.compile(r"[^\W_]+")
HALF = 0.5  # of the files must be of a kind the script reads, else the script is not for them
PAIR = 2  # words that say nothing alone, and enough together
ENOUGH_WORDS = 3  # words in common that count as a full fit
WORDS, FILES, COLUMNS = 0.5, 0.3, 0.2  # how much each of the three counts


@dataclass(frozen=True)
class Spoken:
    """A request in words. `stems` are those of each of them, and of each word that scripts go by.

    A search has them: "margins" and "margin" have one; what tells nothing, such as "the", has none.
    """

    text: str
    stems: Mapping[str, frozenset[str]]

    @cached_property
    def said(self) -> frozenset[str]:
        """Stems of all that is said."""
        return frozenset().union(*(self.stems[word] for word in words_in(self.text)))

    def has(self, word: str) -> bool:
        """Whether it is said, in any of its forms; several words at once only as they stand."""
        if " " in word:
            return re.search(rf"\b{re.escape(word)}\b", " ".join(self.text.casefold().split())) is not None
        return bool(self.stems[word]) and self.stems[word] <= self.said

    def heard(self, words: Iterable[str]) -> frozenset[str]:
        """The words of the request, as they are written, that are one of these or stand in one of several."""
        of_one = {stem for word in words if " " not in word for stem in self.stems[word]}
        said = {word for phrase in words if " " in phrase and self.has(phrase) for word in words_in(phrase)}
        spoken = words_in(self.text)
        return frozenset(
            word for word in spoken if word.casefold() in said or (self.stems[word] and self.stems[word] <= of_one)
        )

    def of(self, words: Iterable[str]) -> frozenset[str]:
        """The words of the request that are one of these to the letter, or its plural."""
        known = [word.casefold() for word in words]
        return frozenset(one for one in words_in(self.text) if any(alike(one.casefold(), word) for word in known))

    def phrases(self, words: Iterable[str]) -> tuple[str, ...]:
        """Those of several words, as they stand in the request."""
        found = (re.search(rf"\b{re.escape(one)}\b", self.text, re.IGNORECASE) for one in words if " " in one)
        return tuple(one[0] for one in found if one)

    def as_written(self, stems: Set[str]) -> list[str]:
        """The words of the request that have these stems, one for each."""
        found = {self.stems[word]: word for word in reversed(words_in(self.text)) if self.stems[word]}
        return [word for of_it, word in reversed(found.items()) if of_it <= stems]


def words_in(text: str) -> tuple[str, ...]:
    """Its words as they are written there, each once."""
    return tuple(dict.fromkeys(_WRITTEN.findall(text)))


@dataclass(frozen=True)
class Match:
    script: Script
    score: float  # 0 to 1
    reason: str  # a plain sentence
    telling: frozenset[str] = frozenset()  # words of the request, as written, that find the script by themselves
    heard: frozenset[str] = frozenset()  # those, and others that speak for it
    does: frozenset[str] = frozenset()  # those of what it does
    phrases: tuple[str, ...] = ()  # several telling words at once, as they stand


def match(request: Spoken, files: Sequence[FileFacts], catalog: Mapping[str, Script]) -> list[Match]:
    """The scripts that fit, best first: the first is the pick, the others are the runners-up. Empty if none fits.

    A script fits if it shares a telling word with the request, or two that tell together, and at least half of the
    files are such as it reads.
    """
    found = [_match(request, files, script) for script in catalog.values()]
    return sorted((one for one in found if one), key=lambda one: (-one.score, one.script.name))


def _match(request: Spoken, files: Sequence[FileFacts], script: Script) -> Match | None:
    fitting = [one for one in files if fits(one, script)]
    share = len(fitting) / len(files) if files else 0.0
    if share < HALF:
        return None
    shared = [word for word in script.words if request.has(word)]
    if _groups_rows(request.text, fitting):
        shared += [word for word in script.grouped if request.has(word) and word not in shared]
    beside = [word for word in script.also if request.has(word) and word not in shared]
    telling = len(_apart(request, beside)) >= PAIR or (beside and _says_its_numbers(request.text, script))
    if not (shared or telling):
        return None
    count = len(_apart(request, shared)) + len(_apart(request, beside)) / 2
    score = WORDS * min(1.0, count / ENOUGH_WORDS) + FILES * share + COLUMNS * _named_columns(script, fitting)
    by = request.heard((*shared, *beside))
    said = [word for word in words_in(request.text) if word in by]
    reason = f"{script.says} The request says {_quoted(said)}, and {_which(fitting, len(files))}."
    return Match(
        script,
        round(score, 3),
        reason,
        telling=request.heard(script.words),
        heard=request.heard((*script.words, *script.also, *script.grouped)) | request.of(_usual_names(script)),
        does=request.heard((*words_in(script.says), *script.does)) | request.of(script.does),
        phrases=request.phrases(script.words),
    )


def _usual_names(script: Script) -> list[str]:
    """What the columns are called that it reads: “the sum of costs” is what it adds up, whatever the column's name."""
    names = (names for spec in script.parameters for names in (*spec.roles.values(), *spec.texts.values()))
    return [word for some in names for name in some for word in words_in(name)]


def _apart(request: Spoken, words: Sequence[str]) -> set[frozenset[str]]:
    """Each word once, whatever its forms: “total” and “totals” are one."""
    return {frozenset({word}) if " " in word else request.stems[word] for word in words}


def _groups_rows(text: str, files: Sequence[FileFacts]) -> bool:
    """Whether the request puts rows together by a column that one of the files has."""
    header = list(dict.fromkeys(name for facts in files if facts.csv for name in facts.csv.header))
    return bool(grouped_by(header, text))


def _says_its_numbers(text: str, script: Script) -> bool:
    """Whether the request gives every number that the script must be told: nobody does so by accident."""
    ways = [spec.says for spec in script.parameters if spec.says and spec.default is None]
    return bool(ways) and all(said_number(one, text)[0] for one in ways)


def fits(facts: FileFacts, script: Script) -> bool:
    """By its kind, and what a reader of the script needs in it: a level in a log, a column for each role in a table."""
    return facts.kind in script.kinds and all(_can_read(spec, facts) for spec in script.parameters)


def _can_read(spec: ParameterSpec, facts: FileFacts) -> bool:
    if spec.type is ParameterType.LOG_READERS:
        return facts.log is not None and facts.log.has_level
    if spec.type is ParameterType.TABLE_READERS:
        return facts.csv is not None and has_roles(spec, facts.csv)
    return True


def _named_columns(script: Script, files: Sequence[FileFacts]) -> float:
    """Share of the script's columns that go by a usual name in the files it reads; all, where it needs none."""
    roles = [names for spec in script.parameters for names in (*spec.roles.values(), *spec.texts.values())]
    header = [name for facts in files if facts.csv for name in facts.csv.header]
    return sum(goes_by(names, header) for names in roles) / len(roles) if roles else 1.0


# One of a kind, and several.
_KINDS = {
    FileKind.TEXT_LOG: ("a text log with levels", "text logs with levels"),
    FileKind.LOGFMT: ("a log of key=value pairs", "logs of key=value pairs"),
    FileKind.JSON_LINES: ("a file of JSON lines", "files of JSON lines"),
    FileKind.JSON: ("a JSON document", "JSON documents"),
    FileKind.CSV: ("a CSV table", "CSV tables"),
    FileKind.EXCEL: ("an Excel workbook", "Excel workbooks"),
    FileKind.PARQUET: ("a Parquet file", "Parquet files"),
}


def _which(fitting: Sequence[FileFacts], files: int) -> str:
    """`all 14 files are text logs with levels`, `the file is a CSV table`, `1 of 3 files is a CSV table`."""
    is_one = len(fitting) == 1
    kinds = Counter(one.kind for one in fitting).most_common()
    what = " or ".join(_KINDS.get(kind, (str(kind), str(kind)))[0 if is_one else 1] for kind, _ in kinds)
    if len(fitting) == files:
        return f"the file is {what}" if is_one else f"all {files} files are {what}"
    return f"{len(fitting)} of {files} files {'is' if is_one else 'are'} {what}"


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words[:4])
