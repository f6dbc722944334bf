"""Turning due moments into slots and runs. Whatever wakes it, the unique slot row decides."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from bot.domain.ports import Clock, Place
from bot.domain.slots import Schedule
from bot.domain.words import RoutineState, SlotState
from bot.log import log
from bot.store import history, plans, runs
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import Routine
from bot.work.jobs import Job, enqueue, say
from library.manifest_text import read_manifest

# A slot missed for longer than this is not run late by itself; it is recorded as skipped and said.
CATCH_UP = timedelta(days=2)


def arm_due(db: Database, clock: Clock) -> int:
    """Make slots and queue runs for every routine that is due now; the number of runs queued."""
    now = clock.now()
    with db.transaction() as session:
        due = session.exec(
            select(Routine.id).where(
                Routine.state == RoutineState.ACTIVE,
                col(Routine.next_slot_at).is_not(None),
                col(Routine.next_slot_at) <= now,
            )
        ).all()
    return sum(_arm(db, known(routine_id), now) for routine_id in due)


def _arm(db: Database, routine_id: int, now: datetime) -> int:
    with db.transaction() as session:
        return arm(session, session.get_one(Routine, routine_id, with_for_update=True), now)


def arm(session: Session, routine: Routine, now: datetime) -> int:
    """Make the slots of a routine that are due, in the caller's transaction; the number of runs queued."""
    if routine.state is not RoutineState.ACTIVE or routine.next_slot_at is None or routine.next_slot_at > now:
        return 0
    plan_id = known(routine.current_plan_id)
    schedule = schedule_of(session, plan_id)
    missed = list(schedule.between(routine.next_slot_at - timedelta(microseconds=1), now))
    queued = 0
    for due_at in missed:
        queued += _make(session, routine, schedule, due_at, now, plan_id, is_last=due_at == missed[-1])
    routine.next_slot_at = schedule.after(now)
    return queued


def _make(
    session: Session,
    routine: Routine,
    schedule: Schedule,
    due_at: datetime,
    now: datetime,
    plan_id: int,
    *,
    is_last: bool,
) -> int:
    since = max(filter(None, [runs.window_end(session, known(routine.id)), schedule.before(due_at)]))
    if is_last and now - due_at <= CATCH_UP:
        slot_id = runs.claim_slot(session, known(routine.id), due_at, since, SlotState.DUE)
        if slot_id is None:
            return 0
        run = runs.queue_run(session, slot_id, plan_id, now)
        enqueue(session, Job.RUN, lock=f"slot:{slot_id}", run_id=run.id)
        log.info("slot_due", slot=slot_id, routine=routine.name, due_at=due_at.isoformat())
        return 1
    reason = (
        "it is too long ago to be made up for by itself."
        if is_last
        else "when it could have run, a later one was due already, and only the last one is made up for."
    )
    slot_id = runs.claim_slot(session, known(routine.id), due_at, since, SlotState.SKIPPED, reason)
    if slot_id is not None:
        _tell_skipped(session, routine, schedule, due_at, slot_id, now, reason)
    return 0


def _tell_skipped(
    session: Session, routine: Routine, schedule: Schedule, due_at: datetime, slot_id: int, now: datetime, reason: str
) -> None:
    history.append(session, now, "slot.skipped", {"slot": slot_id, "routine": routine.name, "reason": reason})
    say(
        session,
        Place(routine.team_id, routine.channel_id, routine.thread_ts),
        f"slot:{slot_id}:skipped",
        f"No report for {schedule.local(due_at)} {schedule.zone}: {reason}",
    )


def schedule_of(session: Session, plan_id: int) -> Schedule:
    """The schedule of a plan that has one."""
    manifest = read_manifest(plans.folder(session, plan_id).files["plan.toml"])
    assert manifest.schedule is not None, "only a plan with a schedule has a next slot"
    return Schedule(manifest.schedule.cron, manifest.schedule.zone)
