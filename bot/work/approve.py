"""What a decision makes of a version and its routine: current from now on, or never to run."""

from datetime import datetime

from sqlmodel import Session

from bot.domain.slots import schedule_of
from bot.domain.words import PlanState, RoutineState
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Plan, Routine
from bot.store.tables_runs import SurpriseRow
from bot.work.instruct import Refused, answered, rerun_waiting
from bot.work.jobs import Job, enqueue
from bot.work.propose import replace_cards
from bot.work.sweep import arm
from library.manifest import Manifest
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder, short

RUN_NOW = "reply “run now” with a mention of me in its thread"
RESUME = "reply “resume” with a mention of me in its thread"


def rejected(session: Session, plan: Plan) -> str:
    """The version is over. Raises Refused where it does not wait for a decision."""
    _decided(session, plan, PlanState.REJECTED)
    return f"Rejected. Version {plan.version} will never run."


def approved(session: Session, routine: Routine, plan: Plan, folder: PlanFolder, now: datetime) -> str:
    """The version is current. A routine that somebody paused stays paused; only its resumption starts it."""
    manifest = read_manifest(folder.files["plan.toml"])
    if manifest.only is not None:
        return _approved_once(session, routine, plan, manifest.only.leave_out, now)
    arm(session, routine, now)  # what is due already belongs to the version that is current until now
    _decided(session, plan, PlanState.APPROVED)
    is_first = move(session, Routine, known(routine.id), RoutineState.DRAFT, RoutineState.ACTIVE)
    routine.current_plan_id = plan.id
    routine.vouched_by = ""
    replace_cards(session, known(routine.id), plan)
    said = f"Approved: version {plan.version} ({short(plan.digest)}) of {routine.name} is current."
    said += _starts(routine, manifest, now, plan.created_at if is_first else None)
    if plan.surprise_id is not None and _rerun(session, plan.surprise_id, plan, now):
        said += " What was halted runs again now."
    return said


def _approved_once(session: Session, routine: Routine, plan: Plan, left_out: tuple[str, ...], now: datetime) -> str:
    """It runs for the slot that waits for it; the current version stays current."""
    _decided(session, plan, PlanState.APPROVED)
    replace_cards(session, known(routine.id), plan)
    said = f"Approved: version {plan.version} ({short(plan.digest)}) of {routine.name} counts once, without "
    said += f"{', '.join(left_out)}."
    if plan.surprise_id is not None and _rerun(session, plan.surprise_id, plan, now):
        return f"{said} What was halted runs again now; every later report is made as before."
    return f"{said} Nothing waits for it any more, so nothing runs."


def _decided(session: Session, plan: Plan, state: PlanState) -> None:
    if not move(session, Plan, known(plan.id), PlanState.PROPOSED, state):
        raise Refused(f"Version {plan.version} is {plan.state} already. Your press changed nothing.")


def _starts(routine: Routine, manifest: Manifest, now: datetime, opened_at: datetime | None) -> str:
    """Set when it runs next, and say so. `opened_at` is when the card was made, of a routine that begins with it."""
    schedule = schedule_of(manifest)
    if routine.state is RoutineState.PAUSED:
        return f" The routine is paused and stays paused; to start it, {RESUME}."
    routine.next_slot_at = schedule.after(now) if schedule else None
    if schedule is None or routine.next_slot_at is None:
        return ""
    if opened_at is None:
        return f" Next: {schedule.local(routine.next_slot_at)}."
    said = f" First report: {schedule.local(routine.next_slot_at)} {schedule.zone}."
    named_at = schedule.after(opened_at)
    if named_at <= now:
        said += f" {schedule.local(named_at)} has passed meanwhile and gets none; for one now, {RUN_NOW}."
    return said


def _rerun(session: Session, surprise_id: int, plan: Plan, now: datetime) -> bool:
    """Queue a new run for each slot that waits for this answer; false when all have moved on since."""
    answered(session, session.get_one(SurpriseRow, surprise_id), f"version {plan.version}")
    enqueue(session, Job.TELL, surprise_id=surprise_id)
    return rerun_waiting(session, surprise_id, known(plan.id), now)
