"""What is wanted: the request with all that is known around it, when it is to run, and who is to get it."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.answers import ADDRESS, DESTINATION, EXAMPLES, SCHEDULE
from bot.domain.mail_domains import outside_of
from bot.domain.recurrence import is_lacked_by_some_months, retimed
from bot.domain.request import Wish, read
from bot.domain.slot_terms import planned
from bot.domain.views import QuestionField
from library.filling import Window
from library.manifest import ChannelDestination, Destination, EmailDestination, FilesSource, QuerySource
from library.manifest_schedule import USUAL, Schedule, SlotTerms


@dataclass(frozen=True)
class Wanted:
    """A request with all that is known around it. `answers` are form answers by field name."""

    wish: Wish
    channel_id: str
    zone: str  # the schedule's: named in the request, else the requester's
    routine_name: str  # of the routine that gets a new version; empty for a new one
    taken_names: Set[str]
    answers: Mapping[str, str]
    destinations: Mapping[str, tuple[str, ...]]
    allowed_domains: tuple[str, ...]
    default_time: str
    box_image: str
    asked_at: datetime
    is_once: bool = False  # answered now in its thread: without schedule, and sent to nobody else
    post_to: tuple[str, ...] = ()  # ids of channels that the request names; none: the one it was asked in
    source: FilesSource | QuerySource | None = None  # None: what is posted in the channel it was asked in
    messages: tuple[str, ...] = ()  # the request and each reply that counts; none: the wish is of one message
    window: Window | None = None  # of the next slot; None until it is known when the report is due

    @property
    def said(self) -> tuple[str, ...]:
        """Each message that counts, in the order of time."""
        return self.messages or (self.wish.text,)

    @property
    def slot_terms(self) -> SlotTerms:
        """What is to happen to a slot that is late, without files or on a holiday, as far as it was said."""
        return self._answered.terms.applied(self.wish.terms.applied(USUAL))

    def schedule(self) -> Schedule | None:
        """When it is to run, as the plan will state it; None where that is not clear. Raises RequestProblem."""
        return planned(self.when, self.zone, self.slot_terms, self.asked_at) if self.when else None

    @property
    def when(self) -> str:
        """A cron line or a rule, empty where neither is certain."""
        return retimed(self.wish.when or self._answered.when or "", self.wish.at)

    @property
    def _answered(self) -> Wish:
        return read(self.answers.get(SCHEDULE, ""), self.default_time)


def delivery(wanted: Wanted) -> tuple[tuple[Destination, ...], list[QuestionField]]:
    """The channel and everybody named, each once; and a field for each name that is nobody yet."""
    known = {name.lower(): addresses for name, addresses in wanted.destinations.items()}
    channels = wanted.post_to or (wanted.channel_id,)
    found: dict[str, Destination] = {f"#{one}": ChannelDestination(one) for one in channels}
    unknown: dict[str, QuestionField] = {}
    for name in (*wanted.wish.addresses, *wanted.wish.destinations):
        key = f"{DESTINATION}{name}"
        answered = tuple(dict.fromkeys(ADDRESS.findall(wanted.answers.get(key, ""))))
        addresses = answered or known.get(name.lower()) or tuple(ADDRESS.findall(name))
        if addresses and not outside_of(addresses, wanted.allowed_domains):
            found.setdefault(name.lower(), EmailDestination(name, addresses))
        else:
            unknown.setdefault(name.lower(), _who(name, key, addresses, wanted.allowed_domains))
    return _each_once(found.values()), list(unknown.values())


def _each_once(destinations: Iterable[Destination]) -> tuple[Destination, ...]:
    """Nobody gets a report twice because two names mean them."""
    seen: set[str] = set()
    kept: list[Destination] = []
    for one in destinations:
        if isinstance(one, EmailDestination):
            new = tuple(address for address in one.addresses if address.lower() not in seen)
            seen.update(address.lower() for address in new)
            if new:
                kept.append(replace(one, addresses=new))
        else:
            kept.append(one)
    return tuple(kept)


def _who(name: str, key: str, addresses: Sequence[str], domains: Sequence[str]) -> QuestionField:
    hint = "E-mail addresses, separated by commas. They will stand on the card."
    if addresses:
        hint = f"Only addresses at {', '.join(domains)} are allowed here."
    return QuestionField(key, f"Who is on “{name}”?", hint, (), ", ".join(addresses))


def when_field(wanted: Wanted) -> QuestionField:
    """Asks for a time, with what was said and could not be read."""
    said = wanted.answers.get(SCHEDULE, "")
    hint = f"I could not read “{said}”. " if said else ""
    if is_lacked_by_some_months(said or wanted.wish.text):
        hint += "Not every month has that day; “last day of every month” is always there. "
    return QuestionField(SCHEDULE, "When should it run?", hint + EXAMPLES, (), said)
