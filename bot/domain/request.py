"""What a request says in words: when, to whom, under which name. Nothing is guessed: unclear means None."""

import re
from dataclasses import dataclass

WEEKDAY = {
    "monday": "mon",
    "tuesday": "tue",
    "wednesday": "wed",
    "thursday": "thu",
    "friday": "fri",
    "saturday": "sat",
    "sunday": "sun",
}
_DAY = "|".join(WEEKDAY)
_DAYS = re.compile(rf"\b(?:every|each)\s+(?:week\s+on\s+)?((?:(?:{_DAY})\b(?:\s*(?:,|and|&)\s*)*)+)|\b((?:{_DAY})s)\b")

_MENTION = re.compile(r"<@[A-Z0-9]+(\|[^>]*)?>")
_MAILTO = re.compile(r"<mailto:([^|>]+)(\|[^>]*)?>")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_TIME = re.compile(r"\b(?:at|by)\s+(\d{1,2})(?::(\d{2}))?\s*(am|pm)?\b|\b(\d{1,2}):(\d{2})\b")
_NAMED = re.compile(
    r"\b(?:e-?mail|mail|send)\b(?:\s+(?:it|this|them|that|(?:the|a|an)\s+[\w' -]{1,30}?))?"
    r"\s+to\s+(?:the\s+|our\s+)?([a-z0-9][\w' -]{1,60}?)(?=[.,;!?]|\s+(?:and|at|every|each|by|with|on)\b|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Wish:
    """A request as far as its words are clear. `destinations` are names still to be resolved."""

    text: str
    cron: str | None
    addresses: tuple[str, ...]
    destinations: tuple[str, ...]


def read(text: str, default_time: str) -> Wish:
    """Read a request. `default_time` is HH:MM for requests that name a day but no time."""
    plain = _MAILTO.sub(r"\1", _MENTION.sub(" ", text))
    plain = re.sub(r"\s+", " ", plain).strip()
    return Wish(plain, cron_of(plain, default_time), tuple(_ADDRESS.findall(plain)), _names(plain))


def guided(wish: Wish, later: Wish) -> Wish:
    """A wish with what was said later: a new time replaces the old one, recipients are added."""
    return Wish(
        text=f"{wish.text} {later.text}",
        cron=later.cron or wish.cron,
        addresses=tuple(dict.fromkeys(wish.addresses + later.addresses)),
        destinations=tuple(dict.fromkeys(wish.destinations + later.destinations)),
    )


def cron_of(text: str, default_time: str) -> str | None:
    """The cron line that the words mean, or None when they name no recurrence that is known for certain."""
    low = text.lower()
    at = _time(low, default_time)
    if at is None:
        return None
    hour, minute = at
    if re.search(r"\b(every|each)\s+(week|working|business)\s?days?\b|\bweekdays\b", low):
        return f"{minute} {hour} * * mon-fri"
    if named := _weekdays(low):
        return f"{minute} {hour} * * {','.join(named)}"
    if re.search(r"\b(every|each)\s+(day|morning)\b|\bdaily\b", low):
        return f"{minute} {hour} * * *"
    monthly = re.search(
        r"\b(?:first|1st)(?:\s+day)?\s+of\s+(?:every|each|the)\s+month\b|\bmonthly\b|\bevery month\b", low
    )
    if monthly:
        return f"{minute} {hour} 1 * *"
    if re.search(r"\b(every|each)\s+week\b|\bweekly\b", low):
        return f"{minute} {hour} * * mon"
    if re.search(r"\b(every|each)\s+hour\b|\bhourly\b", low):
        return "0 * * * *"
    return None


def _weekdays(low: str) -> list[str]:
    """Weekdays named as recurring ("every Monday", "Mondays"), never one that is only mentioned."""
    said = " ".join(a or b for a, b in _DAYS.findall(low))
    return [short for long, short in WEEKDAY.items() if long in said]


def _time(low: str, default_time: str) -> tuple[int, int] | None:
    found = _TIME.search(low)
    if not found:
        default_hour, default_minute = default_time.split(":")
        return int(default_hour), int(default_minute)
    hour = int(found[1] or found[4])
    minute = int(found[2] or found[5] or 0)
    if found[3] == "pm" and hour < 12:
        hour += 12
    if found[3] == "am" and hour == 12:
        hour = 0
    return (hour, minute) if hour < 24 and minute < 60 else None


def _names(text: str) -> tuple[str, ...]:
    names = (re.sub(r"\s+", " ", m.group(1)).strip() for m in _NAMED.finditer(text))
    here = ("me", "us", "this channel", "here", "the channel", "channel", "this thread")
    return tuple(n for n in names if n.lower() not in here and not _ADDRESS.search(n))
