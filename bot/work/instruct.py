"""What people may tell a halted routine: rerun, skip this slot, pause. Each answers with a sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from bot.domain.people import Person
from bot.domain.words import RoutineState, SlotState, SurpriseState, Verb
from bot.store import collected, runs
from bot.store.collected import Holder
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Plan, Routine
from bot.store.tables_runs import Slot, SurpriseRow
from bot.work.jobs import Job, enqueue
from bot.work.sweep import arm

# Only a person, or a new version, leads out of these.
STOPPED = (SlotState.HALTED, SlotState.FAILED, SlotState.BLOCKED)


class Refused(Exception):
    """The press changes nothing; the text is the answer for whoever pressed."""


@dataclass(frozen=True)
class Instruction:
    """Who says it, about what, in which transaction."""

    session: Session
    routine: Routine
    surprise: SurpriseRow
    plan: Plan
    person: Person
    now: datetime


def _rerun(told: Instruction) -> str:
    """Files posted since count for the slot too, and sources are read anew: that is how missing data comes in late."""
    for slot in runs.slots_waiting_for(told.session, known(told.surprise.id)):
        if slot.state in STOPPED:
            collected.forget(told.session, Holder(slot_id=slot.id))
        if slot.state in STOPPED and runs.is_newest(told.session, slot):
            slot.until = told.now
    if not rerun_waiting(told.session, known(told.surprise.id), known(told.plan.id), told.now):
        raise Refused("This slot is not halted any more. Your press changed nothing.")
    answered(told.session, told.surprise, f"rerun, asked for by <@{told.person.user_id}>")
    return f"It runs again now with version {told.plan.version} of {told.routine.name}."


def _skip(told: Instruction) -> str:
    reason = f"skipped by <@{told.person.user_id}>"
    waiting = runs.slots_waiting_for(told.session, known(told.surprise.id))
    skipped = [
        move(told.session, Slot, known(slot.id), old, SlotState.SKIPPED, reason=reason, ended_at=told.now)
        for slot in waiting
        for old in STOPPED
    ]
    if not any(skipped):
        raise Refused("This slot is not halted any more. Your press changed nothing.")
    answered(told.session, told.surprise, reason)
    return f"Skipped. This slot of {told.routine.name} gets no report; the next one runs as planned."


def _pause(told: Instruction) -> str:
    routine_id = known(told.routine.id)
    arm(told.session, told.routine, told.now)  # what is due already is no part of the pause
    if not move(told.session, Routine, routine_id, RoutineState.ACTIVE, RoutineState.PAUSED, next_slot_at=None):
        raise Refused(f"{told.routine.name} is not active, so there is nothing to pause.")
    return f"Paused. {told.routine.name} runs no more until somebody says “resume” here with a mention."


INSTRUCTIONS: Mapping[Verb, Callable[[Instruction], str]] = {
    Verb.RERUN: _rerun,
    Verb.SKIP: _skip,
    Verb.PAUSE: _pause,
}


def answered(session: Session, surprise: SurpriseRow, words: str) -> None:
    """Close the question; who answered first stays in it."""
    move(session, SurpriseRow, known(surprise.id), SurpriseState.OPEN, SurpriseState.ANSWERED, answer=words)


def rerun_waiting(session: Session, surprise_id: int, plan_id: int, now: datetime) -> bool:
    """Queue a new run for each stopped slot that waits for this surprise; false when there is none."""
    waiting = runs.slots_waiting_for(session, surprise_id)
    rerun = [rerun_slot(session, known(slot.id), plan_id, now) for slot in waiting]
    return any(rerun)


def rerun_slot(session: Session, slot_id: int, plan_id: int, now: datetime) -> bool:
    """Queue a new run for a slot that stopped; false when it has moved on."""
    for old in STOPPED:
        if move(session, Slot, slot_id, old, SlotState.DUE, ended_at=None, reason=""):
            run = runs.queue_run(session, slot_id, plan_id, now)
            enqueue(session, Job.RUN, lock=f"slot:{slot_id}", run_id=run.id)
            return True
    return False
