"""The time of day and the zone that a request names; what it does not say for certain is told apart from nothing."""

import re
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from bot.domain.spoken_words import place_in

DAY_NAME = (
    r"(?:mon(?:days?)?|tue(?:s|sdays?)?|wed(?:s|nesdays?)?|thu(?:rs?|rsdays?)?|fri(?:days?)?|sat(?:urdays?)?"
    r"|sun(?:days?)?)\b(?!['’]s?\b)"
)
DAY_PART = r"(?:mornings?|afternoons?|evenings?|nights?)"

_CLOCK = r"\d{1,2}(?:[:.]\d{2}|h\d{2})?(?:\s*[ap]m\b)?"
_READ = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?\s*([ap]m)?")
# A span is something that data has ("from 00:00 to 06:00"), never the moment at which to run.
_SPAN = re.compile(
    rf"\b(?:from|between)\s+{_CLOCK}\s*(?:-|to|and|until|till)\s*{_CLOCK}|\d{{1,2}}:\d{{2}}\s*(?:-|to)\s*\d{{1,2}}:\d{{2}}"
    r"|\b(?:until|till|before|after|since)\s+\d{1,2}(?::\d{2}|\s*[ap]m\b)"
    r"|\b(?:before|after|no later than)\s+\d{1,2}(?=\s*(?:$|[,;!?]|\.(?!\d)|(?:o['’]?clock|and|every|each)\b))"
)
# What stands before a bare time where the time is about the schedule.
_BEFORE = (
    rf"(?:{DAY_NAME}|days?|weekdays?|workdays?|weeks?|months?|daily|weekly|monthly|nightly|{DAY_PART}"
    r"|\d(?:st|nd|rd|th)|run)"
)
_NOT_A_TIME = r"(?![\d%°/]|[:.,]\d|\s*%)"
# After a bare hour: the end, or a word that cannot be what is counted ("at 14 log files").
_AFTER_HOUR = (
    r"(?=\s*(?:$|[,;!?)]|\.(?!\d)|(?:o['’]?clock|sharp|every|each|on|in|and|or|to|please|utc|gmt|local|my|our)\b|@|&))"
)
_FULL = r"\d{1,2}:\d{2}(?:\s*[ap]m\b)?|\d{1,2}\s*[ap]m\b"
_AT = re.compile(
    rf"(?:\b(?:at|by)\s+|@\s*)({_FULL}|\d{{1,2}}[.h]\d{{2}}(?:\s*[ap]m\b)?){_NOT_A_TIME}"
    rf"|(?<!look )(?<!looks )(?<!looking )(?:\bat\s+|@\s*)(\d{{1,2}}){_NOT_A_TIME}{_AFTER_HOUR}"
    rf"|\b{_BEFORE},?\s+(?:at|by)\s+(\d{{1,2}}){_NOT_A_TIME}(?!\w|\s*[ap]m\b)"
    rf"|(?:\b{_BEFORE},?\s+|^\s*)({_FULL}){_NOT_A_TIME}"
    rf"|(?<![\d:.-])({_FULL}){_NOT_A_TIME}(?=,?\s+(?:every|each|on|daily|weekly)\b)"
)
_ALSO = re.compile(rf"\s*(?:,|and|&|,\s*and)\s*(?:at\s+)?({_CLOCK}){_NOT_A_TIME}{_AFTER_HOUR}")
_ANY = re.compile(r"(?<![\d:.-])\d{1,2}:\d{2}(?![\d:])|(?<![\d.])\d{1,2}\s*[ap]m\b|\bat\s+\d{4}\b(?!-)")
_PART_OF = re.compile(
    rf"\b(?:every|each)\s+(?:single\s+)?(?:(?:{DAY_NAME}|\w+\s?day)\s+)?({DAY_PART})\b"
    rf"|\b{DAY_NAME}\s+({DAY_PART})\b|\d\s*in the ({DAY_PART})\b|\d\s*at (night)\b|\b(night)ly\b"
)
_IANA = re.compile(r"\b([A-Z][A-Za-z]+/[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_]+)?)\b")
_UTC = re.compile(r"(?:\d|[ap]m)\s*\(?(?:utc|gmt)\b(?!\s*[+-]\s*\d)")
# Letters that mean an offset to some and a zone with summer time to others, or two places at once.
_OTHER_ZONE = re.compile(
    r"(?:\d|[ap]m)\s*\(?(?:(?:utc|gmt)\s*[+-]\s*\d|(?:[cew]es?t|[ecmp][sd]?t|bst|ist|jst|a[ew][sd]t|msk)\b"
    r"|(?:eastern|central|mountain|pacific)\b|(?!local|my|our|this|that|the|same)[a-z]+ time\b)"
)


@dataclass(frozen=True)
class TimesSaid:
    """Hours that share one minute; no hours: nothing was said. `is_unclear`: something was, but not for certain."""

    hours: tuple[int, ...] = ()
    minute: int = 0
    is_unclear: bool = False


UNCLEAR = TimesSaid(is_unclear=True)


def times_in(said: str) -> TimesSaid:
    """The time of day in a request (lower case, single spaces)."""
    if _OTHER_ZONE.search(said):
        return UNCLEAR
    plain = _SPAN.sub(" ~ ", said)
    found = list(_AT.finditer(plain))
    if not found:
        return UNCLEAR if "~" in plain or _ANY.search(plain) else TimesSaid()
    written = [next(group for group in m.groups() if group) for m in found]
    written += _also(plain, found[0].end())
    part = part_of_day(said)
    times = {_moment(text, part) for text in written}
    if None in times or (len({m.end() for m in found}) > 1 and len(times) > 1):
        return UNCLEAR
    clear = sorted(time for time in times if time)
    minutes = {minute for _, minute in clear}
    if len(minutes) > 1:
        return UNCLEAR
    return TimesSaid(tuple(hour for hour, _ in clear), minutes.pop())


def part_of_day(said: str) -> str:
    """morning, afternoon, evening or night, where the request says so of its schedule; else empty."""
    found = _PART_OF.search(said)
    return next(group for group in found.groups() if group).removesuffix("s") if found else ""


def zone_in(text: str) -> str:
    """The IANA name of a zone that the text (as typed) names; empty where it names none."""
    for name in dict.fromkeys(_IANA.findall(text)):
        try:
            return ZoneInfo(name).key
        except (KeyError, ValueError, OSError):
            continue
    low = " ".join(text.lower().split())
    return "UTC" if _UTC.search(low) else place_in(low)[0]


def _also(plain: str, start: int) -> list[str]:
    """Further times of a list: "at 7, 12 and 17"."""
    found = []
    while more := _ALSO.match(plain, start):
        found.append(more[1])
        start = more.end()
    return found


def _moment(written: str, part: str) -> tuple[int, int] | None:
    """Hour and minute, or None where there is no such time."""
    read = _READ.fullmatch(written)
    if not read:
        return None
    hour, minute = int(read[1]), int(read[2] or 0)
    if read[3]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if read[3] == "pm" else 0)
    elif part:
        placed = _in_part(hour, part)
        if placed is None:
            return None
        hour = placed
    return (hour, minute) if hour < 24 and minute < 60 else None


def _in_part(hour: int, part: str) -> int | None:
    """The hour that "7 in the evening" means; None where part and hour do not go together."""
    spans = {"morning": range(12), "afternoon": range(12, 19), "evening": range(16, 24)}
    if part == "night":
        return 0 if hour == 12 else hour if hour < 6 or 18 <= hour < 24 else hour + 12 if 8 <= hour < 12 else None
    return next((h for h in (hour, hour + 12) if h in spans[part]), None)
