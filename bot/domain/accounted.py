"""How far the words of a message are accounted for: by when, how and to whom, by a script, or as manners."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.domain import small_words as small
from bot.domain.request import PARTS, Wish, read
from bot.domain.said_words import AROUND, Word, mark, over, words_of
from library.named import columns_said

MOST_WORDS = 300  # of a message; what stands behind is of no schedule
_ANY_TIME = "00:00"  # where only the words matter, not what they mean
# Of a source's files those that are new can be taken, of rows and of a query's answer not.
_NEW_ONLY = re.compile(r"\b(?:only|just)\b(?:\s+\w+){0,2}\s+new\s+\w+|\bnew\s+\w+\s+only\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d")
_READS = ("when", "at", "zone", "terms", "addresses", "destinations", "channels")
_OF_NOW = ("addresses", "destinations", "channels")  # an answer has no schedule that could have been read
_LEAVE_OUT = re.compile(
    r"(?:(?:and|also|please|but|always) )*(?:leave out|leave|skip|ignore|omit|exclude|without) (?:the )?(?:file |log )?"
    r"[`“\"]?(?P<file>[\w.+-]*\w\.\w{1,8})[`”\"]?(?: out)?(?: every time| always| from now on| please)*",
    re.IGNORECASE,
)
_CADENCES: Mapping[str, tuple[str, ...]] = {
    "hour": ("hour", "hours", "hourly"),
    "day": ("day", "days", "daily", "today", "yesterday", "nightly"),
    "week": ("week", "weeks", "weekly"),
    "month": ("month", "months", "monthly"),
    "quarter": ("quarter", "quarters", "quarterly"),
}
# A word at the end behind a dash is a part of its own: mostly a name, and what the files have of that name counts.
_ENDS = re.compile(rf"{PARTS.pattern}|\s+(?=[/–—-]\s?(?-i:[A-Z])[\w-]+\W*$)", re.IGNORECASE)
_GLUE = frozenset({"", "and", "at", "to", "on", "it", "the", "in", "by", "for", "from", "please", "then", "also"})
_NEAREST = frozenset({"last", "past", "previous", "this", "the", "latest", "current", "whole", "same", "that", "each"})


@dataclass(frozen=True)
class Heard:
    """What a script makes of a request, and what the files have that its words may mean besides.

    `words` are those that the script goes by, the `telling` ones among them by themselves; `does` are those of what it
    does; `phrases` stand for something of it as a whole, as “top 5” for a number; `used` are names of the columns that
    it reads, `unused` those of the others, `values` what stands in their cells.
    """

    words: frozenset[str] = frozenset()
    telling: frozenset[str] = frozenset()
    does: frozenset[str] = frozenset()
    phrases: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # names of those attached


NOTHING_HEARD = Heard()


@lru_cache(maxsize=2_000)
def _wish(text: str) -> Wish:
    """The request as far as its words are clear; the same text comes often while words are left out one by one."""
    return read(text, _ANY_TIME)


def accounted(text: str, heard: Heard, *, is_once: bool, cadence: str) -> tuple[str, list[Word]]:
    """The text as it is read, and each of its words with what accounts for it."""
    wish, words = _read_in(text, _OF_NOW if is_once else _READS)
    for begin, end in parts_of(wish.text):
        if left_out(wish.text[begin:end], heard.files):
            mark(words, begin, end)
    _note_heard(words, wish.text, heard)
    _note_small(words, wish.text)
    _note_new(words, wish)
    if not is_once:
        _note_rhythm(words)
    _note_periods(words, cadence)
    return wish.text, words


def left_out(text: str, files: Collection[str]) -> tuple[str, ...]:
    """The attached files that a part of a message says to leave out, by their exact names."""
    plain = _wish(text).text
    parts = [plain[start:end].strip(" .") for start, end in parts_of(plain)]
    names = [found["file"] for part in parts if (found := _LEAVE_OUT.fullmatch(part))]
    return tuple(dict.fromkeys(name for name in names if name in files))


def asked_for(text: str) -> str:
    """The words without those that say when, how or to whom: what is left is about the data."""
    wish, words = _read_in(text, _READS)
    kept = list(wish.text)
    for word in words:
        if word.is_read:
            kept[word.start : word.end] = " " * (word.end - word.start)
    return " ".join("".join(kept).split())


def gist(text: str) -> str:
    """The longest stretch of it that says nothing of when, how or to whom, as it stands there."""
    wish, words = _read_in(text, _READS)
    longest: list[Word] = []
    stretch: list[Word] = []
    for word in words:
        stretch = [] if word.is_read else [*stretch, word]
        longest = max(longest, stretch, key=len)
    while longest and longest[-1].said in _GLUE:
        longest.pop()
    while longest and longest[0].said in _GLUE:
        longest.pop(0)
    return wish.text[longest[0].start : longest[-1].end].strip(AROUND) if longest else ""


def _read_in(text: str, fields: Sequence[str]) -> tuple[Wish, list[Word]]:
    """What a text says of these, and its words; one is read if without it less is known of when, how or to whom."""
    wish = _wish(text)
    words = words_of(wish.text)
    for word in words[:MOST_WORDS]:
        without = _wish(f"{wish.text[: word.start]} {wish.text[word.end :]}")
        word.is_read = any(getattr(wish, one) and getattr(without, one) != getattr(wish, one) for one in fields)
        word.is_read = word.is_read or word.written.startswith("#") or "@" in word.written
    return wish, words


def _note_heard(words: Sequence[Word], text: str, heard: Heard) -> None:
    spoken, telling, does = ({one.casefold() for one in some} for some in (heard.words, heard.telling, heard.does))
    files = {one.casefold() for one in heard.files}
    named = {word.said for word in words} & files
    for word in words:
        inner = set(re.findall(r"[^\W_]+", word.said))
        word.is_heard = bool(inner) and inner <= spoken | does
        word.is_telling = bool(inner) and inner <= telling
        word.is_done = bool(inner) and inner <= does
        if word.said in files and not word.is_read:  # some of several files are not all of them
            word.is_read, word.is_named = named == files, named != files
    for phrase in heard.phrases:
        for found in re.finditer(re.escape(phrase), text):
            mark(words, found.start(), found.end())
    _note_columns(words, text, heard)
    for value in heard.values:
        if len(value) > 1 and not _NUMBER.fullmatch(value):
            for found in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE):
                of_it = over(words, found.start(), found.end())
                _name(of_it, is_picked_out=_is_picked_out(words, of_it))


def _note_columns(words: Sequence[Word], text: str, heard: Heard) -> None:
    """A column that is read is heard; another one that is named is left, above all behind “by”."""
    for said in columns_said((*heard.used, *heard.unused), text):
        of_it = over(words, said.start, said.end)
        if said.column in heard.used:
            for word in of_it:
                word.is_heard = word.is_done = True
        elif said.is_grouping:
            of_it[-1].is_named = True
        else:
            _name(of_it)


def _is_picked_out(words: Sequence[Word], of_it: Sequence[Word]) -> bool:
    """Whether a value stands as a condition does: “for the Finance team”, “Finance only”."""
    before = [one for one in words if one.end <= of_it[0].start and one.said not in {"the", "our", "all", "any"}]
    behind = [one for one in words if one.start >= of_it[-1].end]
    return bool(before and before[-1].said in small.PICKS_OUT) or bool(behind and behind[0].said in small.LIMITS)


def _name(of_it: Sequence[Word], *, is_picked_out: bool = False) -> None:
    """A column or a value, unless its words are all accounted for: “report” is hardly the column of that name.

    A word that only speaks for the script may as well mean the column: the costs beside the sales that are added up.
    """
    idle = frozenset[str]() if is_picked_out else small.IDLE
    if not all(one.is_telling or one.is_done or one.is_read or one.said in idle for one in of_it):
        for word in of_it:
            word.is_named = True


def _note_small(words: Sequence[Word], text: str) -> None:
    for aside in small.ASIDES.finditer(text):
        if (aside["name"] or "").casefold() not in small.PERIODS:  # “thanks, Ola”, but “thanks, December”
            mark(words, aside.start(), aside.end())
    for reason in small.REASONS.finditer(text):
        if not any(_could_mean(word) or _sets_apart(word) for word in over(words, reason.start(), reason.end())):
            mark(words, reason.start(), reason.end())
    for at, word in enumerate(words):
        behind = words[at + 1 : at + 4]
        if word.said.isdigit() and any(one.said in small.FILES for one in behind):
            word.is_read = True  # “these 14 log files”
        if at and words[at - 1].said in small.OURS and not _is_limited(words[: at - 1]):
            # “our gauges” are what the data is about
            word.is_read = word.is_read or not (_could_mean(word) or (behind and _is_new(behind[0])))


def _note_new(words: Sequence[Word], wish: Wish) -> None:
    is_taken = wish.sources.takes_new
    for found in _NEW_ONLY.finditer(wish.text):
        for word in over(words, found.start(), found.end()):
            word.is_read, word.is_named = is_taken, not is_taken and word.said == "new"


def _is_limited(before: Sequence[Word]) -> bool:
    """Whether these words lead up to a condition: “only those”, “without any of our”."""
    for word in reversed(before):
        if word.said in small.LIMITS | small.TAKES_AWAY:
            return True
        if word.said not in small.IDLE:
            return False
    return False


def _sets_apart(word: Word) -> bool:
    return word.said in small.LIMITS | small.TAKES_AWAY | small.GROUPS


def _could_mean(word: Word) -> bool:
    return word.is_named or word.said in small.PERIODS | small.CHANGES or bool(_NUMBER.search(word.said))


def _is_new(word: Word) -> bool:
    """Whether nothing knows the word."""
    known = small.IDLE | small.OPENS | small.LIMITS | small.TAKES_AWAY | small.GROUPS
    return not (word.is_read or word.is_heard or word.said in known)


def _note_rhythm(words: Sequence[Word]) -> None:
    """Of “every Monday morning at 7 sharp” all is of the schedule, though it reads the same without some."""
    run: list[Word] = []
    for word in [*words, None]:
        if word is not None and (word.is_read or _is_of_rhythm(word)):
            run.append(word)
            continue
        if any(one.is_read and not one.is_heard for one in run) or any(one.said in small.EACH for one in run):
            for one in run:
                one.is_read = one.is_read or one.said in small.RHYTHM or small.CLOCK.fullmatch(one.said) is not None
        run = []


def _is_of_rhythm(word: Word) -> bool:
    return (
        word.said in small.RHYTHM
        or bool(small.CLOCK.fullmatch(word.said))
        or word.said in {"at", "on", "the", "in", "of"}
    )


def _note_periods(words: Sequence[Word], cadence: str) -> None:
    """“Last week” of a weekly report, and “last week's logs”, which names the files that are attached."""
    units = _CADENCES.get(cadence, ())
    for at, word in enumerate(words):
        begin = at
        while begin and words[begin - 1].said in _NEAREST:
            begin -= 1
        is_grouping = bool(begin) and words[begin - 1].said in small.GROUPS
        is_files = word.written.endswith(("'s", "’s")) and any(
            one.said in small.FILES for one in words[at + 1 : at + 4]
        )
        if word.said in small.PERIODS and (is_files or (word.said in units and not is_grouping)):
            for one in words[begin : at + 1]:
                one.is_read = True


def parts_of(text: str) -> list[tuple[int, int]]:
    """Where each part of a sentence stands."""
    ends = [0, *(n for found in _ENDS.finditer(text) for n in found.span()), len(text)]
    spans = zip(ends[::2], ends[1::2], strict=True)
    return [(start, end) for start, end in spans if text[start:end].strip(" .")]
