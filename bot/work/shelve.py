"""The team's own proven plans as folders: listed, shown, and written out for git with a small sample."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from sqlmodel import Session

from bot.domain.counts import counted
from bot.domain.errors import StandbyError
from bot.store import proven, runs
from bot.store.blobs import Blobs
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_proven import Proven
from bot.store.tables_runs import Slot
from library.facts import name_pattern
from library.manifest import ChannelDestination, ChannelSource
from library.manifest_text import read_manifest, write_manifest
from sandbox.drifts.apply import first_part
from sandbox.execute import SlotFacts
from sandbox.shape import LINES, kinds

KEPT = ("plan.py", "report.md", "plan.toml", "shape.json")
SAMPLE_BYTES = 2_000_000  # of all files together, where those can be cut at the end of a line
LEAST_BYTES = 20_000  # of a file that is cut
NOWHERE = "C0EXPORTED"  # where the folder's plan.toml would read and post: a routine of another team names its own
PRIVATE = (
    "What it reads stands in inputs/: {files}, {bytes:,} bytes of this team's own data, {how}, from the report of "
    "{day}. Look through it before anybody else gets the folder; invented data of the same form does as well. "
)
NOT_IN_IT = (
    "Its channel, recipients, schedule and past figures are not in it; its script, its words and its parameters, such "
    "as names of files, are."
)


class ShelfProblem(StandbyError):
    """A script of the team's own cannot be shown, written or taken in; the text says why and what to do."""


def listed(db: Database) -> str:
    """One line an entry: its name, and where it comes from."""
    with db.transaction() as session:
        found = proven.entries(session)
    if not found:
        return "No plan of the team's own is proven yet: some clean runs prove one, or `standby library --import`."
    width = max(len(one.name) for one in found)
    return "\n".join(f"{one.name:<{width}}  {_origin(one)}" for one in found)


def shown(db: Database, name: str) -> str:
    """Where it comes from, and its code. Raises ShelfProblem."""
    with db.transaction() as session:
        entry = _entry(session, name)
    return f"{entry.name}: {_origin(entry)}\n\n{bytes(entry.plan_py).decode()}".rstrip("\n")


def written(db: Database, blobs: Blobs, name: str, to: Path) -> str:
    """Writes TO/NAME for git, to be taken in anywhere; says what is in it. Raises ShelfProblem."""
    folder = to / name
    with db.transaction() as session:
        entry = _entry(session, name)
        last = proven.last_clean_run(session, entry)
        inputs = {one.name: one.sha256 for one in runs.inputs_of(session, known(last[1].id))} if last else {}
    if folder.exists():
        raise ShelfProblem(f"{folder} exists already, and nothing is overwritten. Name another folder with --export.")
    (folder / "inputs").mkdir(parents=True)
    files = dict(zip(KEPT, (entry.plan_py, entry.report_md, _anonymous(entry), entry.shape_json), strict=True))
    for file, body in files.items():
        (folder / file).write_bytes(bytes(body))
    if last is None or not all(blobs.has(sha256) for sha256 in inputs.values()):
        why = "it was imported, so its sample is where it came from" if entry.routine_id is None else "its data is gone"
        return f"{folder} is written. Its inputs/ are empty, since {why}: put the files of one slot there. {NOT_IN_IT}"
    (folder / "slot.json").write_bytes(_slot(last[0], entry).as_json())
    with blobs.local(inputs) as paths:
        return f"{folder} is written. {_sampled(paths, folder / 'inputs', entry, last[0].due_at)}{NOT_IN_IT}"


def _sampled(paths: Mapping[str, Path], into: Path, entry: Proven, due_at: datetime) -> str:
    """Copies the files, each cut to its share where all are too much, and says what was copied."""
    whole = {name: path.stat().st_size for name, path in paths.items()}
    share, of_kind = SAMPLE_BYTES / max(1, sum(whole.values())), kinds(bytes(entry.shape_json))
    for name, path in paths.items():
        is_cut = share < 1 and of_kind.get(name_pattern(name)) in LINES
        room = max(LEAST_BYTES, int(whole[name] * share))
        (into / name).write_bytes(first_part(path, room) if is_cut else path.read_bytes())
    taken = sum((into / name).stat().st_size for name in paths)
    how = "whole" if taken == sum(whole.values()) else f"the first lines of {sum(whole.values()):,}"
    files = counted(len(paths), "file")
    return PRIVATE.format(files=files, bytes=taken, how=how, day=f"{due_at:%Y-%m-%d}")


def _anonymous(entry: Proven) -> bytes:
    """plan.toml without where it was read and sent, when, and why it was picked there."""
    manifest = read_manifest(bytes(entry.plan_toml))
    nowhere = replace(
        manifest,
        why="It ran clean where it comes from.",
        schedule=None,
        source=ChannelSource(NOWHERE),
        destinations=(ChannelDestination(NOWHERE),),
    )
    return write_manifest(nowhere).encode()


def _slot(slot: Slot, entry: Proven) -> SlotFacts:
    """The time that the sample is about, without what earlier reports measured."""
    schedule = read_manifest(bytes(entry.plan_toml)).schedule
    return SlotFacts(slot.due_at, slot.since, slot.until, schedule.zone if schedule else "UTC")


def _entry(session: Session, name: str) -> Proven:
    found = {one.name: one for one in proven.entries(session)}
    if name not in found:
        raise ShelfProblem(f"No plan of the team's own is called {name!r}; there are: {', '.join(found) or 'none'}.")
    return found[name]


def _origin(entry: Proven) -> str:
    if entry.last_good_at is None:
        return f"imported on {entry.entered_at:%Y-%m-%d}, not approved here yet"
    return f"approved by {entry.approved_by}, {entry.clean_runs} clean runs, the last on {entry.last_good_at:%Y-%m-%d}"
