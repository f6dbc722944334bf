"""Before a run is claimed: it waits for its files or for the run before, or its time is over."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session

from bot.domain.counts import counted
from bot.domain.slot_terms import span_words
from bot.domain.slots import schedule_from, slot_words
from bot.domain.words import RunState
from bot.log import log
from bot.sources.errors import SourceError
from bot.store import history, plans, runs, talk
from bot.store.collected import Holder
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Run, Slot
from bot.work import endings
from bot.work.collect import in_channel, look
from bot.work.jobs import Job, enqueue, say
from bot.work.own_files import own_files
from bot.work.parts import JobParts
from bot.work.staging import from_members
from bot.work.sweep import BEGUN_LATE, OFFER, UNREADABLE
from bot.work.thread import place_of
from library.manifest import ChannelSource, FilesSource, QuerySource, Source
from library.manifest_schedule import Overlap, Schedule
from sandbox.execute import SlotFacts
from sandbox.outcome import Surprised

LOOKS_EVERY_S = 10.0
ASKS_EVERY_S = 60.0  # somebody else's server
# Files come one after the other; after so long without another one they are all there.
QUIET = timedelta(minutes=1)


@dataclass(frozen=True)
class Arrived:
    """A file that is there, and since when."""

    name: str
    at: datetime


@dataclass(frozen=True)
class Waiting:
    """The first run of a slot that its schedule made."""

    run_id: int
    plan_id: int
    slot: Slot
    routine: Routine
    said: Schedule
    source: Source
    is_behind: bool  # the slot before still runs


def is_held(parts: JobParts, run_id: int) -> bool:
    """True where the run does not begin now: its job comes back, or its slot has ended."""
    now = parts.clock.now()
    with parts.db.transaction() as session:
        it = _waiting(session, run_id)
    if it is None:
        return False
    deadline = _deadline(it)
    if it.said.terms.overlap is Overlap.WAIT and it.is_behind:
        return _look_again(parts, it)
    if deadline is None or now - deadline > _late(it):
        return now - it.slot.due_at > _late(it) and _is_over(parts, it, now)
    if isinstance(it.source, QuerySource):
        return False  # it gives its rows whenever it is asked
    files = _arrived(parts, it, it.source, now)
    if files is None:
        return now < deadline and _look_again(parts, it)  # then the run says what is wrong with the source
    if _are_there(it, files, now):
        return _begin_with(parts, it, files, now)
    return _look_again(parts, it) if now < deadline else _halt(parts, it, len({one.name for one in files}))


def _waiting(session: Session, run_id: int) -> Waiting | None:
    """None for reruns, retries and what people asked for: those run at once, however late."""
    row = session.get_one(Run, run_id)
    if row.state is not RunState.QUEUED or not runs.is_first_run(session, row) or row.source_tries:
        return None
    slot = session.get_one(Slot, row.slot_id)
    routine = session.get_one(Routine, slot.routine_id)
    try:
        manifest = plans.manifest(session, row.plan_id)
        said = manifest.schedule
        if said is None or schedule_from(said).at_or_before(slot.due_at) != slot.due_at:
            return None
    except UNREADABLE:
        return None  # whoever claims it says so
    is_behind = runs.still_running(session, known(routine.id), slot.due_at) is not None
    return Waiting(run_id, row.plan_id, slot, routine, said, manifest.source, is_behind)


def _arrived(parts: JobParts, it: Waiting, source: ChannelSource | FilesSource, now: datetime) -> list[Arrived] | None:
    """What is there by now: posted since the slot before, or found at the source; None where nobody can look."""
    if isinstance(source, ChannelSource):
        with parts.db.transaction() as session:
            until = max(now, it.slot.until)
            ours = known(it.routine.id), it.routine.team_id, source.channel
            posted = talk.files_in_window(session, *ours, it.slot.since, until)
        members, _ = from_members(parts, posted)
        with parts.db.transaction() as session:
            own = own_files(session, it.routine, it.plan_id, source.channel, members)
        return [Arrived(one.name, one.posted_at) for one in own.files]
    try:
        found = look(in_channel(parts, it.routine.channel_id), source, _facts(it), Holder(slot_id=it.slot.id))
    except SourceError as error:
        log.warning("source_not_looked_at", slot=it.slot.id, why=str(error))
        return None
    return [Arrived(one.name, one.entry.modified_at or it.slot.due_at) for one in found]


def _facts(it: Waiting) -> SlotFacts:
    return SlotFacts(it.slot.due_at, it.slot.since, it.slot.until, it.said.zone)


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


def _are_there(it: Waiting, files: list[Arrived], now: datetime) -> bool:
    """Enough of them, and no more coming: what was there at the slot's moment needs no quiet after it."""
    if len({file.name for file in files}) < it.said.terms.wait_files:
        return False
    newest = max(file.at for file in files)
    return newest <= it.slot.due_at or now - newest >= QUIET


def _look_again(parts: JobParts, it: Waiting) -> bool:
    with parts.db.transaction() as session:
        lock = f"slot:{it.slot.id}"
        after_s = LOOKS_EVERY_S if isinstance(it.source, ChannelSource) else ASKS_EVERY_S
        enqueue(session, Job.RUN, lock=lock, after_s=after_s, run_id=it.run_id)
    return True


def _begin_with(parts: JobParts, it: Waiting, files: list[Arrived], now: datetime) -> bool:
    """Files that came late belong to this slot, and the next one's begin after them."""
    if any(file.at > it.slot.until for file in files):
        with parts.db.transaction() as session:
            session.get_one(Slot, it.slot.id, with_for_update=True).until = now
    return False


def _halt(parts: JobParts, it: Waiting, count: int) -> bool:
    until, wanted = it.said.terms.wait_until, it.said.terms.wait_files
    expected = counted(wanted, "file") if wanted else "files"
    found = "No files were" if not count else f"Only {count} of {wanted} files {'was' if count == 1 else 'were'}"
    there, where = "at the source", "at the source by"
    if isinstance(it.source, ChannelSource):
        there, where = "posted", "posted in the channel it reads, between the previous slot and"
    surprise = Surprised(
        name="NoInput" if not count else "FilesMissing",
        message=f"{found} {there} for this slot by {until}.",
        seen=counted(count, "file"),
        expected=f"{expected} {where} {until}",
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
