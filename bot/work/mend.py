"""Every slot ends: what has not ended and has no job any more gets a new one, or an ending that is told."""

from collections.abc import Callable
from datetime import datetime

from sqlmodel import Session

from bot.domain.ports import Clock
from bot.domain.states import slot_after_deliveries
from bot.domain.words import DeliveryState, RoutineState, RunState, SlotState
from bot.log import log
from bot.store import runs, unattended
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Run, Slot
from bot.work import endings
from bot.work.jobs import Job, enqueue
from bot.work.sweep import schedule_now

# Jobs for one run that may fail without an ending before the slot is ended here.
FAILURES = 3
GAVE_UP = f"Its job failed {FAILURES} times without an end, so Standby stopped trying."

Mend = Callable[[Session, int, datetime], bool]


def mend(db: Database, clock: Clock) -> int:
    """One round over everything that waits; the number of things that got a job or an ending."""
    now = clock.now()
    with db.transaction() as session:
        waiting: list[tuple[Mend, list[int]]] = [
            (_slot, unattended.unfinished_slots(session)),
            (_surprise, unattended.untold_surprises(session)),
            (_unsure, unattended.untold_deliveries(session)),
            (_card, unattended.unposted_cards(session)),
            (_routine, unattended.without_next_slot(session)),
        ]
    return sum(_one(db, work, row_id, now) for work, found in waiting for row_id in found)


def _one(db: Database, work: Mend, row_id: int, now: datetime) -> bool:
    """Each by itself: what is wrong with one must not keep the others waiting."""
    try:
        with db.transaction() as session:
            mended = work(session, row_id, now)
    except Exception:
        log.exception("not_mended", what=work.__name__.strip("_"), row=row_id)
        return False
    if mended:
        log.warning("mended", what=work.__name__.strip("_"), row=row_id)
    return mended


def _slot(session: Session, slot_id: int, now: datetime) -> bool:
    run = runs.last_run(session, slot_id)
    if run is not None:  # runs are locked before slots everywhere
        session.refresh(run, with_for_update=True)
    slot = session.get_one(Slot, slot_id, with_for_update=True)
    if slot.state is SlotState.DUE:
        return _due(session, slot, run, now)
    if slot.state is SlotState.DELIVERING:
        return _delivering(session, slot_id, now)
    return False


def _due(session: Session, slot: Slot, run: Run | None, now: datetime) -> bool:
    """A run under way whose job is gone comes back too: the runner that takes the job finds it dead and counts it."""
    if run is None or run.state not in (RunState.QUEUED, RunState.RUNNING):
        return _run_anew(session, slot, run, now)
    run_id = known(run.id)
    if unattended.is_queued(session, Job.RUN, "run_id", run_id):
        return False
    if unattended.times_failed(session, Job.RUN, "run_id", run_id) >= FAILURES:
        endings.fault_in(session, run, "Standby", GAVE_UP, now)
    else:
        enqueue(session, Job.RUN, lock=f"slot:{slot.id}", run_id=run_id)
    return True


def _run_anew(session: Session, slot: Slot, last: Run | None, now: datetime) -> bool:
    """The last run ended and the slot did not; a run that another worker queued meanwhile is seen next time."""
    newest = runs.last_run(session, known(slot.id))
    if newest is not None and (last is None or newest.id != last.id):
        return False
    plan_id = last.plan_id if last else known(session.get_one(Routine, slot.routine_id).current_plan_id)
    run = runs.queue_run(session, known(slot.id), plan_id, now, attempt=last.attempt + 1 if last else 1)
    if last is not None and last.attempt >= endings.ATTEMPTS:
        endings.fault_in(session, run, "Standby", "Its runs ended without a result.", now)
    else:
        enqueue(session, Job.RUN, lock=f"slot:{slot.id}", run_id=known(run.id))
    return True


def _delivering(session: Session, slot_id: int, now: datetime) -> bool:
    deliveries = runs.deliveries_of(session, slot_id)
    ending = slot_after_deliveries(frozenset(one.state for one in deliveries))
    if ending is not SlotState.DELIVERING:
        return move(session, Slot, slot_id, SlotState.DELIVERING, ending, ended_at=now)
    stranded = [
        known(one.id)
        for one in deliveries
        if one.state in (DeliveryState.PENDING, DeliveryState.SENDING)
        and not unattended.is_queued(session, Job.DELIVER, "delivery_id", known(one.id))
    ]
    for delivery_id in stranded:
        enqueue(session, Job.DELIVER, lock=f"delivery:{delivery_id}", delivery_id=delivery_id)
    return bool(stranded)


def _surprise(session: Session, surprise_id: int, _now: datetime) -> bool:
    if unattended.is_queued(session, Job.TELL, "surprise_id", surprise_id):
        return False
    enqueue(session, Job.TELL, lock=f"surprise:{surprise_id}", surprise_id=surprise_id)
    return True


def _unsure(session: Session, delivery_id: int, _now: datetime) -> bool:
    if unattended.is_queued(session, Job.UNSURE, "delivery_id", delivery_id):
        return False
    enqueue(session, Job.UNSURE, lock=f"delivery:{delivery_id}", delivery_id=delivery_id)
    return True


def _card(session: Session, card_id: int, _now: datetime) -> bool:
    if unattended.is_queued(session, Job.DRAW, "card_id", card_id):
        return False
    enqueue(session, Job.DRAW, card_id=card_id)
    return True


def _routine(session: Session, routine_id: int, now: datetime) -> bool:
    routine = session.get_one(Routine, routine_id, with_for_update=True)
    if routine.state is not RoutineState.ACTIVE or routine.next_slot_at is not None:
        return False
    schedule = schedule_now(session, known(routine.current_plan_id))
    if schedule is not None:
        routine.next_slot_at = schedule.after(now)
    return schedule is not None
