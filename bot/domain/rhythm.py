"""Whether something is wanted once, now, or is to come back: from words alone, without asking where they say it.

An answer that was only wanted once costs nobody anything, and can be kept as a routine by a button. So what says
nothing of a rhythm is answered now; asked is only what names recipients, or another moment than now.
"""

import re
from collections.abc import Sequence
from enum import StrEnum

from bot.domain.clock_words import DAY_NAME, DAY_PART
from bot.domain.recurrence import plain, when_of


class Rhythm(StrEnum):
    COMES_BACK = "comes back"  # on a schedule, though perhaps not yet said which
    ONCE = "once"  # an answer now
    UNCLEAR = "unclear"  # one question settles it


ONCE_WORDS = "once, now"
"""What a form offers, and reads, for an answer now."""

_UNIT = (
    rf"(?:{DAY_NAME}|{DAY_PART}|days?|weeks?|months?|quarters?|years?|hours?|minutes?|mins?|hrs?|weekends?|fortnights?"
    r"|weekdays?|work\s?days?|working days?|business days?)\b"
)
# "of each month", "per week": how rows are put together, and nothing about when to run.
_GROUPS = (
    rf"\b(?:of|for|in|by|within|during|over|from|on)\s+(?:(?:each|every)\s+(?:single\s+)?|a\s+){_UNIT}"
    rf"(?!\s+(?:at|on)\s+\d)|\b(?:per|by)\s+{_UNIT}"
)
_GROUPED = re.compile(_GROUPS)
_EVERY = re.compile(
    rf"\b(?:every|each)\s+(?:(?!file\b|row\b|line\b)[\w-]+\s+){{0,2}}?{_UNIT}"
    rf"|\b(?:once|twice|thrice|\w+ times)\s+(?:a|an|per|each|every)\s+{_UNIT}"
    r"|\b(?:bi|semi|tri)-?(?:daily|weekly|monthly|annual\w*)\b|\bfortnightly\b|\bevery other\b"
)
_NTH = re.compile(
    r"\b(?:first|last|second|third|fourth|fifth|fifteenth|\d{1,2}(?:st|nd|rd|th)|day \d{1,2}|end)\b[^.;]{0,25}?"
    r"\b(?:of|in)\s+(?:each|every|a)\s+(?:month|quarter|week|year)\b|\bevery \d{1,2}(?:st|nd|rd|th)\b"
)
_STANDING = re.compile(
    r"\bfrom now on\b|\bgoing forward\b|\bregularly\b|\brecurring\b|\bperiodic(?:al(?:ly)?)?\b|\bon a schedule\b"
    r"|\bschedule (?:this|it|a|an)\b|\broutinely\b"
    r"|\b(?:as|into|make|set up|create) (?:this )?a (?:[\w-]+ ){0,3}routine\b"
    r"|\bautomatically\b|\bwhenever\b|\beach time\b|\bevery time\b"
)
_ADJECTIVE = r"(?:daily|nightly|weekly|monthly|quarterly|hourly|yearly|annual)"
_MADE = r"(?:report|summary|summaries|digest|e-?mail|mail|update|overview|roundup|round-up|post|message|briefing)"
# "send it weekly", "daily at 19:00"; and "a weekly report", which is a thing that comes back.
_ADVERB = re.compile(
    rf"\b(?:{_ADJECTIVE}|annually)(?=\s*(?:$|[.;!?,)]|(?:at|on|to|before|please|in the|and|by)\b(?!\s+\w+ly\b)))"
)
_A_REGULAR = re.compile(rf"\b(?:an?|our|me)\s+{_ADJECTIVE}\s+(?:[\w-]+\s+){{0,3}}?{_MADE}\b")
_THE_REGULAR = re.compile(rf"\b{_ADJECTIVE}\s+(?:[\w-]+\s+){{0,3}}?{_MADE}\b")
_ONCE = re.compile(
    r"\b(?:just|only)\s+(?:this\s+|the\s+)?(?:once|one time|this time)\b|\bone[- ](?:off|time|shot)\b|\bonce only\b"
    r"|\bthis time only\b|\bfor once\b|\bonce,?\s+(?:please\s+)?(?:right\s+)?now\b|\bonce\s*(?:$|[.!?,])|\bad[- ]hoc\b"
)
_NOW = re.compile(
    r"\b(?:right|straight)\s+(?:now|away)\b|\bnow\s*(?:$|[.!?,;]|please\b|and\b)|^(?:now|please now)\b"
    r"|\bimmediately\b|\basap\b|\bat once\b"
)
_AGAINST = re.compile(
    r"\b(?:do not|don['’]t|never|no longer|not|stop)\b[^.;!?]*\b(?:every|each|daily|weekly|monthly|hourly)\b"
)
# One moment that is not now: neither an answer nor a schedule.
_LATER = re.compile(
    rf"\b(?:tomorrow|tonight|later today|next\s+(?:{DAY_NAME}|week|month)|this\s+(?:afternoon|evening))\b"
    rf"(?!['’]s)(?!\s+(?:data|files?|numbers|figures))|\b(?:send|mail|post|deliver)\b[^.;!?]{{0,60}}\bon\s+{DAY_NAME}"
    r"|\bin\s+(?:\d+|an?|two|three)\s+(?:hours?|minutes?|days?|weeks?)\b"
)
_LATER_ABOUT = re.compile(r"\b(?:for|until|till|by|before|forecast|predict\w*|expect\w*|due|since)\s+(?:\w+\s+){0,2}$")
# Other languages say that something comes back, too; when exactly is asked in a form that both sides read alike.
_ELSEWHERE = re.compile(
    r"\b(?:hver(?:t|\s+andre)?|ukentlig|daglig|månedlig|varje|veckovis|jede[nrsm]?|wöchentlich|täglich|monatlich"
    r"|chaque|tous les|toutes les|hebdomadaire|cada|todos los|todas las|semanalmente|ogni|settimanale|elke|iedere)\b"
)
_QUESTION = re.compile(r"^(?:how|which|what|who|whose|where|why|is|are|was|were|did|does|do|has|have)\b")


def rhythm_of(said: Sequence[str], *, has_recipients: bool, default_time: str) -> Rhythm:
    """What all that was said in a thread comes to, oldest first: the last message that says something decides."""
    for text in reversed(said):
        if (sign := _sign(text, default_time)) is not None:
            return sign
    return Rhythm.UNCLEAR if has_recipients else Rhythm.ONCE


def is_once(answer: str) -> bool:
    """Whether the answer to “when?” is: once, now."""
    said = plain(answer).strip(" .!")
    return bool(
        re.fullmatch(r"(?:(?:just|only) )?(?:once|now|right now|once,? ?(?:right )?now|one[- ]off|just now)", said)
    )


def _sign(text: str, default_time: str) -> Rhythm | None:
    """What one message says of it for certain, or that it is in doubt; None where it says nothing."""
    said = plain(text)
    if _ONCE.search(said) or (_AGAINST.search(said) and _NOW.search(said)):
        return Rhythm.ONCE if not _EVERY.search(said) or _AGAINST.search(said) else Rhythm.UNCLEAR
    comes_back = _comes_back(said, default_time)
    if _NOW.search(said):
        return Rhythm.UNCLEAR if comes_back is Rhythm.COMES_BACK else Rhythm.ONCE
    return comes_back or (Rhythm.UNCLEAR if _is_later(said) or _ELSEWHERE.search(said) else None)


def _comes_back(said: str, default_time: str) -> Rhythm | None:
    """Words of a rhythm, once those that only say how data is grouped are gone."""
    bare = _GROUPED.sub(" ", said)
    named = re.sub(rf"\b{_ADJECTIVE}\b", " ", bare)
    if _STANDING.search(bare) or _ADVERB.search(bare) or _A_REGULAR.search(bare):
        return Rhythm.COMES_BACK
    if when_of(named, default_time) is not None or _EVERY.search(bare) or _NTH.search(said):
        return Rhythm.UNCLEAR if _QUESTION.search(said) else Rhythm.COMES_BACK
    return Rhythm.UNCLEAR if _THE_REGULAR.search(bare) else None


def _is_later(said: str) -> bool:
    return any(not _LATER_ABOUT.search(said[: found.start()]) for found in _LATER.finditer(said))
