"""What is older than it is kept: bytes that no younger run needs, and keys of events long since taken in."""

from datetime import datetime

from sqlalchemy import delete, update
from sqlmodel import Session, col, select

from bot.domain.words import SlotState
from bot.store.tables_runs import Run, RunInput, Slot
from bot.store.tables_sources import Collected
from bot.store.tables_talk import Seen, SharedFile

# Slots in which something may still be run again.
_UNSETTLED = (SlotState.DUE, SlotState.DELIVERING, SlotState.HALTED, SlotState.FAILED, SlotState.BLOCKED)


def old_inputs(session: Session, before: datetime) -> set[str]:
    """sha256 of files that were posted or taken before, and that nothing younger or unsettled has as input."""
    old = select(SharedFile.sha256).where(SharedFile.posted_at < before, SharedFile.sha256 != "")
    young = select(SharedFile.sha256).where(SharedFile.posted_at >= before)
    old_taken = select(Collected.sha256).where(Collected.taken_at < before, Collected.sha256 != "")
    young_taken = select(Collected.sha256).where(Collected.taken_at >= before)
    needed = (col(Run.queued_at) >= before) | col(Slot.state).in_(_UNSETTLED)
    used = select(RunInput.sha256).where(RunInput.run_id == Run.id, Run.slot_id == Slot.id, needed)
    found = {*session.exec(old), *session.exec(old_taken)}
    return found - {*session.exec(young), *session.exec(young_taken), *session.exec(used)}


def forget_inputs(session: Session, shas: set[str], now: datetime) -> None:
    """Their bytes are gone: they are no input any more. What they were called and weighed stays."""
    session.execute(update(SharedFile).where(col(SharedFile.sha256).in_(shas)).values(sha256="", deleted_at=now))
    session.execute(update(Collected).where(col(Collected.sha256).in_(shas)).values(sha256=""))


def old_attachments(session: Session, before: datetime) -> list[Run]:
    """Runs that ended before and still have attachments."""
    found = select(Run).where(col(Run.ended_at) < before, col(Run.kept) != {})
    return list(session.exec(found.order_by(col(Run.id))))


def shas_still_attached(session: Session, since: datetime) -> set[str]:
    """What younger runs attach."""
    found = session.exec(select(Run.kept).where((col(Run.ended_at) >= since) | col(Run.ended_at).is_(None)))
    return {str(sha256) for kept in found for sha256 in kept.values()}


def forget_seen(session: Session, before: datetime) -> int:
    """Slack repeats an event within the hour; much later its key is of no use."""
    gone = session.execute(delete(Seen).where(col(Seen.seen_at) < before, col(Seen.key).op("~")("^(event|message):")))
    return int(gone.rowcount)  # type: ignore[attr-defined] # a DELETE gives a CursorResult
