"""Taking a slot's files from where people have them: what was taken stays taken, and counts once all is there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from bot.domain.slot_days import filled
from bot.log import log
from bot.sources.query import Question, export
from bot.sources.reach import Reach, Sought
from bot.store import collected
from bot.store.collected import Holder
from bot.store.tables_sources import Collected
from bot.work.parts import JobParts
from bot.work.staging import Input
from library.manifest import FilesSource, QuerySource
from sandbox.execute import SlotFacts

# So many small files are written down together: for each its own transaction would take longer than the file.
AT_ONCE = 50

Moved = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Taken:
    """What was taken, and the addresses that meant nothing."""

    files: tuple[Input, ...]
    missing: tuple[str, ...] = ()


def addresses_of(source: FilesSource, slot: SlotFacts) -> list[str]:
    """The addresses as they are for one slot."""
    return [filled(one, due_at=slot.due_at, since=slot.since, zone=slot.zone) for one in source.files]


def look(parts: JobParts, source: FilesSource, slot: SlotFacts) -> list[Sought]:
    """The files that are there for a slot, none of them read. Raises SourceError."""
    with Reach(parts.settings) as reach:
        return reach.find(addresses_of(source, slot))


def collect(
    parts: JobParts,
    source: FilesSource | QuerySource,
    slot: SlotFacts,
    holder: Holder,
    moved: Moved | None = None,
    leave_out: Sequence[str] = (),
) -> Taken:
    """Take what the source has for a slot; once all of it was taken, the same is given again. Raises SourceError."""
    with parts.db.transaction() as session:
        if (before := collected.complete(session, holder)) is not None:
            return Taken(tuple(_input(one) for one in before if one.name not in leave_out))
    if isinstance(source, QuerySource):
        return Taken((_ask(parts, source, slot, holder),))
    with Reach(parts.settings) as reach:
        patterns = addresses_of(source, slot)
        found = {one.name: one for one in reach.find(patterns)}
        meant = {one.pattern for one in found.values()}
        missing = tuple(one for one in patterns if one not in meant)
        wanted = [one for one in found.values() if one.name not in leave_out]
        files = _take(parts, reach, wanted, holder, moved) if not missing else []
    if not missing and wanted:
        with parts.db.transaction() as session:
            collected.completed(session, holder, parts.clock.now())
    return Taken(tuple(files), missing)


def _take(parts: JobParts, reach: Reach, wanted: Sequence[Sought], holder: Holder, moved: Moved | None) -> list[Input]:
    """Each file, but for those that an attempt before this one took and that are still the same."""
    with parts.db.transaction() as session:
        collected.forget_others(session, holder, {one.name for one in wanted})
        before = {one.name: one for one in collected.held(session, holder)}
    files: list[Input] = []
    new: list[Collected] = []
    try:
        for one in wanted:
            row = before.get(one.name)
            if row is None or not one.entry.mark or (row.address, row.mark) != (one.address, one.entry.mark):
                row = _one(parts, reach, one, holder, moved)
                new.append(row)
            files.append(_input(row))
            if len(new) >= AT_ONCE:
                _write_down(parts, new)
                new = []
    finally:
        _write_down(parts, new)
    log.info("source_collected", files=len(files), size_bytes=sum(one.size_bytes for one in files))
    return files


def _one(parts: JobParts, reach: Reach, one: Sought, holder: Holder, moved: Moved | None) -> Collected:
    kept = parts.blobs.keep(partial(_write, reach, one, moved))
    return Collected(
        slot_id=holder.slot_id,
        task_id=holder.task_id,
        name=one.name,
        address=one.address,
        mark=one.entry.mark,
        sha256=kept.sha256,
        size_bytes=kept.size_bytes,
        taken_at=parts.clock.now(),
    )


def _write(reach: Reach, one: Sought, moved: Moved | None, into: BinaryIO) -> None:
    reach.take(one, into, moved)


def _ask(parts: JobParts, source: QuerySource, slot: SlotFacts, holder: Holder) -> Input:
    with TemporaryDirectory(prefix="standby-") as folder:
        path = Path(folder) / source.file
        rows = export(parts.settings, source.connection, Question(source.query, slot.due_at, slot.since), path)
        kept = parts.blobs.keep(partial(_copy, path))
    row = Collected(
        slot_id=holder.slot_id,
        task_id=holder.task_id,
        name=source.file,
        address=source.connection,
        mark="",
        sha256=kept.sha256,
        size_bytes=kept.size_bytes,
        taken_at=parts.clock.now(),
    )
    log.info("source_asked", connection=source.connection, rows=rows, size_bytes=kept.size_bytes)
    with parts.db.transaction() as session:
        collected.forget_others(session, holder, set())
        collected.put(session, [row])
        collected.completed(session, holder, parts.clock.now())
    return _input(row)


def _copy(path: Path, into: BinaryIO) -> None:
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            into.write(piece)


def _write_down(parts: JobParts, rows: list[Collected]) -> None:
    if rows:
        with parts.db.transaction() as session:
            collected.put(session, rows)


def _input(row: Collected) -> Input:
    return Input(row.name, row.sha256, row.size_bytes)
