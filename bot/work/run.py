"""A run: the approved bytes over a slot's inputs in a fresh box, and what becomes of the slot."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from errno import ENOSPC

from sqlmodel import Session

from bot.domain.errors import ChatError
from bot.domain.words import RoutineState, RunState, SlotState
from bot.log import log, told_in_logs
from bot.sources.errors import SourceError
from bot.store import history, plans
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Plan, Routine
from bot.store.tables_runs import Run, RunInput, Slot
from bot.work import endings
from bot.work.failures import in_words
from bot.work.gated import gate
from bot.work.hold import is_held
from bot.work.inputs import inputs_of_slot
from bot.work.left import is_left
from bot.work.metrics import LATE_SECONDS, RUN_SECONDS
from bot.work.own_files import names_of, say_aside, say_new
from bot.work.parts import JobParts
from bot.work.ping import Signal, note
from bot.work.points import Point, passing
from bot.work.progress import in_logs
from bot.work.shaped import run_shaped
from bot.work.slot_facts import slot_facts
from bot.work.staging import Staged, by_name
from library.facts import name_pattern
from library.manifest import ChannelSource, Manifest, ManifestError
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder, PlanFolderError
from sandbox.errors import BoxBusy, BoxError
from sandbox.execute import AttachmentAltered, InputNameRefused, PlanRefused, SlotFacts
from sandbox.outcome import Lost, Outcome, Report, Surprised


@dataclass(frozen=True)
class Work:
    """A claimed run: the verified bytes and the window they work on."""

    run_id: int
    slot_id: int
    plan_id: int
    folder: PlanFolder
    approved: str  # the digest in the approval: the box compares with it what it was handed
    manifest: Manifest
    facts: SlotFacts


def run(parts: JobParts, run_id: int) -> None:
    """Execute a queued run once. Whatever happens, the slot ends or a next attempt is queued."""
    if is_held(parts, run_id) or is_left(parts, run_id):
        return
    work = claim(parts, run_id)
    if work is None:
        return
    LATE_SECONDS.observe(max(0.0, (parts.clock.now() - work.facts.due_at).total_seconds()))
    with told_in_logs(run=run_id, slot=work.slot_id, routine=work.manifest.name), RUN_SECONDS.time():
        passing(Point.RUN_CLAIMED)
        _execute(parts, work)


def _execute(parts: JobParts, work: Work) -> None:
    try:
        outcome = _outcome(parts, work)
        passing(Point.CODE_RAN)
    except PlanRefused as refused:
        endings.blocked(parts, work.run_id, str(refused))
    except ChatError as error:
        why = f"The files could not be taken: {error}"
        endings.source_failed(parts, work.run_id, why, is_permanent=error.permanent)
    except SourceError as error:
        endings.source_failed(parts, work.run_id, str(error), is_permanent=error.permanent)
    except BoxBusy:
        endings.no_box(parts, work.run_id)
    except BoxError as error:
        endings.lost(parts, work.run_id, f"The box failed: {error}")
    except (InputNameRefused, AttachmentAltered, OSError) as error:
        if isinstance(error, OSError) and error.errno == ENOSPC:  # room may be made in the meantime
            words = f"{in_words(error)} Nothing of this run was delivered; make room there, then rerun."
            endings.source_failed(parts, work.run_id, words, is_permanent=False, part="files")
        else:
            endings.faulted(parts, work.run_id, "files", f"The files could not be handled: {error}")
    else:
        if isinstance(outcome, Lost):
            endings.lost(parts, work.run_id, outcome.why)
        else:
            endings.ended(parts, work.run_id, outcome)
            passing(Point.RUN_ENDED)


def give_up(parts: JobParts, run_id: int, why: str) -> None:
    """The job itself keeps failing: the slot ends as failed and the owner is told."""
    endings.faulted(parts, run_id, "Standby", why)


def claim(parts: JobParts, run_id: int) -> Work | None:
    """Take a queued run, once, if its bytes may run now; None where it may not, and then its slot has ended."""
    now = parts.clock.now()
    with parts.db.transaction() as session:
        row = session.get_one(Run, run_id, with_for_update=True)
        if row.state is RunState.RUNNING:
            # Whoever ran it is gone: the queue hands a job out again only after that.
            endings.lost_in(session, row, "The process that ran it ended.", now, most=endings.DEATHS)
            return None
        if row.state is not RunState.QUEUED:
            return None
        slot = session.get_one(Slot, row.slot_id)
        routine = session.get_one(Routine, slot.routine_id)
        if why_not := _why_not(session, row, slot, routine):
            endings.blocked_in(session, row, why_not, now)
            return None
        folder = plans.folder(session, row.plan_id)
        if not move(session, Run, run_id, RunState.QUEUED, RunState.RUNNING, started_at=now, digest=folder.digest):
            return None
        note(session, known(routine.id), Signal.START)
        return _work(session, row, slot, folder)


def _why_not(session: Session, row: Run, slot: Slot, routine: Routine) -> str:
    """Why these bytes may not run now; empty when they may."""
    approval = plans.approval_of(session, row.plan_id)
    if approval is None:
        return "No approval exists for this version."
    try:
        folder = plans.folder(session, row.plan_id)
        only = read_manifest(folder.files["plan.toml"]).only
    except (PlanFolderError, ManifestError) as broken:
        return f"What is stored of this version cannot be read. {broken}"
    if folder.digest != approval.digest:
        return "What is stored is not what was approved: the digest differs."
    if refused := gate(folder):
        return f"What is stored does not pass the source gate: {'; '.join(refused)}."
    if session.get_one(Plan, row.plan_id).routine_id != routine.id:
        return "This version belongs to another routine."
    if only is not None and datetime.fromisoformat(only.due_at) != slot.due_at:
        return "This version was approved for one other slot alone."
    if not history.holds(session, "plan.approve", digest=approval.digest, by=approval.person_id):
        return "The history knows of no such approval."
    if routine.state is RoutineState.RETIRED:
        return "The routine was retired."
    if slot.state is not SlotState.DUE:
        return f"The slot is {slot.state} already."
    return ""


def _work(session: Session, row: Run, slot: Slot, folder: PlanFolder) -> Work:
    manifest = read_manifest(folder.files["plan.toml"])
    return Work(
        run_id=known(row.id),
        slot_id=known(slot.id),
        plan_id=row.plan_id,
        folder=folder,
        approved=_approved_digest(session, row.plan_id),
        manifest=manifest,
        facts=slot_facts(session, slot, manifest),
    )


def _approved_digest(session: Session, plan_id: int) -> str:
    """The digest that was approved; claimed runs have one."""
    approval = plans.approval_of(session, plan_id)
    assert approval is not None, "nothing is claimed without an approval"
    return approval.digest


def _outcome(parts: JobParts, work: Work) -> Outcome:
    files = inputs_of_slot(parts, work.slot_id, work.plan_id, work.manifest, work.facts)
    if isinstance(files, Surprised):
        return files
    _note_inputs(parts, work.run_id, files)
    passing(Point.INPUTS_KEPT)
    tags = {"run": str(work.run_id), "routine": work.manifest.name}
    log.info("run_starts", slot=work.slot_id, run=work.run_id, routine=work.manifest.name, files=len(files))
    new = _new(parts, work, files)
    with parts.blobs.local(by_name(files)) as paths:
        outcome, kept, aside = run_shaped(
            parts, work.folder, work.manifest, paths, work.facts,
            purpose="run", tags=tags, approved=work.approved, new=new, progress=in_logs(),
        )  # fmt: skip
    _leave_aside(parts, work, aside)
    if isinstance(outcome, Report):
        _tell_new(parts, work, sorted(new - set(aside)))
    _note_kept(parts, work.run_id, kept)
    return outcome


def _note_inputs(parts: JobParts, run_id: int, files: Sequence[Staged]) -> None:
    with parts.db.transaction() as session:
        for name, file in {file.name: file for file in files}.items():
            session.add(RunInput(run_id=run_id, name=name, sha256=file.sha256, size_bytes=file.size_bytes))


def _new(parts: JobParts, work: Work, files: Sequence[Staged]) -> frozenset[str]:
    """Names of files from a channel that the plan does not know."""
    if not isinstance(work.manifest.source, ChannelSource):
        return frozenset()
    with parts.db.transaction() as session:
        ours = names_of(session, work.plan_id)
    return frozenset(one.name for one in files if ours.sample and not ours.fits(one.name))


def _leave_aside(parts: JobParts, work: Work, names: Sequence[str]) -> None:
    """What was clearly something else is no input of the run, and its thread says so."""
    if names:
        with parts.db.transaction() as session:
            for name in names:
                session.delete(session.get_one(RunInput, (work.run_id, name)))
            slot = session.get_one(Slot, work.slot_id)
            say_aside(session, slot, session.get_one(Routine, slot.routine_id), names)


def _tell_new(parts: JobParts, work: Work, names: Sequence[str]) -> None:
    """A file that counts in a report for the first time, and that no plan named, is told beside it."""
    earlier = {name_pattern(name) for past in work.facts.history for name in past.inputs}
    if first := [name for name in names if name_pattern(name) not in earlier]:
        with parts.db.transaction() as session:
            slot = session.get_one(Slot, work.slot_id)
            say_new(session, slot, session.get_one(Routine, slot.routine_id), first)


def _note_kept(parts: JobParts, run_id: int, kept: dict[str, str]) -> None:
    if kept:
        with parts.db.transaction() as session:
            session.get_one(Run, run_id).kept = kept
