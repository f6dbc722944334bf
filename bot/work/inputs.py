"""The files of a slot, posted in a channel or taken from a source; or the surprise that something is odd about them."""

from collections.abc import Sequence

from bot.domain.counts import counted
from bot.domain.errors import FileRefused
from bot.domain.slots import schedule_from
from bot.log import log
from bot.store import runs, talk
from bot.store.collected import Holder
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Slot
from bot.store.tables_talk import SharedFile
from bot.work.collect import collect, in_channel
from bot.work.own_files import own_files, say_aside
from bot.work.parts import JobParts
from bot.work.progress import in_logs
from bot.work.staging import (
    Input,
    Staged,
    from_members,
    keep_files,
    same_content,
    two_versions,
    without,
    without_mended,
)
from library.manifest import ChannelSource, FilesSource, Manifest, QuerySource
from sandbox.execute import SlotFacts
from sandbox.outcome import Surprised

SHOWN = 5


def inputs_of_slot(
    parts: JobParts, slot_id: int, plan_id: int, manifest: Manifest, facts: SlotFacts
) -> Sequence[Staged] | Surprised:
    """The slot's files, all of them in our keeping. Raises ChatError and SourceError where they cannot be taken."""
    if isinstance(manifest.source, ChannelSource):
        files = _posted(parts, slot_id, plan_id, manifest, manifest.source.channel, facts)
    else:
        files = _collected(parts, slot_id, manifest, manifest.source, facts)
    if isinstance(files, Surprised):
        return files
    if names := same_content(files):
        return _same_content(names)
    return files


def _posted(
    parts: JobParts, slot_id: int, plan_id: int, manifest: Manifest, channel: str, window: SlotFacts
) -> Sequence[Staged] | Surprised:
    with parts.db.transaction() as session:
        runs.forget_aside(session, slot_id)
        routine = session.get_one(Routine, session.get_one(Slot, slot_id).routine_id)
        of_window = (known(routine.id), routine.team_id, channel, window.since, window.until)
        posted = talk.files_in_window(session, *of_window)
        of_requests = talk.count_of_requests(session, *of_window)
    members, outside = from_members(parts, posted)
    with parts.db.transaction() as session:
        own = own_files(session, routine, plan_id, channel, members)
    files = without_mended(without(own.files, manifest), routine.thread_ts)
    files, refused = _kept(parts, files, own.new)
    if aside := sorted({*own.aside, *refused}):
        with parts.db.transaction() as session:
            say_aside(session, session.get_one(Slot, slot_id), routine, aside)
    if not files:
        return none_posted(outside, of_requests, len(members) - len(own.files))
    if name := two_versions(files):
        return _two_versions(name)
    return files


def _kept(parts: JobParts, files: list[SharedFile], new: frozenset[str]) -> tuple[list[SharedFile], list[str]]:
    """The files in our keeping, and the names of those that no plan knows and nobody can take."""
    kept, refused = [], []
    for file in files:
        try:
            kept += keep_files(parts, [file])
        except FileRefused as error:
            if file.name not in new:
                raise
            log.warning("new_file_refused", file=file.file_id, why=str(error))
            refused.append(file.name)
    return kept, refused


def _collected(
    parts: JobParts, slot_id: int, manifest: Manifest, source: FilesSource | QuerySource, facts: SlotFacts
) -> Sequence[Input] | Surprised:
    left_out = manifest.only.leave_out if manifest.only else ()
    with parts.db.transaction() as session:
        channel_id = session.get_one(Routine, session.get_one(Slot, slot_id).routine_id).channel_id
    here = in_channel(parts, channel_id)
    taken = collect(here, source, facts, Holder(slot_id=slot_id), in_logs(), left_out)
    if not taken.missing and not taken.files and taken.there and isinstance(source, FilesSource) and source.only_new:
        return _nothing_new(source, taken.there)
    if taken.missing or not taken.files:
        return missing_at_source(taken.missing, len(taken.files))
    if _is_scheduled(manifest, facts) and _is_unchanged(parts, slot_id, facts, taken.files):
        return _unchanged(source, taken.files)
    return taken.files


def missing_at_source(missing: Sequence[str], count: int) -> Surprised:
    """An address that means no file now."""
    shown = ", ".join(missing[:SHOWN]) + (f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else "")
    return Surprised(
        name="FilesMissing" if count else "NoInput",
        message=f"There is no file at {shown or 'the source'} for this slot.",
        seen=f"nothing at {counted(len(missing), 'address', 'addresses')}",
        expected="a file at each address, or at least one for each pattern; once it is there, rerun",
    )


def _nothing_new(source: FilesSource, there: int) -> Surprised:
    early = " or has not changed since this routine began" if source.after else ""
    return Surprised(
        name="NothingNew",
        message=f"No file at {', '.join(source.files[:SHOWN])} is new: each was in a report before{early}.",
        seen=f"{counted(there, 'file')}, none of them new",
        expected="a file that no report before was made from; once it is there, rerun, or skip this slot",
    )


def _is_scheduled(manifest: Manifest, facts: SlotFacts) -> bool:
    """Whether the slot came by itself: whoever asks for a run between two slots knows that little is new."""
    said = manifest.schedule
    return said is not None and schedule_from(said).at_or_before(facts.due_at) == facts.due_at


def _is_unchanged(parts: JobParts, slot_id: int, facts: SlotFacts, files: Sequence[Input]) -> bool:
    """Whether the report of the slot before was made from exactly these bytes."""
    with parts.db.transaction() as session:
        slot = session.get_one(Slot, slot_id)
        before = runs.reported_before(session, slot.routine_id, facts.due_at, 1)
        known_inputs = runs.inputs_of(session, known(before[0][1].id)) if before else []
    return sorted(one.sha256 for one in known_inputs) == sorted(one.sha256 for one in files)


def _unchanged(source: FilesSource | QuerySource, files: Sequence[Input]) -> Surprised:
    at = source.connection if isinstance(source, QuerySource) else ", ".join(source.files[:SHOWN])
    return Surprised(
        name="Unchanged",
        message=f"What {at} has is byte for byte what the report before was made from.",
        seen=f"{counted(len(files), 'file')}, none new or changed",
        expected="new data since the slot before; once it is there, rerun, or skip this slot",
    )


def none_posted(outside: int, of_requests: int, of_others: int = 0) -> Surprised:
    """`outside` are files by people of another workspace, `of_requests` those that belong to requests of their own.

    `of_others` are those that other routines of the channel know by name, or that no plan reads.
    """
    others = [f"{outside} by people from outside this workspace"] if outside else []
    others += [f"{of_requests} in the threads of other requests"] if of_requests else []
    others += [f"{of_others} that this plan does not read"] if of_others else []
    seen = f"0 files, beside {' and '.join(others)}, which do not count" if others else "0 files"
    only = " but those of other requests" if of_requests else ""
    return Surprised(
        name="NoInput",
        message=f"No files{only} were posted for this slot.",
        seen=seen,
        expected="files posted in the channel it reads, between the previous slot and this one",
    )


def _two_versions(name: str) -> Surprised:
    return Surprised(
        name="TwoVersions",
        message=f"{name} was posted twice with different content, and I cannot know which one counts.",
        seen="two different files of one name",
        expected="one file of each name; post the one that counts in this thread, or delete the other, then rerun",
        file=name,
    )


def _same_content(names: tuple[str, str]) -> Surprised:
    return Surprised(
        name="SameContent",
        message=f"{names[0]} and {names[1]} have the same content, so something would be counted twice.",
        seen="two names for the same bytes",
        expected="each content once; delete one of the two in Slack, then press Rerun",
        file=names[1],
    )
