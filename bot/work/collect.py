"""Taking a slot's files from where people have them: what was taken stays taken, and counts once all is there."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import BinaryIO

from bot.domain.slot_days import filled
from bot.log import log
from bot.sources.opening import open_in
from bot.sources.query import Question, export
from bot.sources.reach import Reach, Sought
from bot.store import collected
from bot.store.blobs import Kept
from bot.store.collected import Holder, Old
from bot.store.tables_sources import Collected
from bot.work.parts import JobParts
from bot.work.staging import Input
from library.manifest import FilesSource, QuerySource
from sandbox.execute import SlotFacts
from sandbox.progress import Moves

# So many small files are written down together: for each its own transaction would take longer than the file.
AT_ONCE = 64


@dataclass(frozen=True)
class Taken:
    """What was taken, and the addresses that meant nothing."""

    files: tuple[Input, ...]
    missing: tuple[str, ...] = ()
    there: int = 0  # files that the addresses meant, new or not


def in_channel(parts: JobParts, channel_id: str) -> JobParts:
    """The parts with those sources alone that people of a channel may read."""
    return replace(parts, settings=open_in(parts.settings, channel_id))


def addresses_of(source: FilesSource, slot: SlotFacts) -> list[str]:
    """The addresses as they are for one slot."""
    return [filled(one, due_at=slot.due_at, since=slot.since, zone=slot.zone) for one in source.files]


def look(parts: JobParts, source: FilesSource, slot: SlotFacts, holder: Holder | None = None) -> list[Sought]:
    """The files that are there for a slot, none of them read; with its holder what looks new. Raises SourceError."""
    with Reach(parts.settings) as reach:
        found = reach.find(addresses_of(source, slot))
    if holder is None:
        return found
    old = _old(parts, source, holder)
    return [one for one in found if _looks_new(source, one, old)]


def _old(parts: JobParts, source: FilesSource, holder: Holder) -> Old:
    if not source.only_new:
        return Old()
    with parts.db.transaction() as session:
        return collected.old(session, holder)


def _looks_new(source: FilesSource, one: Sought, old: Old) -> bool:
    """As far as its place tells; what no place tells for certain is read and compared."""
    changed_at = one.entry.modified_at
    is_early = source.after and changed_at is not None and changed_at <= datetime.fromisoformat(source.after)
    return not (is_early or (one.address, one.entry.mark) in old.marks)


def collect(
    parts: JobParts,
    source: FilesSource | QuerySource,
    slot: SlotFacts,
    holder: Holder,
    moved: Moves | None = None,
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
        old = _old(parts, source, holder)
        wanted = [one for one in found.values() if one.name not in leave_out and _looks_new(source, one, old)]
        files = _take(parts, reach, wanted, holder, moved) if not missing else []
    files = [one for one in files if (one.name, one.sha256) not in old.contents]
    if not missing and files:
        with parts.db.transaction() as session:
            collected.forget_others(session, holder, {one.name for one in files})
            collected.completed(session, holder, parts.clock.now())
    return Taken(tuple(files), missing, len(found))


def _take(parts: JobParts, reach: Reach, wanted: Sequence[Sought], holder: Holder, moved: Moves | None) -> list[Input]:
    """Each file, but for those that an attempt before this one took and that are still the same."""
    with parts.db.transaction() as session:
        collected.forget_others(session, holder, {one.name for one in wanted})
        before = {one.name: one for one in collected.held(session, holder)}
    moved = _one_at_a_time(moved) if moved is not None else None
    same = {one.name: row for one in wanted if (row := before.get(one.name)) is not None and _is_same(row, one)}
    rows = dict(same)
    with ThreadPoolExecutor(reach.at_once([one.pattern for one in wanted]), "take") as pool:
        for some in _batches([one for one in wanted if one.name not in same], AT_ONCE):
            taken = [pool.submit(_one, parts, reach, one, holder, moved) for one in some]
            done = [one.result() for one in wait(taken).done if one.exception() is None]
            _write_down(parts, done)
            rows |= {row.name: row for row in done}
            for one in taken:
                one.result()  # raises what kept it from being taken
    files = [_input(rows[one.name]) for one in wanted]
    log.info("source_collected", files=len(files), size_bytes=sum(one.size_bytes for one in files))
    return files


def _one_at_a_time(moved: Moves) -> Moves:
    """Several files are on their way at once, and one message tells of all."""
    lock = Lock()

    def told(name: str, moved_bytes: int, size_bytes: int) -> None:
        with lock:
            moved(name, moved_bytes, size_bytes)

    return told


def _is_same(row: Collected, one: Sought) -> bool:
    return bool(row.mark and row.sha256) and (row.address, row.mark) == (one.address, one.entry.mark)


def _batches(wanted: Sequence[Sought], size: int) -> Iterator[Sequence[Sought]]:
    return (wanted[start : start + size] for start in range(0, len(wanted), size))


def _one(parts: JobParts, reach: Reach, one: Sought, holder: Holder, moved: Moves | None) -> Collected:
    kept = parts.blobs.keep(lambda into: reach.take(one, into, moved))
    return _row(parts, holder, kept, name=one.name, address=one.address, mark=one.entry.mark)


def _row(parts: JobParts, holder: Holder, kept: Kept, *, name: str, address: str, mark: str = "") -> Collected:
    return Collected(
        slot_id=holder.slot_id,
        task_id=holder.task_id,
        name=name,
        address=address,
        mark=mark,
        sha256=kept.sha256,
        size_bytes=kept.size_bytes,
        taken_at=parts.clock.now(),
    )


def _ask(parts: JobParts, source: QuerySource, slot: SlotFacts, holder: Holder) -> Input:
    with TemporaryDirectory(prefix="standby-") as folder:
        path = Path(folder) / source.file
        rows = export(parts.settings, source.connection, Question(source.query, slot.due_at, slot.since), path)
        kept = parts.blobs.keep(partial(_copy, path))
    row = _row(parts, holder, kept, name=source.file, address=source.connection)
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
