"""The data that a first plan is tried on: what is attached to the task, or what its source has now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.agent.wanted import Wanted
from bot.domain.attached import unreadable
from bot.domain.counts import counted
from bot.domain.errors import RequestProblem
from bot.domain.rhythm import Rhythm
from bot.domain.slot_days import has_window
from bot.domain.slots import schedule_from
from bot.store import plans
from bot.store.collected import Holder
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_talk import SharedFile, Task
from bot.work.collect import addresses_of, collect, in_channel, look
from bot.work.missing import require_teammates, required_files
from bot.work.parts import JobParts
from bot.work.progress import Progress
from bot.work.staging import Staged, keep_files, newest_of_each, two_versions
from library.manifest import FilesSource, QuerySource
from sandbox.execute import SlotFacts

SHOWN = 3


@dataclass(frozen=True)
class DraftInputs:
    """The files in our keeping, and the slot that a rehearsal with them pretends to be."""

    files: Sequence[Staged]
    slot: SlotFacts
    source: FilesSource | QuerySource | None = None  # as the plan is to have it


def draft_inputs(
    parts: JobParts,
    task: Task,
    wanted: Wanted,
    attached: list[SharedFile],
    rhythm: Rhythm,
    progress: Progress,
    routine: Routine | None = None,
) -> DraftInputs:
    """Raises RequestProblem, ChatError and SourceError, each with what people can do."""
    if wanted.source is not None:
        require_teammates(parts, task, rhythm)
        source = (
            _begun(parts, wanted, wanted.source, routine) if isinstance(wanted.source, FilesSource) else wanted.source
        )
        return _from_source(parts, task, wanted, source, progress)
    files = newest_of_each(required_files(parts, task, attached, rhythm))
    with progress.step(f"Taking {counted(len(files), 'file')}"):
        files = keep_files(parts, files)
        progress.detail(f"{sum(file.size_bytes for file in files):,} bytes")
    if name := two_versions(files):
        raise RequestProblem(
            f"One message brings {name} twice with different content, and I cannot know which one counts. "
            "Post the one that does here once more; the newest of a name is the one I take."
        )
    now = parts.clock.now()
    return DraftInputs(files, _slot(parts, wanted, min([now, *(file.posted_at for file in files)])))


def _from_source(
    parts: JobParts, task: Task, wanted: Wanted, source: FilesSource | QuerySource, progress: Progress
) -> DraftInputs:
    slot = _slot(parts, wanted, parts.clock.now())
    if has_window(source.query if isinstance(source, QuerySource) else " ".join(source.files)):
        slot = _past(parts, wanted, slot)
    where = source.connection if isinstance(source, QuerySource) else ", ".join(addresses_of(source, slot)[:SHOWN])
    with progress.step(f"Taking what {where} has"):
        here = in_channel(parts, task.channel_id)
        now = _newest(here, source, slot) if isinstance(source, FilesSource) and source.only_new else source
        taken = collect(here, now, slot, Holder(task_id=known(task.id)), progress.sending)
        size_bytes = sum(file.size_bytes for file in taken.files)
        progress.detail(f"{counted(len(taken.files), 'file')}, {size_bytes:,} bytes")
    if taken.missing or not taken.files:
        raise RequestProblem(
            f"There is no file at {', '.join(taken.missing[:SHOWN]) or where} now, so there is nothing to try a plan "
            "on. Check the address, or name one that has files, and write here again."
        )
    if why_not := unreadable((file.name, "") for file in taken.files):
        raise RequestProblem(why_not)
    return DraftInputs(taken.files, slot, source)


def _begun(parts: JobParts, wanted: Wanted, source: FilesSource, routine: Routine | None) -> FilesSource:
    """Of a routine that takes only what is new: from its first slot on, so that no file of its own is ever too old."""
    if not source.only_new:
        return source
    if wanted.is_once:
        raise RequestProblem(
            "“Only new files” are those that no report before was made from, and an answer now has none before it. "
            "Name the files that count, or say when the report is to come back."
        )
    if routine is not None and routine.current_plan_id is not None:
        with parts.db.transaction() as session:
            before = plans.manifest(session, routine.current_plan_id).source
        if isinstance(before, FilesSource) and before.only_new:
            return replace(source, after=before.after)
    return replace(source, after=_slot(parts, wanted, parts.clock.now()).since.isoformat())


def _newest(here: JobParts, source: FilesSource, slot: SlotFacts) -> FilesSource:
    """What a plan is tried on: what is new by now, or else what was last when there was something."""
    changed_at = [one.entry.modified_at for one in look(here, source, slot)]
    newest_at = max((at for at in changed_at if at is not None), default=None)
    if newest_at is None or None in changed_at or newest_at > datetime.fromisoformat(source.after):
        return source
    return replace(source, after=(newest_at - (slot.until - slot.since)).isoformat())


def _slot(parts: JobParts, wanted: Wanted, oldest_at: datetime) -> SlotFacts:
    """The slot a rehearsal pretends to be: the next one that will come. An answer is about what came until now."""
    now = parts.clock.now()
    said = None if wanted.is_once else wanted.schedule()
    if said is None:
        return SlotFacts(now, oldest_at, now, wanted.zone)
    schedule = schedule_from(said)
    due_at = schedule.after(now)
    return SlotFacts(due_at, schedule.before(due_at) or now, due_at, schedule.zone)


def _past(parts: JobParts, wanted: Wanted, slot: SlotFacts) -> SlotFacts:
    """The last slot that was: only of its days are all files there."""
    said = None if wanted.is_once else wanted.schedule()
    due_at = schedule_from(said).at_or_before(parts.clock.now()) if said else None
    since = schedule_from(said).before(due_at) if said and due_at else None
    return replace(slot, due_at=due_at, since=since, until=due_at) if due_at and since else slot
