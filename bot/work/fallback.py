"""When a thread cannot be reached any more: its owner and approver are told directly, and the routine pauses."""

from bot.domain.errors import ChatError, ChatGone
from bot.domain.left_words import who_left
from bot.domain.ports import Place
from bot.domain.views import NoteView
from bot.domain.words import RoutineState
from bot.log import log
from bot.store import history, plans
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.work.outbox import post_once
from bot.work.parts import JobParts


def tell_directly(parts: JobParts, place: Place, key: str, text: str, gone: ChatGone) -> None:
    """Say to people what could not be said in their thread. Raises ChatGone where nobody could be reached either."""
    pause_for(parts, place, str(gone))
    reached = _tell_each(parts, place, key, f"{text}\n\n_I could not say this in <#{place.channel_id}>: {gone}_")
    if not reached:
        raise gone


def pause_for(parts: JobParts, home: Place, why: str) -> None:
    """Pause the routine of this thread, once, and say so directly."""
    now = parts.clock.now()
    with parts.db.transaction() as session:
        routine = plans.routine_in(session, home.team_id, home.channel_id, home.thread_ts)
        if routine is None:
            return
        routine_id = known(routine.id)
        if not move(session, Routine, routine_id, RoutineState.ACTIVE, RoutineState.PAUSED, next_slot_at=None):
            return
        history.append(session, now, "routine.paused", {"routine": routine.name, "reason": why})
    text = (
        f"{routine.name} is paused and sends no reports. {why} "
        "When that is mended, reply “resume” with a mention of me in its thread; “backfill” makes up for what failed."
    )
    _tell_each(parts, home, f"routine:{routine_id}:gone:{now.isoformat()}", text)


def _tell_each(parts: JobParts, place: Place, key: str, text: str) -> int:
    """One message to each who has to know; the number of those who got it. A busy workspace is waited for."""
    reached = 0
    for user_id in _who(parts, place):
        try:
            post_once(
                parts, Place(place.team_id, user_id), NoteView(text, people=who_left(text)), f"{key}:direct:{user_id}"
            )
            reached += 1
        except ChatError as error:
            if not error.permanent:
                raise
            log.error("nobody_reached", person=user_id, key=key, why=str(error))
    return reached


def _who(parts: JobParts, place: Place) -> list[str]:
    """The owner, whoever approved the current version, and who stands for it since."""
    with parts.db.transaction() as session:
        routine = plans.routine_in(session, place.team_id, place.channel_id, place.thread_ts)
        if routine is None:
            return []
        approval = plans.approval_of(session, routine.current_plan_id) if routine.current_plan_id else None
        people = [routine.owner_id, approval.person_id if approval else "", routine.vouched_by]
    return [one for one in dict.fromkeys(people) if one]
