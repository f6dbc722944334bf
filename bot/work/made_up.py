"""The slots of a routine that one order makes up for: which stopped, which were missed, and which have no data."""

from collections.abc import Sequence

from sqlmodel import Session

from bot.domain.slots import Schedule, slot_words
from bot.domain.words import SlotState
from bot.store import plans, runs, talk
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Slot, SurpriseRow
from bot.work.instruct import STOPPED
from bot.work.sweep import MISSED
from library.manifest import ChannelSource, Source

# As many slots as one order may set going; whoever wants more says it again.
MOST = 10
SHOWN = 3
NO_INPUT = "NoInput"


def stopped(session: Session, routine: Routine, plan_id: int) -> tuple[list[Slot], list[Slot]]:
    """Slots that halted or failed, oldest first: those to run again, and those for which nothing was ever posted."""
    source = plans.manifest(session, plan_id).source
    again: list[Slot] = []
    empty: list[Slot] = []
    for slot in runs.slots_in(session, known(routine.id), STOPPED):
        (empty if _is_empty(session, routine, source, slot) else again).append(slot)
    return again[:MOST], empty


def missed(session: Session, routine: Routine) -> list[Slot]:
    """The latest slots that were missed in a row, oldest first."""
    skipped = runs.slots_in(session, known(routine.id), (SlotState.SKIPPED,))
    latest = [one for one in skipped if one.reason in MISSED]
    row = latest[-1:]
    for slot in reversed(latest[:-1]):
        if slot.until != row[0].since:
            break
        row.insert(0, slot)
    return row


def nothing_posted(slots: Sequence[Slot], schedule: Schedule | None) -> str:
    """Why these get no report, and what would bring one."""
    which = " and ".join(slot_words(one.due_at, schedule) for one in slots[:SHOWN])
    more = f" and {len(slots) - SHOWN} more" if len(slots) > SHOWN else ""
    return (
        f"Nothing was posted for {which}{more}, so there is nothing to make up for there. For a report of it post the "
        "files and say “run now”; else press Skip this slot on its message."
    )


def _is_empty(session: Session, routine: Routine, source: Source, slot: Slot) -> bool:
    """Whether it halted on no files in the channel, and there are none yet. A source is read anew, so who knows."""
    question = session.get(SurpriseRow, slot.surprise_id) if slot.surprise_id else None
    if question is None or question.name != NO_INPUT or not isinstance(source, ChannelSource):
        return False
    window = (slot.since, slot.until)
    return not talk.files_in_window(session, known(routine.id), routine.team_id, source.channel, *window)
