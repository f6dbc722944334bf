"""A person's own script becomes a version: the same rehearsal, the same card, and they are its author."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bot.domain.errors import PlanProblem
from bot.store.plans import known
from bot.store.tables_talk import SharedFile, Task
from bot.work.case import Case, newest_case
from bot.work.hear import compared, with_hearing
from bot.work.parts import JobParts
from bot.work.progress import Progress
from bot.work.propose import Draft, propose
from bot.work.rehearse import STEP, check_names, rehearse
from bot.work.replay import replayed
from bot.work.sampled import sampled
from bot.work.staging import keep_files
from library.manifest import DeclaredCheck, Manifest, Rung
from library.manifest_text import read_manifest, write_manifest
from library.plan_folder import PlanFolder
from sandbox.errors import BoxError
from sandbox.kits import box_json, image_of
from sandbox.outcome import Surprised
from sandbox.sample import SampleFailed
from sandbox.shape import shape_of

LARGEST_SCRIPT_BYTES = 200_000
NOTHING_TO_ANSWER = (
    "{name} is not used: a script of your own becomes a version where it answers a halted slot in this thread, because "
    "that is what I can try it on, and none is halted now. Nothing was changed. When one is, post it here; until then "
    "a script of the library, or one that a model writes, does the work."
)


def take_script(parts: JobParts, task: Task, author_id: str, file: SharedFile) -> str:
    """Rehearse a posted script on the inputs that halted and propose it; or say in words why it cannot be."""
    case = newest_case(parts, task)
    if case is None:
        return NOTHING_TO_ANSWER.format(name=file.name)
    source = _source(parts, file)
    if source is None:
        return f"{file.name} is larger than {LARGEST_SCRIPT_BYTES:,} bytes, more than anybody would read on a card."
    progress = Progress(parts, case.place, f"script:{file.file_id}:steps", f"Trying {file.name}", author_id)
    progress.begin()
    try:
        with parts.blobs.local(dict(case.inputs)) as paths:
            draft = _rehearsed(parts, case, author_id, source, paths, progress)
        propose(parts, case.task, draft)
    except (PlanProblem, SampleFailed) as problem:
        progress.finish("This script cannot be proposed")
        return f"{file.name} was not proposed. {problem}"
    except BoxError as error:
        progress.finish("I stopped here")
        return f"The box failed while I tried {file.name}, so nothing is known about it yet: {error} Post it again."
    progress.finish("It works. The new version is below, and a teammate decides")
    return ""


def _source(parts: JobParts, file: SharedFile) -> bytes | None:
    [kept] = keep_files(parts, [file])
    with parts.blobs.open(kept.sha256) as stream:
        source = stream.read(LARGEST_SCRIPT_BYTES + 1)
    return source if len(source) <= LARGEST_SCRIPT_BYTES else None


def _rehearsed(
    parts: JobParts, case: Case, author_id: str, source: bytes, paths: Mapping[str, Path], progress: Progress
) -> Draft:
    manifest = _manifest(read_manifest(case.folder.files["plan.toml"]), source)
    tags = {"surprise": str(case.surprise.id)}
    look = "Looking at the inputs that halted"
    with sampled(parts, paths, manifest.limits, progress, look, purpose="script", tags=tags) as (staged, samples):
        files = {
            **case.folder.files,
            "plan.py": source,
            "box.json": box_json(image_of(case.folder)),
            "plan.toml": write_manifest(manifest).encode(),
            "shape.json": shape_of([sample.facts for sample in samples]),
        }
        with progress.step(STEP):
            folder, rehearsal = rehearse(
                staged, PlanFolder(files), paths, case.facts, samples, _resume_text, is_any_surprise=True
            )
    rehearsal = with_hearing(parts, folder, rehearsal, paths, case.facts, samples, tags, progress)
    with progress.step("Replaying it over earlier slots"):
        lines = replayed(parts, known(case.routine.id), folder, case.facts.due_at)
    return Draft(
        folder,
        replace(
            rehearsal,
            change_from=case.plan.id,
            replay=(*lines, *compared(parts, known(case.plan.id), rehearsal.hearing)),
        ),
        requester_id=case.plan.requester_id,
        author_id=author_id,
        surprise_id=case.surprise.id,
    )


def _manifest(before: Manifest, source: bytes) -> Manifest:
    """What the plan was, with the checks that the new script shows; it declares nothing else about itself."""
    names = check_names(source)
    return replace(
        before,
        rung=Rung.PLAN_AS_CODE,
        why="A teammate wrote this script as the answer to a surprise.",
        script="",
        checks=tuple(DeclaredCheck(name, "as the script has it") for name in names),
        intermediates=(),
        surprise=replace(before.surprise, why="it was the likeliest surprise of the version before"),
    )


def _resume_text(seen: Surprised) -> bytes:
    return f"{seen.name}: {seen.message}\nSeen: {seen.seen}\nExpected: {seen.expected}\n".encode()
