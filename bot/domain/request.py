"""What a request says in words: when, where the clock is, to whom. Nothing is guessed: unclear means asked."""

import html
import re
from dataclasses import dataclass

from bot.domain.clock_words import zone_in
from bot.domain.recurrence import retimed, time_alone, when_of
from bot.domain.source_asks import NONE_ASKED, SourceAsks, asked_sources
from bot.domain.term_words import NOTHING_SAID, SaidTerms, terms_in
from library.addresses import is_address

__all__ = ["Wish", "guided", "read", "when_of"]  # the words of a form are read like those of a request

MEANT_WORDS = 3  # fewer say too little to mean a request
PARTS = re.compile(r"\s*[,;!?\n]+\s*|\.\s+|\s+(?:and|but)\s+", re.IGNORECASE)
"""Between the parts of a sentence: each of them may be read or not."""

# Slack's own marks: <@U1>, <!here>, <#C1|lab>, <mailto:a@b.org|a@b.org>, <https://example.org|label>.
_PERSON = re.compile(r"<[@!][^<>]*>")
_MAILTO = re.compile(r"<mailto:([^|<>]+)(?:\|[^<>]*)?>")
_CHANNEL = re.compile(r"<#([A-Z0-9]+)(?:\|([^<>]*))?>")
_LINK = re.compile(r"<[a-z]+:[^|<>]*(?:\|([^<>]*))?>|\bhttps?://\S+")
_ADDRESS = re.compile(r"(?<![\w.+@-])[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?![\w@-])")
_LIKE_ADDRESS = re.compile(r"(?<![^\s<>(),;:\"])[^\s<>(),;:\"]+@[^\s<>(),;:\"@]+\.[^\s<>(),;:\"@.]+")
_STOP = (
    r"(?=[.,;!?\n]|\s+(?:and|at|every|each|by|with|on|in|before|after|when|if|for|from|then|so|as|once|please"
    r"|daily|weekly|monthly|weekdays|via|using|containing|the|\w+days)\b|\s*$)"
)
_NAME = r"[a-z0-9][\w'’&-]*(?:[ /][\w'’&-]+){0,4}?"
_SENT_TO = re.compile(
    r"\b(e-?mail|mail|send|forward|deliver|distribute)(?:ed|s)?\b(?:\s+[\w'’-]+){0,7}?"
    rf"\s+to\s+(?:the\s+|our\s+)?({_NAME}){_STOP}",
    re.IGNORECASE,
)
_ALSO_TO = re.compile(rf"\s*(?:,|,?\s+and)\s+(?:to\s+)?(?:the|our)\s+({_NAME}){_STOP}", re.IGNORECASE)
_MAILED = re.compile(
    rf"\be-?mail\s+(?:the|our)\s+({_NAME}\s(?:list|team|group|lab|board|office|department))\b", re.IGNORECASE
)
_GROUP = re.compile(r"(list|team|group|lab|board|office|department|people|staff)$", re.IGNORECASE)
# Where a report is to stand: "post it in #other", "send it here and to #other". Data "was posted in" a channel.
_POSTED_TO = re.compile(
    r"\b(?:also\s+)?(?:post|send|put|publish|share|deliver|write)\b(?P<before>[^.;!?\n#]{0,60}?)\b(?:in|into|to|on)\s+"
    r"(?:the\s+)?(?:channel\s+)?#(?P<name>[\w-]+)(?P<after>(?:\s+(?:as well|too|also))?)",
    re.IGNORECASE,
)
_STILL_HERE = re.compile(r"\b(?:also|here|as well|too|this channel)\b", re.IGNORECASE)
_HERE = {"me", "us", "this channel", "here", "channel", "this thread", "thread", "slack"}
# What something is turned into or compared with, rather than sent to.
_THING = re.compile(
    r"^(?:an?|zero|one|two|\d+|compare|see|check|be|make|compile)\b|\b(?:file|folder|sheet|csv|xlsx|pdf|json|format|table|channel|thread)s?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Wish:
    """A request as far as its words are clear.

    `when` is a cron line or a rule; `destinations` are names still to be resolved; `zone` is an IANA name, empty where
    none is said; `terms` is what is to happen to a slot that is late, without files or on a holiday.
    `channels` are names or ids of channels to post in, empty text for the one where it was asked.
    """

    text: str
    when: str | None
    addresses: tuple[str, ...]
    destinations: tuple[str, ...]
    zone: str = ""
    terms: SaidTerms = NOTHING_SAID
    channels: tuple[str, ...] = ()
    at: str = ""  # HH:MM where a time is said without days, which changes that of a schedule
    sources: SourceAsks = NONE_ASKED  # where the data may be, if it is not attached

    @property
    def says_how(self) -> bool:
        """Whether anything of when, how, to whom and from where is clear."""
        said = self.when or self.addresses or self.destinations or self.channels or self.terms or self.sources
        return bool(said)


def read(text: str, default_time: str) -> Wish:
    """Read a request as Slack sends it. `default_time` is HH:MM for requests that name a day but no time."""
    sources, text = asked_sources(text)
    plain = _plain(text)
    addresses = tuple(dict.fromkeys(filter(is_address, _ADDRESS.findall(plain))))
    terms, rest = terms_in(plain)
    when = when_of(rest, default_time)
    at = "" if when else time_alone([part.strip(" .") for part in PARTS.split(rest)])
    return Wish(plain, when, addresses, _names(plain), zone_in(plain), terms, _channels(plain), at, sources)


def guided(wish: Wish, later: Wish) -> Wish:
    """A wish with what was said later: a new time or channel replaces the old one, recipients are added."""
    return Wish(
        text=f"{wish.text} {later.text}",
        when=later.when or (retimed(wish.when, later.at) if wish.when else None),
        at=later.at or ("" if later.when else wish.at),
        addresses=tuple(dict.fromkeys(wish.addresses + later.addresses)),
        destinations=tuple(dict.fromkeys(wish.destinations + later.destinations)),
        zone=later.zone or wish.zone,
        terms=later.terms.over(wish.terms),
        channels=later.channels or wish.channels,
        sources=later.sources.over(wish.sources),
    )


def _plain(text: str) -> str:
    """The words without Slack's marks: addresses and labels stay, people and bare links go."""
    words = _MAILTO.sub(r"\1", _PERSON.sub(" ", text))
    words = _CHANNEL.sub(lambda mark: f"#{mark[2] or mark[1]}", words)
    words = _LINK.sub(lambda mark: mark[1] or " ", words)
    return re.sub(r"\s+", " ", html.unescape(words)).strip()


def _channels(text: str) -> tuple[str, ...]:
    """The channels that a report is to be posted in."""
    found: list[str] = []
    for said in _POSTED_TO.finditer(text):
        if _STILL_HERE.search(said[0]):
            found.append("")
        found.append(said["name"])
    return tuple(dict.fromkeys(found))


def _names(text: str) -> tuple[str, ...]:
    """Names of recipients. What looks like an address and is none for certain is asked about like a name."""
    names: list[str] = []
    for sent in _SENT_TO.finditer(text):
        if _is_recipient(sent[2], is_mail="mail" in sent[1].lower()):
            names += [sent[2], *_also(text, sent.end())]
    names += [mailed[1] for mailed in _MAILED.finditer(text) if " to " not in mailed[1]]
    names += [word for word in _LIKE_ADDRESS.findall(text) if not is_address(word.rstrip("."))]
    return tuple(dict.fromkeys(name.strip() for name in names))


def _also(text: str, start: int) -> list[str]:
    """Further names of a list: "to the lab list and the finance team"."""
    found = []
    while (more := _ALSO_TO.match(text, start)) and _GROUP.search(more[1]):
        found.append(more[1])
        start = more.end()
    return found


def _is_recipient(name: str, *, is_mail: bool) -> bool:
    """The channel is where reports go anyway, unless a mail is asked for; a file format is nobody."""
    low = name.lower().removesuffix(" here")
    if low in _HERE:
        return is_mail and low in ("me", "us")
    return not _THING.search(name)
