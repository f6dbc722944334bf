"""A folder of a script is taken into the team's own proven plans, after all that a draft passes before it has a card.

That is the gate, the rehearsal and the hearing test, over the sample in its `inputs`. It is then found for requests,
where it passes them again over their data, and runs for nobody before a card of it was approved.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from bot.domain.counts import counted
from bot.domain.errors import PlanProblem
from bot.store import proven
from bot.store.session import Database
from bot.work.approval_card import hearing_view
from bot.work.own import is_of_the_library
from bot.work.rehearsal import read_by
from bot.work.rehearse import rehearse
from bot.work.rehearse_folder import AROUND_S, facts_of
from bot.work.shelve import KEPT, ShelfProblem
from library.catalog import LIBRARY
from library.manifest import ManifestError
from library.manifest_text import read_manifest
from library.own_script import script_of
from library.plan_folder import PlanFolder
from sandbox.client import Boxes
from sandbox.execute import stage
from sandbox.hearing import Hearing, HearingFailed, heard
from sandbox.kits import box_json
from sandbox.sample import SampleFailed, sample_files
from sandbox.shape import shape_of

MOST_BYTES = 20_000_000  # of a sample; a script is proven on little


def taken_in(db: Database, boxes: Boxes, source: Path, now: datetime) -> str:
    """What came of a folder: its report, and how well it hears. Raises ShelfProblem, BoxError."""
    plan, inputs = _read(source)
    if is_of_the_library(plan.files["plan.py"]):
        raise ShelfProblem(f"{source} is a script that the library has already, but for its parameters.")
    manifest = read_manifest(plan.files["plan.toml"])
    name = source.resolve().name
    script, facts, tags = (
        script_of(name, *(plan.files[one] for one in KEPT[:3])),
        facts_of(source),
        {"folder": name[:40]},
    )
    lifetime_s = 4 * manifest.limits.time_s + AROUND_S
    try:
        with boxes.open("import", tags=tags, lifetime_s=lifetime_s) as box:
            staged = stage(box, inputs)
            samples = sample_files(box, sorted(inputs))
            files = {**plan.files, "shape.json": shape_of([one.facts for one in samples])}
            final, rehearsal = rehearse(
                staged, PlanFolder(files), inputs, facts, samples,
                lambda seen: script.resume_for(message=seen.message, seen=seen.seen, expected=seen.expected),
            )  # fmt: skip
        hearing = heard(boxes, final, inputs, read_by(manifest, samples), facts, tags=tags)
    except (PlanProblem, SampleFailed, HearingFailed) as problem:
        raise ShelfProblem(f"{source} was not taken in. {problem}") from problem
    with db.transaction() as session:
        if not proven.enter(session, "", name, f"{name.replace('-', ' ')} {manifest.title}", final, now):
            raise ShelfProblem(f"{source} is in the catalogue already, but for its parameters. Nothing was changed.")
    said = f"{name} was rehearsed twice on {counted(len(inputs), 'file')} and can be found for requests now."
    body = "\n".join([rehearsal.report.document(), *_score(hearing)])
    return f"{body}\n{said} It runs for nobody before a card of it was approved."


def _score(hearing: Hearing) -> list[str]:
    """How well it hears, and all that it would not notice: whoever imports it may mend that first."""
    view = hearing_view(hearing)
    assert view is not None, "it was heard"
    counts = f"{view.fit} ways in which these files could change were tried; it copes with {view.well}"
    lines = [f"{counts}, {view.alone} of them by itself."]
    lines += [f"- It would not notice: {one}." for one in view.deaf]
    lines += [f"- It would stop without saying why: {one}." for one in view.broke]
    lines += [f"- Nothing that was tried made these checks halt it: {', '.join(view.never_fired)}."] * bool(
        view.never_fired
    )
    return [*lines, *[f"- There was no time to try {view.not_tried} more."] * bool(view.not_tried)]


def _read(source: Path) -> tuple[PlanFolder, Mapping[str, Path]]:
    """The plan of a folder, and its sample. Raises ShelfProblem."""
    try:
        files = {name: (source / name).read_bytes() for name in KEPT[:3]}
        read_manifest(files["plan.toml"])
    except OSError as error:
        raise ShelfProblem(
            f"{source} is no folder of a script: {error}. `standby export` and `standby library --export` make one."
        ) from error
    except ManifestError as error:
        raise ShelfProblem(f"{source}/plan.toml cannot be read: {error}") from error
    inputs = {path.name: path for path in sorted((source / "inputs").glob("*")) if path.is_file()}
    if linked := [path.name for path in (*(source / one for one in files), *inputs.values()) if path.is_symlink()]:
        raise ShelfProblem(f"{source} has links, which could lead to files of this computer: {', '.join(linked)}.")
    if not inputs or sum(path.stat().st_size for path in inputs.values()) > MOST_BYTES:
        raise ShelfProblem(
            f"Put the files of one slot into {source}/inputs, at most {MOST_BYTES // 1_000_000} MB: "
            "a script is taken in after it made its report of them."
        )
    resume = (LIBRARY / "resume.md").read_bytes()
    return PlanFolder({**files, "resume.md": resume, "shape.json": b"{}", "box.json": box_json("import")}), inputs
