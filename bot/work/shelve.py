"""The team's own proven plans as folders: listed, shown, written out for git, and taken in from such a folder.

What is taken in passes the same gate and rehearsal as a draft. It is then found for requests, and runs for nobody
before a card of it was approved.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from bot.domain.errors import PlanProblem, StandbyError
from bot.store import proven
from bot.store.session import Database
from bot.store.tables_proven import Proven
from bot.work.own import is_of_the_library
from bot.work.rehearse import rehearse
from bot.work.rehearse_folder import AROUND_S, facts_of
from library.catalog import LIBRARY
from library.manifest import ManifestError
from library.manifest_text import read_manifest
from library.own_script import script_of
from library.plan_folder import PlanFolder
from sandbox.client import Boxes
from sandbox.execute import stage
from sandbox.kits import box_json
from sandbox.sample import sample_files
from sandbox.shape import shape_of

KEPT = ("plan.py", "report.md", "plan.toml", "shape.json")
MOST_BYTES = 20_000_000  # of a sample; a script is proven on little


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
    entry = _entry(db, name)
    return f"{entry.name}: {_origin(entry)}\n\n{bytes(entry.plan_py).decode()}".rstrip("\n")


def written(db: Database, name: str, to: Path) -> Path:
    """A folder for git: its code and words, and an empty `inputs` for a sample. Raises ShelfProblem."""
    entry, folder = _entry(db, name), to / name
    if folder.exists():
        raise ShelfProblem(f"{folder} exists already, and nothing is overwritten. Name another folder with --export.")
    (folder / "inputs").mkdir(parents=True)
    for file, body in zip(KEPT, (entry.plan_py, entry.report_md, entry.plan_toml, entry.shape_json), strict=True):
        (folder / file).write_bytes(bytes(body))
    return folder


def taken_in(db: Database, boxes: Boxes, source: Path, now: datetime) -> str:
    """What came of a folder: rehearsed on the files in its `inputs`, then found. Raises ShelfProblem, BoxError."""
    plan, inputs = _read(source)
    if is_of_the_library(plan.files["plan.py"]):
        raise ShelfProblem(f"{source} is a script that the library has already, but for its parameters.")
    manifest = read_manifest(plan.files["plan.toml"])
    name = source.resolve().name
    script = script_of(name, *(plan.files[one] for one in KEPT[:3]))
    lifetime_s = 4 * manifest.limits.time_s + AROUND_S
    with boxes.open("import", tags={"folder": name[:40]}, lifetime_s=lifetime_s) as box:
        staged = stage(box, inputs)
        samples = sample_files(box, sorted(inputs))
        files = {**plan.files, "shape.json": shape_of([one.facts for one in samples])}
        try:
            final, rehearsal = rehearse(
                staged, PlanFolder(files), inputs, facts_of(source), samples,
                lambda seen: script.resume_for(message=seen.message, seen=seen.seen, expected=seen.expected),
            )  # fmt: skip
        except PlanProblem as problem:
            raise ShelfProblem(f"{source} was not taken in. {problem}") from problem
    with db.transaction() as session:
        if not proven.enter(session, "", name, f"{name.replace('-', ' ')} {manifest.title}", final, now):
            raise ShelfProblem(f"{source} is in the catalogue already, but for its parameters. Nothing was changed.")
    said = f"{name} was rehearsed twice on {len(inputs)} files and can be found for requests now."
    return f"{rehearsal.report.document()}\n{said} It runs for nobody before a card of it was approved."


def _read(source: Path) -> tuple[PlanFolder, Mapping[str, Path]]:
    """The plan of a folder, and its sample. Raises ShelfProblem."""
    try:
        files = {name: (source / name).read_bytes() for name in KEPT[:3]}
        read_manifest(files["plan.toml"])
    except OSError as error:
        raise ShelfProblem(f"{source} is no folder of a script: {error}. `standby export` makes one.") from error
    except ManifestError as error:
        raise ShelfProblem(f"{source}/plan.toml cannot be read: {error}") from error
    inputs = {path.name: path for path in sorted((source / "inputs").glob("*")) if path.is_file()}
    if not inputs or sum(path.stat().st_size for path in inputs.values()) > MOST_BYTES:
        raise ShelfProblem(
            f"Put the files of one slot into {source}/inputs, at most {MOST_BYTES // 1_000_000} MB: "
            "a script is taken in after it made its report of them."
        )
    resume = (LIBRARY / "resume.md").read_bytes()
    return PlanFolder({**files, "resume.md": resume, "shape.json": b"{}", "box.json": box_json("import")}), inputs


def _entry(db: Database, name: str) -> Proven:
    with db.transaction() as session:
        found = {one.name: one for one in proven.entries(session)}
    if name not in found:
        raise ShelfProblem(f"No plan of the team's own is called {name!r}; there are: {', '.join(found) or 'none'}.")
    return found[name]


def _origin(entry: Proven) -> str:
    if entry.last_good_at is None:
        return f"imported on {entry.entered_at:%Y-%m-%d}, not approved here yet"
    return f"approved by {entry.approved_by}, {entry.clean_runs} clean runs, the last on {entry.last_good_at:%Y-%m-%d}"
