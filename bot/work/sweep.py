"""Turning due moments into slots and runs. Whatever wakes it, the unique slot row decides."""

from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from bot.domain.errors import RequestProblem
from bot.domain.ports import Clock
from bot.domain.slots import Schedule, schedule_from, slot_words
from bot.domain.words import RoutineState, SlotState
from bot.log import log
from bot.store import history, plans, runs
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import Routine
from bot.work.jobs import Job, enqueue, say
from bot.work.points import Point, passing
from bot.work.thread import place_of
from library.manifest import ManifestError
from library.manifest_schedule import Overlap
from library.manifest_schedule import Schedule as PlanSchedule
from library.plan_folder import PlanFolderError

TOO_LATE = "by the time it could be made, a later one was due already, or it was too long ago to be made up for."
# As earlier versions wrote it into their slots.
TOO_LATE_BEFORE = "when they could have run a later one was due already, or it was too long ago to be made up for."
OVERTAKEN = "the run of the slot before was still going."
BEGUN_LATE = "its run could not begin in time."
MISSED = (TOO_LATE, TOO_LATE_BEFORE, OVERTAKEN, BEGUN_LATE)
"""Reasons of skipped slots that one order makes up for."""
# No change of a zone's rules moves a slot by more than this.
MOVED_BY = timedelta(hours=26)
OFFER = "To get one over what was missed, reply here with a mention of me and “backfill”."
UNREADABLE = (PlanFolderError, ManifestError, RequestProblem)


def arm_due(db: Database, clock: Clock) -> int:
    """Make slots and queue runs for every routine that is due now; the number of runs queued."""
    now = clock.now()
    with db.transaction() as session:
        due = plans.due_routines(session, now)
    return sum(_arm(db, routine_id, now) for routine_id in due)


def _arm(db: Database, routine_id: int, now: datetime) -> int:
    """One routine by itself: what is wrong with it must not keep the others from their slots."""
    try:
        with db.transaction() as session:
            queued = arm(session, session.get_one(Routine, routine_id, with_for_update=True), now)
            passing(Point.SLOT_MADE)
        passing(Point.SLOT_KEPT)
    except UNREADABLE as broken:
        _pause(db, routine_id, now, str(broken))
    except Exception:
        log.exception("routine_not_armed", routine=routine_id)
    else:
        return queued
    return 0


def arm(session: Session, routine: Routine, now: datetime) -> int:
    """Make the slots of a routine that are due, in the caller's transaction; the number of runs queued."""
    if routine.state is not RoutineState.ACTIVE or routine.next_slot_at is None or routine.next_slot_at > now:
        return 0
    plan_id = known(routine.current_plan_id)
    said = _plan_schedule(session, plan_id)
    if said is None:
        routine.next_slot_at = None
        return 0
    schedule = schedule_from(said)
    due = _due(session, routine, schedule, now)
    if not due:
        return _aim_anew(session, routine, schedule, now)
    *missed, last = due
    catch_up = timedelta(hours=said.terms.catch_up_h)
    since = max(filter(None, [runs.window_end(session, known(routine.id)), schedule.before((missed or [last])[0])]))
    skipped = []
    for due_at in missed if now - last <= catch_up else [*missed, last]:
        if runs.claim_slot(session, known(routine.id), due_at, since, SlotState.SKIPPED, TOO_LATE) is not None:
            skipped.append(due_at)
        since = max(since, due_at)
    if skipped:
        _tell_skipped(session, routine, schedule, skipped, now)
    routine.next_slot_at = schedule.after(now)
    if last in skipped or _is_overtaken(session, routine, said, last, since, now):
        return 0
    return _queue(session, routine, last, since, now, plan_id)


def _due(session: Session, routine: Routine, schedule: Schedule, now: datetime) -> list[datetime]:
    """The slots that are due. Where rules of a zone or holidays changed since, those of the new rules."""
    aimed_at = known_moment(routine.next_slot_at)
    if found := list(schedule.between(aimed_at - timedelta(microseconds=1), now)):
        return found
    made = runs.newest_slot_at(session, known(routine.id))
    moved = schedule.between(aimed_at - MOVED_BY, now)
    return [due_at for due_at in moved if due_at > max(made or routine.created_at, aimed_at - MOVED_BY)]


def _aim_anew(session: Session, routine: Routine, schedule: Schedule, now: datetime) -> int:
    """Its next slot is none any more, because the rules of its zone or its holidays changed: that is said."""
    before, routine.next_slot_at = routine.next_slot_at, schedule.after(now)
    told = schedule.local(known_moment(before)), schedule.local(routine.next_slot_at)
    history.append(session, now, "slot.moved", {"routine": routine.name, "from": told[0], "to": told[1]})
    text = (
        f"The slot of {told[0]} is none any more: the rules of {schedule.zone} or its holidays changed. "
        f"Next: {told[1]} {schedule.zone}."
    )
    say(session, place_of(routine), f"routine:{routine.id}:moved:{known_moment(before).isoformat()}", text)
    return 0


def _is_overtaken(
    session: Session, routine: Routine, said: PlanSchedule, due_at: datetime, since: datetime, now: datetime
) -> bool:
    """Skip a slot whose predecessor still runs; said once for each run that overtakes."""
    if said.terms.overlap is not Overlap.SKIP:
        return False
    routine_id = known(routine.id)
    busy = runs.still_running(session, routine_id, due_at)
    if busy is None:
        return False
    if runs.claim_slot(session, routine_id, due_at, since, SlotState.SKIPPED, OVERTAKEN) is not None:
        when = slot_words(due_at, schedule_from(said))
        history.append(session, now, "slot.skipped", {"routine": routine.name, "first": when, "reason": OVERTAKEN})
        text = f"No report for {when}: {OVERTAKEN} Others that it overtakes are skipped without a word. {OFFER}"
        say(session, place_of(routine), f"routine:{routine_id}:overtaken:{busy}", text)
    return True


def _queue(session: Session, routine: Routine, due_at: datetime, since: datetime, now: datetime, plan_id: int) -> int:
    slot_id = runs.claim_slot(session, known(routine.id), due_at, since, SlotState.DUE)
    if slot_id is None:
        return 0
    run = runs.queue_run(session, slot_id, plan_id, now)
    enqueue(session, Job.RUN, lock=f"slot:{slot_id}", run_id=run.id)
    log.info("slot_due", slot=slot_id, routine=routine.name, due_at=due_at.isoformat())
    return 1


def _tell_skipped(
    session: Session, routine: Routine, schedule: Schedule, skipped: list[datetime], now: datetime
) -> None:
    """One sentence, however many slots were missed."""
    first, last = schedule.local(skipped[0]), schedule.local(skipped[-1])
    body = {"routine": routine.name, "first": first, "last": last, "count": len(skipped), "reason": TOO_LATE}
    history.append(session, now, "slot.skipped", body)
    which = (
        f"{first} {schedule.zone}" if len(skipped) == 1 else f"{len(skipped)} slots, {first} to {last} {schedule.zone}"
    )
    say(
        session,
        place_of(routine),
        f"routine:{routine.id}:skipped:{skipped[-1].isoformat()}",
        f"No report for {which}: {TOO_LATE} {OFFER}",
    )


def _pause(db: Database, routine_id: int, now: datetime, why: str) -> None:
    """What is stored of the current plan cannot be read: nothing of it may run, and somebody has to know."""
    with db.transaction() as session:
        routine = session.get_one(Routine, routine_id, with_for_update=True)
        due_at = routine.next_slot_at
        if not move(session, Routine, routine_id, RoutineState.ACTIVE, RoutineState.PAUSED, next_slot_at=None):
            return
        if due_at is not None:
            runs.claim_slot(session, routine_id, due_at, due_at, SlotState.BLOCKED, why)
        history.append(session, now, "routine.paused", {"routine": routine.name, "reason": why})
        place = replace(place_of(routine), is_broadcast=True)
        text = f"{routine.name} is paused and sends no reports: what is stored of its plan cannot be read. {why}"
        say(session, place, f"routine:{routine_id}:unreadable:{due_at}", text)


def _plan_schedule(session: Session, plan_id: int) -> PlanSchedule | None:
    """What a stored plan states of its schedule; None where it runs only when somebody asks."""
    return plans.manifest(session, plan_id).schedule


def schedule_now(session: Session, plan_id: int) -> Schedule | None:
    """The due moments of a stored plan; None where it has none. Raises one of UNREADABLE."""
    said = _plan_schedule(session, plan_id)
    return schedule_from(said) if said else None


def known_moment(at: datetime | None) -> datetime:
    assert at is not None, "a routine that is due has a next slot"
    return at
