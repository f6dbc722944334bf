"""Before a run is claimed: it waits for its files or for the run before, or its time is over."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session

from bot.domain.slot_terms import span_words
from bot.domain.slots import schedule_from, slot_words
from bot.domain.words import RunState
from bot.store import history, plans, runs, talk
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Run, Slot
from bot.store.tables_talk import SharedFile
from bot.work import endings
from bot.work.jobs import Job, enqueue, say
from bot.work.parts import JobParts
from bot.work.staging import from_members
from bot.work.sweep import BEGUN_LATE, OFFER, UNREADABLE
from bot.work.thread import place_of
from library.manifest_schedule import Overlap, Schedule
from library.manifest_text import read_manifest
from sandbox.outcome import Surprised

LOOKS_EVERY_S = 10.0
# Files come one after the other; after so long without another one they are all there.
QUIET = timedelta(minutes=1)


@dataclass(frozen=True)
class Waiting:
    """The first run of a slot that its schedule made, and the files that came since the slot before."""

    run_id: int
    slot: Slot
    routine: Routine
    said: Schedule
    channel_id: str
    files: list[SharedFile]
    is_behind: bool  # the slot before still runs


def is_held(parts: JobParts, run_id: int) -> bool:
    """True where the run does not begin now: its job comes back, or its slot has ended."""
    now = parts.clock.now()
    with parts.db.transaction() as session:
        it = _waiting(session, run_id, now)
    if it is None:
        return False
    deadline = _deadline(it)
    if it.said.terms.overlap is Overlap.WAIT and it.is_behind:
        return _look_again(parts, it)
    if deadline is None or now - deadline > _late(it):
        return now - it.slot.due_at > _late(it) and _is_over(parts, it, now)
    files, _ = from_members(parts, it.files)
    if _are_there(it, files, now):
        return _begin_with(parts, it, now)
    return _look_again(parts, it) if now < deadline else _halt(parts, it, len(files))


def _waiting(session: Session, run_id: int, now: datetime) -> Waiting | None:
    """None for reruns, retries and what people asked for: those run at once, however late."""
    row = session.get_one(Run, run_id)
    if row.state is not RunState.QUEUED or not runs.is_first_run(session, row):
        return None
    slot = session.get_one(Slot, row.slot_id)
    routine = session.get_one(Routine, slot.routine_id)
    try:
        manifest = read_manifest(plans.folder(session, row.plan_id).files["plan.toml"])
        said = manifest.schedule
        if said is None or schedule_from(said).at_or_before(slot.due_at) != slot.due_at:
            return None
    except UNREADABLE:
        return None  # whoever claims it says so
    channel = manifest.source.channel
    files = talk.files_in_window(session, known(routine.id), routine.team_id, channel, slot.since, max(now, slot.until))
    is_behind = runs.still_running(session, known(routine.id), slot.due_at) is not None
    return Waiting(run_id, slot, routine, said, channel, files, is_behind)


def _deadline(it: Waiting) -> datetime | None:
    """Until when files are waited for; None where a slot begins at its moment, whatever is there."""
    if not it.said.terms.wait_until:
        return None
    zone = ZoneInfo(it.said.zone)
    return datetime.combine(
        it.slot.due_at.astimezone(zone).date(), time.fromisoformat(it.said.terms.wait_until), tzinfo=zone
    )


def _late(it: Waiting) -> timedelta:
    return timedelta(minutes=it.said.terms.late_min)


def _are_there(it: Waiting, files: list[SharedFile], now: datetime) -> bool:
    """Enough of them, and no more coming: what was there at the slot's moment needs no quiet after it."""
    if len({file.name for file in files}) < it.said.terms.wait_files:
        return False
    newest = max(file.posted_at for file in files)
    return newest <= it.slot.due_at or now - newest >= QUIET


def _look_again(parts: JobParts, it: Waiting) -> bool:
    with parts.db.transaction() as session:
        lock = f"slot:{it.slot.id}"
        enqueue(session, Job.RUN, lock=lock, after_s=LOOKS_EVERY_S, run_id=it.run_id)
    return True


def _begin_with(parts: JobParts, it: Waiting, now: datetime) -> bool:
    """Files that came late belong to this slot, and the next one's begin after them."""
    if any(file.posted_at > it.slot.until for file in it.files):
        with parts.db.transaction() as session:
            session.get_one(Slot, it.slot.id, with_for_update=True).until = now
    return False


def _halt(parts: JobParts, it: Waiting, count: int) -> bool:
    until, wanted = it.said.terms.wait_until, it.said.terms.wait_files
    expected = f"{wanted} files" if wanted > 1 else "files"
    found = "No files were" if not count else f"Only {count} of {wanted} files were"
    surprise = Surprised(
        name="NoInput" if not count else "FilesMissing",
        message=f"{found} posted for this slot by {until}.",
        seen=f"{count} file" + ("" if count == 1 else "s"),
        expected=f"{expected} posted in the channel it reads, between the previous slot and {until}",
    )
    endings.ended(parts, it.run_id, surprise)
    return True


def _is_over(parts: JobParts, it: Waiting, now: datetime) -> bool:
    when = slot_words(it.slot.due_at, schedule_from(it.said))
    with parts.db.transaction() as session:
        row = session.get_one(Run, it.run_id, with_for_update=True)
        if endings.skipped_in(session, row, BEGUN_LATE, now):
            body = {"routine": it.routine.name, "first": when, "reason": BEGUN_LATE}
            history.append(session, now, "slot.skipped", body)
            within = f"at most {span_words(_late(it))} late"
            text = f"No report for {when}: {BEGUN_LATE} (It may be {within}.) {OFFER}"
            say(session, place_of(it.routine), f"slot:{it.slot.id}:late", text)
    return True
