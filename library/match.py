"""Finds the proven script for a request: by its words, the kinds of the files and their columns, and says why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from library.catalog import ParameterType, Script
from library.facts import FileFacts, FileKind
from library.said import said_number

_WORD = re.compile(r"[a-z0-9]+")
_WRITTEN = re.compile(r"[A-Za-z0-9]+")
HALF = 0.5  # of the files must be of a kind the script reads, else the script is not for them
ENOUGH_WORDS = 3  # words in common that count as a full fit
WORDS, FILES, COLUMNS = 0.5, 0.3, 0.2  # how much each of the three counts


@dataclass(frozen=True)
class Match:
    script: Script
    score: float  # 0 to 1
    reason: str  # a plain sentence


def match(request: str, files: Sequence[FileFacts], catalog: Mapping[str, Script]) -> list[Match]:
    """The scripts that fit, best first: the first is the pick, the others are the runners-up. Empty if none fits.

    A script fits if it shares a telling word with the request and reads the kind of at least half of the files.
    """
    found = [_match(request, files, script) for script in catalog.values()]
    return sorted((one for one in found if one), key=lambda one: (-one.score, one.script.name))


def _match(text: str, files: Sequence[FileFacts], script: Script) -> Match | None:
    request = _stems(text)
    shared = [word for word in script.words if _stems(word) <= request]
    fitting = [one for one in files if fits(one, script)]
    share = len(fitting) / len(files) if files else 0.0
    beside = [word for word in script.also if _stems(word) <= request]
    if not (shared or (beside and _says_its_numbers(text, script))) or share < HALF:
        return None
    words = min(1.0, (len(shared) + len(beside) / 2) / ENOUGH_WORDS)
    score = WORDS * words + FILES * share + COLUMNS * _named_columns(script, fitting)
    said = _in_the_words_of(text, {stem for word in (*shared, *beside) for stem in _stems(word)})
    reason = f"{script.says} The request says {_quoted(said)}, and {_which(fitting, len(files))}."
    return Match(script, round(score, 3), reason)


def _says_its_numbers(text: str, script: Script) -> bool:
    """Whether the request gives every number that the script must be told: nobody does so by accident."""
    ways = [spec.says for spec in script.parameters if spec.says and spec.default is None]
    return bool(ways) and all(said_number(one, text)[0] for one in ways)


def fits(facts: FileFacts, script: Script) -> bool:
    """By kind alone; a log without a level is no log for a script that counts levels."""
    if facts.kind not in script.kinds:
        return False
    if ParameterType.TABLE_READERS in {spec.type for spec in script.parameters}:
        return facts.csv is not None
    return facts.log is None or facts.log.has_level


def _named_columns(script: Script, files: Sequence[FileFacts]) -> float:
    """Share of the script's columns that go by a usual name in the files it reads; all, where it needs none."""
    roles = [names for spec in script.parameters for names in (*spec.roles.values(), *spec.texts.values())]
    header = " ".join(name for facts in files if facts.csv for name in facts.csv.header)
    found = [names for names in roles if any(_stems(name) <= _stems(header) for name in names)]
    return len(found) / len(roles) if roles else 1.0


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


def _in_the_words_of(text: str, stems: set[str]) -> list[str]:
    """The words of a text that have these stems, as they are written there, each once."""
    return list(dict.fromkeys(word for word in _WRITTEN.findall(text) if _stems(word) <= stems))


def _quoted(words: list[str]) -> str:
    """Each once: a script that lists "error" and "errors" means one word of the request."""
    once = {frozenset(_stems(word)): word for word in reversed(words)}
    return ", ".join(f'"{word}"' for word in list(reversed(once.values()))[:4])


def _stems(text: str) -> set[str]:
    """Words without their commonest English endings, so that "margins" finds "margin" and "ranking" finds "rank"."""
    words = _WORD.findall(text.lower())
    return {re.sub(r"(ings?|ed|ies|es|s|y)$", "", word) if len(word) > 3 else word for word in words}
