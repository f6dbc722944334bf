"""What Standby read in a reply without a model, in words, and which parts of it were not read."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.domain.calendars import region_words
from bot.domain.errors import StandbyError
from bot.domain.request import PARTS, Wish, read
from bot.domain.slot_terms import planned, span_words
from bot.domain.slots import schedule_from
from bot.domain.source_asks import NONE_ASKED
from bot.domain.term_words import SaidTerms
from library.manifest_schedule import USUAL, OnHoliday, Overlap

_LEAVE_OUT = re.compile(
    r"(?:(?:and|also|please|but|always) )*(?:leave out|leave|skip|ignore|omit|exclude|without) (?:the )?(?:file |log )?"
    r"[`“\"]?(?P<file>[\w.+-]*\w\.\w{1,8})[`”\"]?(?: out)?(?: every time| always| from now on| please)*",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"\b(?:please|thanks?|thank you|instead|too|also|now|ok(?:ay)?|hi|hello|and|but|then|yes|no|sorry|great)\b", re.I
)
_LEAST_WORDS = 2
_LONGEST, _MOST = 120, 5  # of what is quoted
_ANY_TIME = "00:00"  # where only the words matter, not what they mean


@dataclass(frozen=True)
class Taken:
    """What was read, one phrase each; and the words that were not, as they stand in the reply."""

    read: tuple[str, ...]
    unread: tuple[str, ...]

    def words(self) -> str:
        """For the thread; empty where there is nothing to tell."""
        said = [f"Taken: {'; '.join(self.read)}."] if self.read else []
        return " ".join(filter(None, [*said, unread_words(self.unread)]))


def unread_words(parts: Sequence[str]) -> str:
    """The sentence about parts that were not read; empty where there are none."""
    if not parts:
        return ""
    quoted = ", ".join(f"“{part[:_LONGEST]}”" for part in parts[:_MOST])
    return f"Not read: {quoted}. Without a model I do not understand that, so it changes nothing."


def taken(text: str, default_time: str, zone: str, asked_at: datetime, files: Collection[str] = ()) -> Taken:
    """What a reply comes to: `zone` and `asked_at` are those of its request, `files` the names attached to it."""
    wish = read(text, default_time)
    phrases = [*_schedule(wish, wish.zone or zone, asked_at), *_terms(wish.terms), *_places(wish)]
    phrases += [f"leaves {name} out every time" for name in left_out(text, files)]
    return Taken(tuple(phrases), unread(text, files))


def left_out(text: str, files: Collection[str]) -> tuple[str, ...]:
    """The attached files that a part of a reply says to leave out, by their exact names."""
    names = [
        found["file"] for _, _, part in _parts(read(text, _ANY_TIME).text) if (found := _LEAVE_OUT.fullmatch(part))
    ]
    return tuple(dict.fromkeys(name for name in names if name in files))


def unread(text: str, files: Collection[str] = ()) -> tuple[str, ...]:
    """The parts without which the whole reads the same, and which say nothing by themselves."""
    wish, found = read(text, _ANY_TIME), []
    for start, end, part in _parts(wish.text):
        without = read(f"{wish.text[:start]} , {wish.text[end:]}", _ANY_TIME)
        is_needed = replace(without, text="") != replace(wish, text="", sources=NONE_ASKED)
        alone = read(part, _ANY_TIME)
        is_read = is_needed or alone.says_how or bool(alone.at) or bool(left_out(part, files))
        if not is_read and len(_FILLER.sub(" ", part).split()) >= _LEAST_WORDS:
            found.append(re.sub(r"^(?:(?:and|but) )+", "", part, flags=re.IGNORECASE))
    return tuple(found)


def _parts(text: str) -> list[tuple[int, int, str]]:
    """Where each part of a sentence stands, with its words."""
    ends = [0, *(n for found in PARTS.finditer(text) for n in found.span()), len(text)]
    spans = zip(ends[::2], ends[1::2], strict=True)
    return [(start, end, text[start:end].strip(" .")) for start, end in spans if text[start:end].strip(" .")]


def _schedule(wish: Wish, zone: str, asked_at: datetime) -> list[str]:
    if wish.when is None:
        return [f"at {wish.at}"] if wish.at else []
    try:
        return [schedule_from(planned(wish.when, zone, USUAL, asked_at)).words()]
    except StandbyError:
        return [wish.when]


def _terms(said: SaidTerms) -> list[str]:
    found = []
    if said.holidays:
        how = "moves from" if said.on_holiday is OnHoliday.SHIFT else "skips"
        found.append(f"{how} public holidays in {region_words(said.holidays)}")
    elif said.holidays == "":
        found.append("runs on public holidays too")
    if said.wait_until:
        found.append(f"waits for {said.wait_files or 1} or more files until {said.wait_until}")
    elif said.wait_until == "":
        found.append("does not wait for files")
    if said.late_min is not None:
        found.append(f"at most {span_words(timedelta(minutes=said.late_min))} late")
    if said.catch_up_h is not None:
        found.append(f"makes up for what was missed within {span_words(timedelta(hours=said.catch_up_h))}")
    if said.overlap is not None:
        found.append("runs wait for the one before" if said.overlap is Overlap.WAIT else "skips a slot while one runs")
    return found


def _places(wish: Wish) -> list[str]:
    names = dict.fromkeys((*wish.addresses, *wish.destinations))
    posted = [f"posted in #{name}" if name else "posted here" for name in wish.channels]
    sources = [f"made from {one}, where settings allow it" for one in wish.sources.addresses]
    sources += ["made from that query's rows" for _ in wish.sources.queries]
    return [*(f"to {name}" for name in names), *posted, *sources]
