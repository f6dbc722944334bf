"""How a run ends and what that makes of its slot: each ending is one transaction with all that follows from it."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlmodel import Session

from bot.domain.counts import counted
from bot.domain.redact import redacted, redacted_all
from bot.domain.states import before, slot_after_deliveries
from bot.domain.words import Cause, RunState, SlotState, SurpriseState
from bot.log import log
from bot.store import history, runs
from bot.store.guarded import move
from bot.store.plans import folder, known
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Run, Slot, SurpriseRow
from bot.work.jobs import Job, enqueue
from bot.work.metrics import RUNS
from bot.work.own import note_clean_run
from bot.work.parts import JobParts
from bot.work.ping import Signal, note
from library.manifest import ChannelDestination, Destination
from library.manifest_text import read_manifest
from sandbox.outcome import Crashed, Outcome, Report, Surprised
from sandbox.outcome_keys import outcome_keys

# A box may be lost so often under one slot before somebody is told.
ATTEMPTS = 3
# A runner that dies under it is nobody's fault but Standby's, yet a script that always takes it along must stop.
DEATHS = 6
NO_BOX_S = 15.0
# A source that cannot be reached is asked again after so many seconds; then somebody is told.
SOURCE_PAUSES_S = (30.0, 180.0, 600.0)
PAUSE = timedelta(seconds=3)


def destination_key(destination: Destination) -> str:
    """The name of a destination in delivery rows: one delivery for each in a slot."""
    if isinstance(destination, ChannelDestination):
        return f"channel:{destination.channel}"
    return f"email:{destination.name}"


def outside_key(session: Session, row: Run, destination: str) -> str:
    """By what a delivery is about, so that Slack, mails and marks know it after a backup was restored too."""
    slot = session.get_one(Slot, row.slot_id)
    routine = session.get_one(Routine, slot.routine_id)
    words = [routine.team_id, routine.name, slot.due_at.astimezone(UTC).isoformat(), destination]
    return sha256("\n".join(words).encode()).hexdigest()[:16]


def ended(parts: JobParts, run_id: int, outcome: Outcome) -> None:
    """A run that came to a report, a surprise or a script error."""
    with parts.db.transaction() as session:
        row = session.get_one(Run, run_id)
        if isinstance(outcome, Report):
            _reported(session, row, outcome, parts.clock.now())
            note_clean_run(session, row.plan_id, parts.clock.now(), parts.settings.proven_after)
        elif isinstance(outcome, Surprised):
            _halted(session, row, outcome, parts.clock.now())
        elif isinstance(outcome, Crashed):
            _crashed(session, row, outcome, parts.clock.now())


def no_box(parts: JobParts, run_id: int) -> None:
    """The provider is at its limit, which is nobody's failure: the run waits for its turn."""
    with parts.db.transaction() as session:
        row = session.get_one(Run, run_id, with_for_update=True)
        if move(session, Run, run_id, RunState.RUNNING, RunState.QUEUED, started_at=None):
            enqueue(session, Job.RUN, lock=f"slot:{row.slot_id}", after_s=NO_BOX_S, run_id=run_id)
            log.info("run_waits_for_box", run=run_id, slot=row.slot_id)


def source_failed(parts: JobParts, run_id: int, why: str, *, is_permanent: bool, part: str = "source") -> None:
    """The data could not be taken: asked for again later where that may help, else the slot fails and is told."""
    with parts.db.transaction() as session:
        row = session.get_one(Run, run_id, with_for_update=True)
        tries = row.source_tries
        if is_permanent or tries >= len(SOURCE_PAUSES_S):
            again = "" if is_permanent else f" It was tried {counted(tries + 1, 'time')}."
            fault_in(session, row, part, f"{why}{again}", parts.clock.now())
        elif move(session, Run, run_id, RunState.RUNNING, RunState.QUEUED, started_at=None, source_tries=tries + 1):
            enqueue(session, Job.RUN, lock=f"slot:{row.slot_id}", after_s=SOURCE_PAUSES_S[tries], run_id=run_id)
            log.warning("source_away", run=run_id, slot=row.slot_id, tries=tries + 1, why=why)


def lost(parts: JobParts, run_id: int, why: str) -> None:
    """The box failed, not the script: another attempt, or the owner is told."""
    with parts.db.transaction() as session:
        lost_in(session, session.get_one(Run, run_id, with_for_update=True), why, parts.clock.now())


def faulted(parts: JobParts, run_id: int, part: str, why: str) -> None:
    """Source or machinery failed for good: the slot fails, somebody is told, the agent sleeps on."""
    with parts.db.transaction() as session:
        row = session.get_one(Run, run_id, with_for_update=True)
        fault_in(session, row, part, why, parts.clock.now())


def blocked(parts: JobParts, run_id: int, why: str) -> None:
    """The bytes may not run: nothing did, and a person has to look."""
    with parts.db.transaction() as session:
        blocked_in(session, session.get_one(Run, run_id, with_for_update=True), why, parts.clock.now())


def lost_in(session: Session, row: Run, why: str, now: datetime, most: int = ATTEMPTS) -> None:
    """`lost`, in the caller's transaction."""
    if not _end_run(session, row, RunState.LOST, now):
        return
    log.warning("run_lost", run=row.id, slot=row.slot_id, attempt=row.attempt, why=why)
    if row.attempt >= most:
        _tell_fault(session, row, SlotState.FAILED, "box", f"{why} This happened {counted(row.attempt, 'time')}.", now)
        return
    next_run = runs.queue_run(session, row.slot_id, row.plan_id, now, attempt=row.attempt + 1)
    pause_s = PAUSE.total_seconds() * row.attempt
    enqueue(session, Job.RUN, lock=f"slot:{row.slot_id}", after_s=pause_s, run_id=next_run.id)


def blocked_in(session: Session, row: Run, why: str, now: datetime) -> None:
    """`blocked`, in the caller's transaction."""
    if _end_run(session, row, RunState.FAILED, now):
        _tell_fault(session, row, SlotState.BLOCKED, "approval", why, now)


def fault_in(session: Session, row: Run, part: str, why: str, now: datetime) -> None:
    """`faulted`, in the caller's transaction."""
    if _end_run(session, row, RunState.FAILED, now):
        _tell_fault(session, row, SlotState.FAILED, part, why, now)


def skipped_in(session: Session, row: Run, why: str, now: datetime) -> bool:
    """Its time is over before it began: the slot is skipped with the reason. False when it ended before."""
    if not _end_run(session, row, RunState.FAILED, now):
        return False
    return move(session, Slot, row.slot_id, SlotState.DUE, SlotState.SKIPPED, ended_at=now, reason=why)


def _reported(session: Session, row: Run, report: Report, now: datetime) -> None:
    if not _end_run(session, row, RunState.REPORTED, now, report):
        return
    question_id = session.get_one(Slot, row.slot_id).surprise_id
    if not move(session, Slot, row.slot_id, SlotState.DUE, SlotState.DELIVERING, surprise_id=None):
        return
    if question_id is not None:
        _settle(session, question_id, "its report could be made after all")
    manifest = read_manifest(folder(session, row.plan_id).files["plan.toml"])
    for destination in manifest.destinations:
        name = destination_key(destination)
        delivery_id = runs.claim_delivery(session, row.slot_id, known(row.id), name, outside_key(session, row, name))
        if delivery_id is not None:
            enqueue(session, Job.DELIVER, lock=f"delivery:{delivery_id}", delivery_id=delivery_id)
    ending = slot_after_deliveries(frozenset(one.state for one in runs.deliveries_of(session, row.slot_id)))
    if ending is not SlotState.DELIVERING:  # a rerun after everything had been sent
        move(session, Slot, row.slot_id, SlotState.DELIVERING, ending, ended_at=now)


def _settle(session: Session, question_id: int, words: str) -> None:
    """A question that no slot waits for any more has its answer: what a new run came to, whoever asked for that."""
    if not runs.slots_waiting_for(session, question_id) and move(
        session, SurpriseRow, question_id, SurpriseState.OPEN, SurpriseState.ANSWERED, answer=words
    ):
        enqueue(session, Job.TELL, lock=f"surprise:{question_id}", surprise_id=question_id)


def _halted(session: Session, row: Run, seen: Surprised, now: datetime) -> None:
    if not _end_run(session, row, RunState.HALTED, now, seen):
        return
    body: dict[str, Any] = {
        "message": seen.message,
        "seen": seen.seen,
        "expected": seen.expected,
        "file": seen.file,
        "rows": list(seen.rows),
    }
    _end_slot(session, row, SlotState.HALTED, Cause.SURPRISE, seen.name, f"{seen.name}:{seen.file}", body, now)


def _crashed(session: Session, row: Run, crash: Crashed, now: datetime) -> None:
    if not _end_run(session, row, RunState.FAILED, now, crash):
        return
    body: dict[str, Any] = {
        "message": (crash.message or "without a word") + (f" (plan.py line {crash.line})" if crash.line else ""),
        "seen": "",
        "expected": "",
        "file": "",
        "rows": crash.traceback.strip().splitlines()[-3:],
    }
    fingerprint = f"{crash.error}:{crash.line}"
    _end_slot(session, row, SlotState.FAILED, Cause.SCRIPT_ERROR, crash.error, fingerprint, body, now)


def _tell_fault(session: Session, row: Run, state: SlotState, part: str, why: str, now: datetime) -> None:
    body: dict[str, Any] = {"message": why, "seen": "", "expected": "", "file": "", "rows": []}
    _end_slot(session, row, state, Cause.FAULT, part, f"fault:{part}", body, now)


def _end_run(session: Session, row: Run, state: RunState, now: datetime, outcome: Outcome | None = None) -> bool:
    """End a run once; false when it ended before (somebody took it for dead: then its outcome counts for nothing)."""
    keys = outcome_keys(outcome) if outcome is not None else {}
    run_id = known(row.id)
    for old in before(state):
        if move(session, Run, run_id, old, state, ended_at=now, outcome=keys):
            log.info("run_ended", run=run_id, slot=row.slot_id, state=state)
            RUNS.labels(state.value).inc()
            body = {"run": run_id, "slot": row.slot_id, "state": state, "digest": row.digest}
            history.append(session, now, f"run.{state}", body)
            return True
    log.warning("run_ended_before", run=run_id, slot=row.slot_id, late=state)
    return False


def _end_slot(
    session: Session,
    row: Run,
    state: SlotState,
    cause: Cause,
    name: str,
    fingerprint: str,
    body: dict[str, Any],
    now: datetime,
) -> None:
    """End the slot without a report, and open a question about it, or join the one that is open."""
    name, fingerprint, body = redacted(name), redacted(fingerprint), redacted_all(body)
    slot = session.get_one(Slot, row.slot_id)
    routine = session.get_one(Routine, slot.routine_id)
    question = runs.open_surprise(session, known(routine.id), fingerprint)
    is_new = question is None or question.slot_id == slot.id
    if question is None or is_new:
        question = SurpriseRow(
            routine_id=known(routine.id),
            slot_id=known(slot.id),
            run_id=known(row.id),
            cause=cause,
            name=name,
            fingerprint=fingerprint,
            body=body,
            said_at=now,
        )
        session.add(question)
        session.flush()
    else:
        question.times += 1
    reason, before_id = f"{name}: {body['message']}", slot.surprise_id
    if not move(
        session, Slot, known(slot.id), SlotState.DUE, state, ended_at=now, reason=reason, surprise_id=question.id
    ):
        return
    if before_id not in (None, question.id):
        _settle(session, known(before_id), "it was run again and is asked about anew")
    enqueue(session, Job.TELL, lock=f"surprise:{question.id}", surprise_id=question.id)
    note(session, known(routine.id), Signal.FAIL)
