"""What Home and /standby show of routines, as plain values."""

from dataclasses import dataclass

from bot.domain.words import RoutineState, SlotState


@dataclass(frozen=True)
class RoutineLine:
    """A routine at a glance. `outcomes` are its latest slots, oldest first; `stamp` is what orders are bound to."""

    routine_id: int
    stamp: str
    name: str
    title: str
    state: RoutineState
    owner_id: str
    channel_id: str
    schedule: str  # words, with the zone; empty where it runs only when somebody asks
    next_at: str  # in that zone; empty where nothing is due
    version: int
    outcomes: tuple[SlotState, ...] = ()
    latest: str = ""  # when the latest slot was, in the schedule's zone
    waiting: str = ""  # what a person has to answer, in words
    thread_url: str = ""
    sends: tuple[str, ...] = ()
    bill: str = ""  # what was paid so far, beside the least that a loop would have cost


@dataclass(frozen=True)
class WaitingCard:
    """An approval that this person may decide on, and where its card is."""

    title: str
    version: int
    asked_by: str
    since: str
    url: str
    request: str = ""
    schedule: str = ""


@dataclass(frozen=True)
class Fact:
    """A name and what it is set to; `people` are user or group ids, shown as such."""

    name: str
    words: str = ""
    people: tuple[str, ...] = ()


@dataclass(frozen=True)
class HomeView:
    """The Home tab of one person. `said` answers what they pressed last; `admin` is empty for everybody but admins."""

    bot_user_id: str
    routines: tuple[RoutineLine, ...] = ()
    page: int = 0
    pages: int = 1
    retired: int = 0
    waiting: tuple[WaitingCard, ...] = ()
    more_waiting: int = 0
    admin: tuple[Fact, ...] = ()
    said: str = ""


@dataclass(frozen=True)
class RoutinesView:
    """Routines in a message: one in full, or many at a glance."""

    title: str
    routines: tuple[RoutineLine, ...]
    more: str = ""


@dataclass(frozen=True)
class SlotLine:
    """A slot as it ended, or as it stands. `sent` tells of each delivery."""

    state: SlotState
    when: str
    version: int | None = None
    why: str = ""
    sent: tuple[str, ...] = ()
    people: tuple[str, ...] = ()  # whom `why` may name as a person: whoever skipped it
    earlier: tuple[str, ...] = ()  # how runs of it ended before the last one, oldest first
    left_out: tuple[str, ...] = ()  # files that its report was made without, as approved


@dataclass(frozen=True)
class HistoryView:
    """A page of a routine's slots, newest first."""

    routine_id: int
    name: str
    zone: str
    slots: tuple[SlotLine, ...]
    page: int = 0
    pages: int = 1


@dataclass(frozen=True)
class VersionLine:
    """A version and what became of it. `by` is the user id of whoever decided."""

    version: int
    digest: str
    state: str
    made: str
    by: str = ""
    is_current: bool = False
    url: str = ""


@dataclass(frozen=True)
class VersionsView:
    """The newest versions of a routine, newest first; `more` older ones are not shown."""

    name: str
    versions: tuple[VersionLine, ...]
    more: int = 0


PAGES = "routine:"
"""What stands in the place of a press id on pages that belong to a routine and no card. Press ids have no colon."""


@dataclass(frozen=True)
class RoutineView:
    """One routine in full, as its current version has it. What cannot be read of it stays empty."""

    line: RoutineLine
    versions: VersionsView
    slots: tuple[SlotLine, ...]  # the latest, newest first
    asked_by: str
    digest: str
    request: str = ""
    rung: str = ""
    why: str = ""
    reads: str = ""
    files: tuple[str, ...] = ()  # names that its plan knows, where it reads a channel
    next_times: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()  # what becomes of a slot that is late, without files, on a holiday
    checks: tuple[tuple[str, str], ...] = ()  # name, and what it says
    shaped_by: tuple[str, ...] = ()
    approved_by: str = ""  # a user id; empty where nobody did yet
    approved_at: str = ""  # in the schedule's zone
    vouched_by: str = ""  # a user id; of the approver who stands for it since, where somebody does
    vouched_at: str = ""
    script_lines: int = 0

    @property
    def pages_key(self) -> str:
        """By which its script and every other byte are opened."""
        return f"{PAGES}{self.line.routine_id}"
