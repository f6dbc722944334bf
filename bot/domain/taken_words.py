"""What Standby read in a reply without a model, in words, and which parts of it were not read."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.accounted import NOTHING_HEARD, Heard, left_out
from bot.domain.calendars import region_words
from bot.domain.errors import StandbyError
from bot.domain.request import Wish, read
from bot.domain.slot_terms import planned, span_words
from bot.domain.slots import schedule_from
from bot.domain.term_words import SaidTerms
from bot.domain.unread_words import not_read, unread
from library.manifest_schedule import USUAL, OnHoliday, Overlap


@dataclass(frozen=True)
class Taken:
    """What was read, one phrase each; and the words that were not, as they stand in the reply."""

    read: tuple[str, ...]
    unread: tuple[str, ...]

    def words(self) -> str:
        """For the thread; empty where there is nothing to tell."""
        said = [f"Taken: {'; '.join(self.read)}."] if self.read else []
        return " ".join(filter(None, [*said, not_read(self.unread)]))


def taken(
    text: str, default_time: str, zone: str, asked_at: datetime, heard: Heard = NOTHING_HEARD, cadence: str = ""
) -> Taken:
    """What a reply comes to: `zone` and `asked_at` are those of its request, `heard` is what a script made of it."""
    wish = read(text, default_time)
    phrases = [*_schedule(wish, wish.zone or zone, asked_at), *_terms(wish.terms), *_places(wish)]
    phrases += [f"leaves {name} out every time" for name in left_out(text, heard.files)]
    return Taken(tuple(phrases), unread(text, heard, cadence=cadence).all)


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
    sources += ["made only from files that no report had before"] if wish.sources.takes_new else []
    return [*(f"to {name}" for name in names), *posted, *sources]
