"""Rhythms that cron cannot say, read from a request: the first business day of a month, every two weeks."""

import re

from bot.domain.clock_words import DAY_NAME
from library.manifest_schedule import DAYS

_NTH = r"(first|1st|second|2nd|third|3rd|fourth|4th|last)"
_WORKDAY = r"(?:business day|working day|work\s?day|week\s?day)"
_KIND = rf"({DAY_NAME}|{_WORKDAY}|day)"
_PERIOD = r"(month|quarter)\b"
# A day of a month counts as a rhythm only where the words say that it recurs.
_NTH_DAY = re.compile(
    rf"(?:\b(?:every|each|on)\s+(?:the\s+)?|^\s*(?:the\s+)?){_NTH}\s+{_KIND}\s+(?:of|in)\s+(?:the|each|every|a)\s+{_PERIOD}"
    rf"|\b{_NTH}\s+{_KIND}\s+(?:of|in)\s+(?:each|every)\s+{_PERIOD}"
    rf"|\b(?:every|each)\s+{_PERIOD},?\s+on\s+(?:the\s+)?{_NTH}\s+{_KIND}(?!\s+of)"
    rf"|\b(month|quarter)ly,?\s+on\s+(?:the\s+)?{_NTH}\s+{_KIND}(?!\s+of)"
)
# "every second Monday" means two things, "every first Monday" one.
_BARE = re.compile(
    rf"\b(?:every|each)\s+(?:the\s+)?(first|last)\s+({DAY_NAME}|{_WORKDAY})(?!\s+(?:of|in)\b)"
    rf"|(?:\bon\s+|^\s*)(?:the\s+)?(first|last)\s+({_WORKDAY})\b(?!\s+(?:of|in)\b)"
)
_NUMBER = r"(\d{1,2}|other|second|two|three|four|five|six|eight)"
_DAY_LIST = rf"({DAY_NAME}(?:\s*(?:,|&|\band\b)\s*(?:on\s+)?{DAY_NAME}){{0,6}})"
_WEEKS = re.compile(
    rf"\b(?:every|each)\s+{_NUMBER}\s+weeks?\b(?:,?\s+(?:on\s+)?{_DAY_LIST})?"
    rf"|(?:\bon\s+)?{_DAY_LIST},?\s+(?:every|each)\s+{_NUMBER}\s+weeks?\b"
    rf"|\b(?:every|each)\s+other\s+(?P<other>{DAY_NAME})"
    rf"|\bfortnightly(?:,?\s+(?:on\s+)?(?P<fortnight>{DAY_NAME}))?"
)
_COUNTS = {"other": 2, "second": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8}
_ORDINALS = {"1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth"}


def rule_in(said: str) -> tuple[str, str] | None:
    """A rule without its time (`last fri of the month`) and the words around it; None where none is said.

    `said` is plain: lower case, single spaces. A rule that is said but does not exist is none: it stays a doubt.
    """
    for pattern, read in ((_NTH_DAY, _nth), (_BARE, _bare), (_WEEKS, _weeks)):
        if (found := pattern.search(said)) and (rule := read(found)):
            return rule, f"{said[: found.start()]} , {said[found.end() :]}"
    return None


def _nth(found: re.Match[str]) -> str:
    groups = [group for group in found.groups() if group]
    period = next(group for group in groups if group in ("month", "quarter"))
    nth, day = (group for group in groups if group != period)
    return _rule(nth, day, period)


def _bare(found: re.Match[str]) -> str:
    nth, day = (group for group in found.groups() if group)
    return _rule(nth, day, "month")


def _rule(nth: str, day: str, period: str) -> str:
    nth = _ORDINALS.get(nth, nth)
    if day == "day":
        return f"last day of the {period}" if nth == "last" else ""
    kind = "business day" if re.fullmatch(_WORKDAY, day) else day[:3]
    return f"{nth} {kind} of the {period}"


def _weeks(found: re.Match[str]) -> str:
    number = next((group for group in (found[1], found[4]) if group), "2")
    weeks = _COUNTS.get(number) or int(number)
    said = found["other"] or found["fortnight"] or found[2] or found[3] or "mon"
    days = {one[:3] for one in re.findall(DAY_NAME, said)}
    if not 2 <= weeks <= 26:
        return ""
    return f"every {weeks} weeks on {','.join(day for day in DAYS if day in days)}"
