"""Before a run: whether whoever answers for its routine, and whoever approved it, are still there."""

from sqlmodel import Session

from bot.domain.errors import ChatError
from bot.domain.left_words import APPROVER_LEFT, OWNER_LEFT
from bot.domain.ports import Place
from bot.domain.words import RunState
from bot.store import plans
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Run, Slot
from bot.work import endings
from bot.work.fallback import pause_for
from bot.work.parts import JobParts
from bot.work.thread import place_of


def is_left(parts: JobParts, run_id: int) -> bool:
    """True where somebody is gone: the slot is blocked, the routine pauses, and those who are there are told."""
    with parts.db.transaction() as session:
        row = session.get_one(Run, run_id)
        routine = session.get_one(Routine, session.get_one(Slot, row.slot_id).routine_id)
        people = _people(session, routine, row.plan_id) if row.state is RunState.QUEUED else ()
        home = place_of(routine)
    why = " ".join(words.format(user_id) for user_id, words in people if _is_gone(parts, user_id))
    if not why:
        return False
    endings.blocked(parts, run_id, why)
    pause_for(parts, Place(home.team_id, home.channel_id, home.thread_ts), why)
    return True


def _people(session: Session, routine: Routine, plan_id: int) -> tuple[tuple[str, str], ...]:
    """User ids of those who have to be there, with what it means where they are not."""
    approval = plans.approval_of(session, plan_id)
    approver = routine.vouched_by or (approval.person_id if approval else "")
    found = ((routine.owner_id, OWNER_LEFT), (approver, APPROVER_LEFT))
    return tuple((user_id, words) for user_id, words in found if user_id)


def _is_gone(parts: JobParts, user_id: str) -> bool:
    """A workspace that does not answer says nothing about anybody."""
    try:
        return parts.chat.person(user_id).is_deleted
    except ChatError:
        return False
