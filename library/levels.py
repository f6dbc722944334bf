"""Names of log levels, and what they are synonyms of. Standard library only: this file also runs inside a box.

Sources: RFC 5424 section 6.2.1 (syslog keywords), Python's logging, log4j 2 and java.util.logging level names,
Serilog and .NET (Verbose, Information, Fatal), glog and Android letters, pino's numbers 10 to 60.
"""

from __future__ import annotations

from collections.abc import Iterable

LEVELS = ("TRACE", "DEBUG", "INFO", "NOTICE", "WARNING", "ERROR", "CRITICAL")  # in rising order

_WORDS = {
    "TRACE": ("trace", "trc", "verbose", "finest", "finer"),
    "DEBUG": ("debug", "dbg", "fine"),
    "INFO": ("info", "inf", "information", "informational"),
    "NOTICE": ("notice",),
    "WARNING": ("warning", "warn", "wrn"),
    "ERROR": ("error", "err", "severe"),
    "CRITICAL": ("critical", "crit", "fatal", "ftl", "alert", "emerg", "emergency", "panic"),
}
_BY_WORD = {word: level for level, words in _WORDS.items() for word in words}
# A single letter or number means a level only if all others at its place do too.
_LETTERS = {"V": "TRACE", "D": "DEBUG", "I": "INFO", "W": "WARNING", "E": "ERROR", "F": "CRITICAL"}
_PINO = {"10": "TRACE", "20": "DEBUG", "30": "INFO", "40": "WARNING", "50": "ERROR", "60": "CRITICAL"}
# What a logger of each level usually writes; admitted although a sample did not happen to show it.
_USUAL = {
    "TRACE": ("TRACE",),
    "DEBUG": ("DEBUG",),
    "INFO": ("INFO",),
    "NOTICE": ("NOTICE",),
    "WARNING": ("WARN", "WARNING"),
    "ERROR": ("ERROR",),
    "CRITICAL": ("CRITICAL", "FATAL"),
}


def known_level(word: str) -> str | None:
    """The level that a whole word is a well-known name of, in any case."""
    return _BY_WORD.get(word.lower())


def known_levels(seen: Iterable[str]) -> dict[str, str]:
    """Each name that is well known, with its level; names that are not well known are left out, never guessed."""
    names = sorted(set(seen))
    for table in (_LETTERS, _PINO):
        if names and all(name in table for name in names):
            return {name: table[name] for name in names}
    found = ((name, known_level(name)) for name in names)
    return {name: level for name, level in found if level is not None}


def admitted_levels(seen: Iterable[str]) -> dict[str, str]:
    """The levels a reader admits: those seen, and the usual names of levels not seen, in the same case.

    A first CRITICAL in a year is no surprise; a second name for a level that already has one (WARN, then WARNING) is.
    """
    names = sorted(set(seen))
    mapping = known_levels(names)
    usual = {
        written: level
        for level in LEVELS
        if level not in mapping.values()
        for written in _in_the_case_of(list(mapping), _USUAL[level])
    }
    return dict(sorted((mapping | usual).items(), key=lambda item: (LEVELS.index(item[1]), item[0])))


def _in_the_case_of(names: list[str], usual: tuple[str, ...]) -> list[str]:
    """The usual names written as the seen ones are; none where cases mix, or letters and numbers are used."""
    words = [name for name in names if known_level(name)]
    for case in (str.upper, str.lower, str.title):
        if words and len(words) == len(names) and all(name == case(name) for name in words):
            return [case(name) for name in usual]
    return []
