"""Rows that a test needs around the one it is about, made in one call."""

from datetime import UTC, datetime, timedelta

from sqlmodel import Session

from bot.domain.ports import WorkspaceFile
from bot.domain.words import PlanState, RoutineState, RunState, SlotState
from bot.store import runs
from bot.store.plans import known
from bot.store.tables import Plan, Routine, Run, Task

NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
WEEK = timedelta(days=7)


def a_task(session: Session, thread_ts: str = "1.0") -> Task:
    task = Task(
        team_id="T1", channel_id="C1", thread_ts=thread_ts, requester_id="ALICE", request="every Monday", asked_at=NOW
    )
    session.add(task)
    session.flush()
    return task


def a_routine(session: Session, name: str = "weekly-error-report") -> Routine:
    routine = Routine(
        team_id="T1", name=name, channel_id="C1", thread_ts="1.0", owner_id="ALICE", state=RoutineState.ACTIVE,
        created_at=NOW,
    )  # fmt: skip
    session.add(routine)
    session.flush()
    return routine


def a_plan(session: Session, routine: Routine, version: int = 1, state: PlanState = PlanState.APPROVED) -> Plan:
    plan = Plan(
        routine_id=known(routine.id), version=version, digest=f"{version:064d}", requester_id="ALICE", state=state,
        created_at=NOW,
    )  # fmt: skip
    session.add(plan)
    session.flush()
    return plan


def a_run(session: Session, plan: Plan, due_at: datetime, state: RunState = RunState.QUEUED) -> Run:
    """A run in `state` for a slot of its own."""
    slot_id = runs.claim_slot(session, plan.routine_id, due_at, due_at - WEEK, SlotState.DUE)
    assert slot_id is not None
    run = runs.queue_run(session, slot_id, known(plan.id), due_at)
    run.state = state
    session.flush()
    return run


def a_file(file_id: str = "F1", name: str = "spectro-07.log", url: str = "https://files.example/F1") -> WorkspaceFile:
    return WorkspaceFile(file_id=file_id, name=name, size_bytes=10, mimetype="text/plain", url=url)
