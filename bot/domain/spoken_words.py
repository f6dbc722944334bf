"""Times and places as people say them, turned into what the readers of clocks and zones know."""

import re
from functools import cache
from zoneinfo import available_timezones

_HOURS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_HOUR = rf"(?:\d{{1,2}}|{'|'.join(_HOURS)})\b"
_PART = r"\b(?:morning|afternoon|evening|night)s?\b|\b[ap]m\b|\d[ap]m\b"
_PAST = re.compile(rf"\b(half|(?:a )?quarter)\s+(past|after|to|before)\s+({_HOUR})(\s*[ap]m\b)?")
_AT_WORD = re.compile(rf"\b(at|before|after|by)\s+({'|'.join(_HOURS)})\b")
# "New York time" is a place only where such a zone exists; "lunch time" and "the same time" are none.
_PLACE_TIME = re.compile(r"\b((?:[a-z]+[ -]){0,2}[a-z]+) time\b")
_AREAS = frozenset({"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"})
_FEAST = "easter"


def spelled(said: str) -> str:
    """`said` (lower case, single spaces) with spoken hours as digits.

    “Half past four” is left as it is where nothing says which half of the day is meant.
    """
    said = _AT_WORD.sub(lambda at: f"{at[1]} {_number(at[2])}", said)
    if re.search(_PART, said):
        said = _PAST.sub(_clock, said)
    return said


def place_in(said: str) -> tuple[str, str]:
    """The zone of “Oslo time” and the words without it; no zone where none of that name exists."""
    for found in _PLACE_TIME.finditer(said):
        words = re.split("[ -]", found[1])
        for start in range(len(words)):
            if zone := _places().get(" ".join(words[start:]), ""):
                kept = " ".join(words[:start])
                return zone, " ".join(f"{said[: found.start()]}{kept} {said[found.end() :]}".split())
    return "", said


@cache
def _places() -> dict[str, str]:
    """The last part of each zone's name that only one zone has."""
    found: dict[str, set[str]] = {}
    for zone in available_timezones():
        area, _, place = zone.partition("/")
        if area in _AREAS:
            found.setdefault(place.rpartition("/")[2].replace("_", " ").lower(), set()).add(zone)
    return {place: next(iter(zones)) for place, zones in found.items() if len(zones) == 1 and place != _FEAST}


def _clock(said: re.Match[str]) -> str:
    hour, is_past = _number(said[3]), said[2] in ("past", "after")
    if (said[1] == "half" and not is_past) or not 1 <= hour <= 23:
        return said[0]
    if is_past:
        return f"{hour}:{30 if said[1] == 'half' else 15}{said[4] or ''}"
    return f"{hour - 1 or 12}:45{said[4] or ''}"


def _number(word: str) -> int:
    return _HOURS.index(word) + 1 if word in _HOURS else int(word)
