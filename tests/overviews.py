"""Healthy overviews of routines, each made in one call; a test names only what it is about."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bot.domain.bill import Bill, Paid, Rates, RunRead, bill_of, density
from bot.domain.overview import (
    Fact,
    HistoryView,
    HomeView,
    RoutineLine,
    RoutinesView,
    RoutineView,
    SlotLine,
    VersionLine,
    VersionsView,
    WaitingCard,
)
from bot.domain.views import ReportView
from bot.domain.words import RoutineState, SlotState
from bot.store.tables_plans import Routine
from bot.work.cost_words import every_view, one_view
from bot.work.home import TWO_PEOPLE
from tests.views import ALICE, BOB

STANDBY = "U0STANDBY01"
NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
DONE, HALTED = SlotState.DELIVERED, SlotState.HALTED


def line(**changed: Any) -> RoutineLine:
    """The story's routine after some weeks, one of them halted."""
    healthy = RoutineLine(
        routine_id=7,
        stamp="active.3.12.U0ALICE0001",
        name="weekly-error-report",
        title="Weekly error report",
        state=RoutineState.ACTIVE,
        owner_id=ALICE,
        channel_id="C0LAB000001",
        schedule="Mondays 07:00 Europe/Oslo",
        next_at="Mon 7 Dec 2026 07:00",
        version=2,
        outcomes=(DONE, DONE, HALTED, DONE, DONE),
        latest="Mon 30 Nov 2026 07:00",
        thread_url="https://lab.example/archives/C0LAB000001/p1780000000000100",
        sends=("<#C0LAB000001>", "lab list: lab@example.org"),
        bill="$0.1400 paid; 5 runs at 0 tokens, for which a loop would have cost at least $0.2100",
    )
    return replace(healthy, **changed)


PAUSED = line(
    routine_id=8, name="margins", title="Net margins", state=RoutineState.PAUSED, next_at="", outcomes=(), owner_id=BOB
)
NEW = line(
    routine_id=9,
    name="stock-levels",
    title="Stock levels",
    state=RoutineState.DRAFT,
    next_at="",
    outcomes=(),
    version=1,
    waiting="version 1 waits for approval",
)
WAITING = WaitingCard("stock-levels", 1, ALICE, "Mon 30 Nov", "https://lab.example/archives/C0LAB000001/p2",
    "Every Monday list what runs low in the stock of reagents", "Mondays 07:00 Europe/Oslo",
)  # fmt: skip
ADMIN = (
    Fact("May approve", people=(BOB, "S0LEADS0001")),
    Fact("Two people", TWO_PEOPLE),
    Fact("Mail lists", "lab list (2)"),
)


def home(**changed: Any) -> HomeView:
    """What an admin who approves sees of three routines."""
    healthy = HomeView(
        bot_user_id=STANDBY,
        routines=(line(), PAUSED, NEW),
        pages=2,
        retired=1,
        waiting=(WAITING,),
        more_waiting=1,
        admin=ADMIN,
    )
    return replace(healthy, **changed)


def history(**changed: Any) -> HistoryView:
    slots = (
        SlotLine(
            DONE,
            "Mon 30 Nov 2026 07:00",
            2,
            "",
            ("sent to <#C0LAB000001>", "sent to lab list"),
            earlier=("halted before, version 1: OddFile: spectro-07.log has no line with a known level",),
            left_out=("spectro-07.log",),
        ),
        SlotLine(HALTED, "Mon 23 Nov 2026 07:00", 1, "OddFile: spectro-07.log has no line with a known level"),
        SlotLine(SlotState.SKIPPED, "Mon 16 Nov 2026 07:00", None, "skipped by <@U0BOB000001>", people=(BOB,)),
        SlotLine(
            SlotState.UNKNOWN, "Mon 9 Nov 2026 07:00", 1, "", ("perhaps sent to lab list (the connection ended)",)
        ),
    )
    return replace(HistoryView(7, "weekly-error-report", "Europe/Oslo", slots, 1, 3), **changed)


def routines(**changed: Any) -> RoutinesView:
    return replace(RoutinesView("Routines", (line(), PAUSED, NEW), "2 more are not shown."), **changed)


def routine(**changed: Any) -> RoutineView:
    """The story's routine in full."""
    whole = RoutineView(
        line=line(),
        versions=versions(),
        slots=history().slots,
        asked_by=ALICE,
        digest="1b2c3d4e5f60718293a4b5c6d7e8f90",
        request="Every Monday compile last week's instrument logs into an error summary and email it to the lab list",
        rung="existing script",
        why="every file is a log with a level",
        reads="files posted in <#C0LAB000001> between the previous slot and this one",
        files=tuple(f"spectro-{n:02d}.log" for n in range(1, 15)),
        next_times=("Mon 7 Dec 2026 07:00", "Mon 14 Dec 2026 07:00", "Mon 21 Dec 2026 07:00"),
        terms=("A slot that is up to 60 minutes late still runs.",),
        checks=(("MissingFile", "every agreed file is there"), ("EmptyFile", "no file is empty")),
        shaped_by=(BOB,),
        approved_by=BOB,
        approved_at="Tue 24 Nov 2026 09:12",
        script_lines=68,
    )
    return replace(whole, **changed)


def routine_not_approved() -> RoutineView:
    """A first version that waits, of a plan that cannot be read any more."""
    return RoutineView(NEW, versions(versions=(VersionLine(1, "9f2c1a7b", "proposed", "Mon 2 Nov 2026"),), more=0), (),
        asked_by=ALICE, digest="9f2c1a7b5f60718293a4b5c6d7e8f90")  # fmt: skip


def versions(**changed: Any) -> VersionsView:
    url = "https://lab.example/archives/C0LAB000001/p3"
    found = (
        VersionLine(2, "1b2c3d4e", "approved", "Tue 24 Nov 2026", BOB, is_current=True, url=url),
        VersionLine(1, "9f2c1a7b", "approved", "Mon 2 Nov 2026", BOB, url=url),
    )
    return replace(VersionsView("weekly-error-report", found, 1), **changed)


def bill(runs: int = 5, size_bytes: int = 200_000, paid: Paid | None = None) -> Bill:
    """A routine that a model drafted, over some weeks, one of which halted."""
    paid = paid or Paid(draft_micro_usd=80_000, surprise_micro_usd=60_000, surprises=1, tokens=90_000)
    read = [RunRead(size_bytes, is_halted=number == 2) for number in range(runs)]
    return bill_of(paid, read, Rates("claude-sonnet-5-5", "2026-11-30", 2.0, 10.0), density(3_000, 6_000, "2026-11-30"))


def bill_of_one() -> ReportView:
    return one_view(_named("weekly-error-report"), bill())


def bills() -> ReportView:
    """The script was cheaper, the loop would have been, and nobody knows."""
    unknown = bill_of(Paid(draft_micro_usd=0, tokens=10, unknown=2), [RunRead(1_000)],
                      Rates("my-own-model", "2026-11-30", None, None), density(0, 0, ""))  # fmt: skip
    found = [("weekly-error-report", bill()), ("margins", bill(2, 20_000)), ("stock-levels", unknown)]
    return every_view([(_named(name), one) for name, one in found], more=3)


def _named(name: str) -> Routine:
    return Routine(team_id="T1", name=name, channel_id="C1", thread_ts="1.0", owner_id=ALICE, created_at=NOW)
