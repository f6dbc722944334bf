"""What nothing read of what people said: told, never dropped, and asked about where it could change the answer."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.domain import small_words as small
from bot.domain.accounted import NOTHING_HEARD, Heard, accounted, parts_of
from bot.domain.cron import MONTHS, parse
from bot.domain.said_words import Word

LONGEST, MOST = 120, 5  # of what is quoted
WORKDAYS, MONTHS_OF_YEAR, QUARTERS = 5, len(MONTHS), 4
_NUMBER = re.compile(r"\d")
_SOME = frozenset({"the", "all", "any", "some", "one", "ones", "none"})  # “without any of those” is one condition
_LED = re.compile(r"^(?:(?:and|but) )+", re.IGNORECASE)


@dataclass(frozen=True)
class Unread:
    """Words as they stand in the text. `changing` could change the answer; of `other` nothing says so."""

    changing: tuple[str, ...] = ()
    other: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changing or self.other)

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.changing, *self.other)

    def and_then(self, later: "Unread") -> "Unread":
        def both(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
            return tuple(dict.fromkeys((*one, *other)))

        return Unread(both(self.changing, later.changing), both(self.other, later.other))


ALL_READ = Unread()


def unread(text: str, heard: Heard = NOTHING_HEARD, *, is_once: bool = False, cadence: str = "") -> Unread:
    """What neither the reader of requests nor a script read in a message.

    `is_once`: an answer now, in which a schedule means nothing. `cadence` is the unit in which a routine comes back:
    “last week” is what a weekly report is about.
    """
    plain, words = accounted(text, heard, is_once=is_once, cadence=cadence)
    found = [one for begin, end in parts_of(plain) for one in _of_part(words, plain, begin, end)]
    return Unread(_texts(found, is_changing=True), _texts(found, is_changing=False))


def quoted(parts: Sequence[str]) -> str:
    """As they stand in the text, as many as people read."""
    more = f" and {len(parts) - MOST} more" if len(parts) > MOST else ""
    return ", ".join(f"“{part[:LONGEST]}”" for part in parts[:MOST]) + more


def not_read(parts: Sequence[str]) -> str:
    """The sentence of a thread about what was not read; empty where there is nothing to tell."""
    if not parts:
        return ""
    return f"Not read: {quoted(parts)}. Without a model I do not understand that, so it changes nothing."


def above(parts: Sequence[str]) -> str:
    """The sentence above an answer, and on a card; empty where all was read."""
    return f"Not read: {quoted(parts)}. This is made from all of the data, without that." if parts else ""


def cadence_of(when: str) -> str:
    """The unit in which a cron line or a rule comes back; empty where it is none of those that people speak of."""
    if len(fields := when.split()) != 5 or not re.match(r"[\d*]", when):
        return next((unit for unit in ("month", "quarter", "week", "day") if unit in when), "")
    _, hours, days, _, weekdays = fields
    cron = parse(when)
    if "/" in hours or hours == "*":
        return "hour"
    if weekdays != "*":
        count = len(cron.weekdays)
        return "week" if count == 1 else "day" if count >= WORKDAYS else ""
    if days == "*":
        return "day"
    return {MONTHS_OF_YEAR: "month", QUARTERS: "quarter"}.get(len(cron.months), "")


@dataclass(frozen=True)
class _Found:
    text: str
    is_changing: bool


def _of_part(words: Sequence[Word], text: str, begin: int, end: int) -> list[_Found]:
    """What is left of one part of a sentence: the part itself where nothing in it was read."""
    mine = [word for word in words if begin <= word.start < end]
    segments = [found for some in _segments(mine) if (found := _of_segment(some, mine)) is not None]
    if not segments:
        return []
    if not any(word.is_read or word.is_heard for word in mine):
        whole = _LED.sub("", text[begin:end].strip(" ."))
        return [_Found(whole, any(is_changing for _, _, is_changing in segments))]
    return [_Found(text[first.start : last.end], is_changing) for first, last, is_changing in segments]


def _segments(words: Iterable[Word]) -> list[list[Word]]:
    """From one word that opens something (since, by, for) to the next; those without anything behind them join it."""
    found: list[list[Word]] = [[]]
    for word in words:
        if _opens(word) and any(not _opens(one) and one.said not in _SOME for one in found[-1]):
            found.append([])
        found[-1].append(word)
    if len(found) > 1 and all(_opens(one) for one in found[-1]):  # “north only”
        found[-2:] = [[*found[-2], *found[-1]]]
    return [one for one in found if one]


def _opens(word: Word) -> bool:
    said = word.said
    return not word.is_read and (
        said in small.TAKES_AWAY or said in small.LIMITS or said in small.GROUPS or said in small.OPENS
    )


def _of_segment(words: Sequence[Word], part: Sequence[Word]) -> tuple[Word, Word, bool] | None:
    """The first and the last word that were not read, and whether they could change the answer."""
    openers = {one.said for one in words if _opens(one)}
    takes_away, groups = bool(openers & small.TAKES_AWAY), bool(openers & small.GROUPS)
    left = [
        one
        for before, one in zip((None, *words), words, strict=False)
        if _is_left(one, takes_away=takes_away, groups=groups)
        or (openers and one.written in small.MAY_BE_MONTHS and not one.is_read)  # “for May”, but “May I have”
        or (before and _may_group(before, one))
    ]
    if not left:
        return None
    is_changing = takes_away or groups or bool(openers & small.LIMITS) or any(map(_could_change, left))
    is_changing = is_changing or any(_is_asked_for(part, one) for one in left)
    opener = next((one for one in words if _opens(one)), left[0])
    between = [one for one in words if opener.start <= one.start < left[0].start]
    first = opener if between and all(_opens(one) or one.said in small.IDLE for one in between) else left[0]
    last = left[-1]
    trailing = [one for one in words if _opens(one) and one.said in small.LIMITS and one.start > last.start]
    return first, trailing[-1] if trailing else last, is_changing


def _is_left(word: Word, *, takes_away: bool, groups: bool) -> bool:
    if word.is_named:
        return True
    if word.is_read or (_opens(word) and not _NUMBER.search(word.said)):
        return False
    if word.is_heard and not takes_away and not (groups and not word.is_done):
        return False
    if word.is_done and not takes_away:
        return False
    if word.said in small.IDLE or word.said in small.EACH:
        return False
    return any(letter.isalnum() or letter in "%€$£¥" for letter in word.said)


def _is_asked_for(words: Sequence[Word], word: Word) -> bool:
    """Whether it is what somebody asks for: “which shop had”, but not “what sold most” or “a list which Kari likes”."""
    at = next(place for place, one in enumerate(words) if one is word)
    begin = at - 1
    while begin >= 0 and words[begin].said in small.WHICH_OF:
        begin -= 1
    if begin < 0 or words[begin].said not in small.ASKS_FOR or word.said in small.HAD:
        return False
    before = words[begin - 1] if begin else None
    leads = before is None or before.is_read or before.said in small.BEFORE_WHICH
    return leads and any(one.said in small.HAD for one in words[at + 1 :])


def _may_group(by: Word, word: Word) -> bool:
    is_known = word.is_read or word.is_heard
    return by.said in small.GROUPS and _opens(by) and word.said in small.MAY_GROUP and not is_known


def _could_change(word: Word) -> bool:
    said = word.said
    if word.is_named or said in small.PERIODS or said in small.CHANGES or word.written in small.MAY_BE_MONTHS:
        return True
    if any(letter in "%€$£¥" for letter in said):
        return True
    return bool(_NUMBER.search(said)) and not re.fullmatch(r"\d{1,2}:\d{2}|\d{1,2}(?:am|pm)", said)


def _texts(found: Sequence[_Found], *, is_changing: bool) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.text for one in found if one.is_changing is is_changing))
