"""What a request says of slots that are late, overtaken, without files or on a holiday, read from its words."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

from bot.domain.calendars import region_named
from library.manifest_schedule import CATCH_UP_H, LATE_MIN, WAIT_FILES, OnHoliday, Overlap, SlotTerms

_CLOCK = r"(\d{1,2}(?:[:.]\d{2})?\s*(?:[ap]m\b)?)"
_FILES = r"(?:the |all |its |our |their )*(?:(\d{1,3}) )?(?:\w+ )?(?:files?|data|logs?|tables?|inputs?)"
_THERE = r"(?: (?:are|is|have|has) (?:all )?(?:there|in|here|come|posted|arrived))?"
_SPAN = r"(\d{1,3}) ?(min(?:ute)?s?|h(?:ou)?rs?|days?)"
_WORKDAY = r"(?:the )?next (?:working |business |work)day"

_WAIT = re.compile(
    rf"\bwait(?:ing|s)? (?:for|until) {_FILES}{_THERE},?(?: but)?(?: not)?"
    rf" (?:until|till|up to|by|longer than|after) {_CLOCK}"
    rf"|\b(?:start|run|begin)(?:s|ning)? (?:it )?(?:only )?(?:when|once|as soon as) {_FILES}{_THERE}[;,.]?"
    r"(?: and| but)? (?:tell|warn|alert|notify) (?:us|me|them|everybody)"
    rf" (?:if|when) (?:they are )?not(?: there)? (?:by|at) {_CLOCK}",
    re.IGNORECASE,
)
_NO_WAIT = re.compile(rf"\b(?:do not|don['’]t|no longer|stop) wait(?:ing)? for {_FILES}", re.IGNORECASE)
_WHERE = r"(?:public |bank |national )?holidays? (?:in|of) ([^,.;:!?\n]{2,40}?)"
_SHIFT = re.compile(
    rf"\b(?:move|shift|postpone) (?:it (?:on|over) )?{_WHERE} (?:on)?to {_WORKDAY}\b"
    rf"|\bon {_WHERE},? (?:run|move|shift|send) (?:it )?(?:on|to) {_WORKDAY}\b",
    re.IGNORECASE,
)
_SKIP = re.compile(
    r"(?:,? (?:and|but))?,?\s*\b(?:skip(?:ping)?|leave out|not|never|except|excluding|no (?:report|run|slot)s?)"
    r"(?: on| for)? (?:public |bank |national )?holidays? (?:in|of) ([^,.;:!?\n]{2,40})",
    re.IGNORECASE,
)
_NO_HOLIDAYS = re.compile(r"\b(?:also on|ignore|do not skip|don['’]t skip) (?:public )?holidays\b", re.IGNORECASE)
_LATE = re.compile(rf"\b(?:at most|no more than|not more than|never more than|up to) {_SPAN} late\b", re.IGNORECASE)
_CATCH_UP = re.compile(
    rf"\b(?:catch|make) up (?:for |on )?(?:what(?:ever)? (?:was|is) missed |missed (?:slots|runs|reports) )?"
    rf"(?:for|within|of)(?: up to)?(?: the last)? {_SPAN}\b",
    re.IGNORECASE,
)
_ONE_BY_ONE = re.compile(
    r"\b(?:runs?|slots?) (?:wait|queue)s? for the (?:run|one) before\b|\bone run after the other\b", re.I
)
_OVERTAKEN = re.compile(
    r"\bskip a (?:slot|run) while the (?:run|one) before (?:is )?still (?:runs|running|going)\b", re.I
)


@dataclass(frozen=True)
class SaidTerms:
    """The terms that words name; None is not said."""

    overlap: Overlap | None = None
    catch_up_h: int | None = None
    late_min: int | None = None
    wait_until: str | None = None
    wait_files: int | None = None
    holidays: str | None = None
    on_holiday: OnHoliday | None = None

    def __bool__(self) -> bool:
        return any(value is not None for value in vars(self).values())

    def over(self, earlier: "SaidTerms") -> "SaidTerms":
        """What was said before, with this said later."""
        return replace(earlier, **{one.name: v for one in fields(self) if (v := getattr(self, one.name)) is not None})

    def applied(self, terms: SlotTerms) -> SlotTerms:
        return replace(terms, **{one.name: v for one in fields(self) if (v := getattr(self, one.name)) is not None})


NOTHING_SAID = SaidTerms()


def terms_in(text: str) -> tuple[SaidTerms, str]:
    """The terms that a request names, and the rest of its words."""
    said, rest = SaidTerms(), re.sub(r"\s+", " ", text)
    for pattern, read in _READERS:
        if (found := pattern.search(rest)) and (more := read(found)):
            said = said.over(more)
            rest = f"{rest[: found.start()]} , {rest[_end(found) :]}"
    return said, rest


def _end(found: re.Match[str]) -> int:
    """Where what was understood ends: of a holiday's `Norway and tell me` only the country."""
    if found.re is not _SKIP:
        return found.end()
    where = found[1]
    words = where.split(" ")
    region = region_named(where)
    kept = next(n for n in range(1, len(words) + 1) if region_named(" ".join(words[:n])) == region)
    return found.start(1) + len(" ".join(words[:kept]))


def _wait(found: re.Match[str]) -> SaidTerms | None:
    count, clock = (found[1], found[2]) if found[2] else (found[3], found[4])
    at = _clock(clock)
    files = int(count or 1)
    if at is None or not WAIT_FILES[0] <= files <= WAIT_FILES[1]:
        return None
    return SaidTerms(wait_until=at, wait_files=files)


def _clock(written: str) -> str | None:
    read = re.fullmatch(r"(\d{1,2})(?:[:.](\d{2}))?\s*([ap]m)?", written.strip().lower())
    if read is None:
        return None
    hour, minute = int(read[1]), int(read[2] or 0)
    if read[3]:
        hour = hour % 12 + (12 if read[3] == "pm" else 0)
    return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None


def _holidays(on_holiday: OnHoliday, found: re.Match[str]) -> SaidTerms | None:
    region = region_named(next(group for group in found.groups() if group))
    return SaidTerms(holidays=region, on_holiday=on_holiday) if region else None


def _minutes(found: re.Match[str]) -> int:
    return int(found[1]) * {"m": 1, "h": 60, "d": 24 * 60}[found[2][0].lower()]


def _late(found: re.Match[str]) -> SaidTerms | None:
    minutes = _minutes(found)
    return SaidTerms(late_min=minutes) if LATE_MIN[0] <= minutes <= LATE_MIN[1] else None


def _catch_up(found: re.Match[str]) -> SaidTerms | None:
    hours = _minutes(found) // 60
    return SaidTerms(catch_up_h=hours) if CATCH_UP_H[0] <= hours <= CATCH_UP_H[1] else None


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], SaidTerms | None]], ...] = (
    (_NO_WAIT, lambda _: SaidTerms(wait_until="", wait_files=1)),
    (_WAIT, _wait),
    (_NO_HOLIDAYS, lambda _: SaidTerms(holidays="", on_holiday=OnHoliday.SKIP)),
    (_SHIFT, lambda found: _holidays(OnHoliday.SHIFT, found)),
    (_SKIP, lambda found: _holidays(OnHoliday.SKIP, found)),
    (_LATE, _late),
    (_CATCH_UP, _catch_up),
    (_ONE_BY_ONE, lambda _: SaidTerms(overlap=Overlap.WAIT)),
    (_OVERTAKEN, lambda _: SaidTerms(overlap=Overlap.SKIP)),
)
