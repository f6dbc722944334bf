"""A folder with a script, rehearsed in a box: run twice over its inputs, and told in words what came of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.domain.errors import StandbyError
from library.manifest import Manifest, ManifestError
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder
from sandbox.execute import PastMetrics, SlotFacts, stage
from sandbox.kits import box_json
from sandbox.outcome import Crashed, Lost, Outcome, Report, Surprised

if TYPE_CHECKING:
    from sandbox.client import Boxes

AROUND_S = 120
_OURS = {"resume.md": b"", "shape.json": b"{}"}  # where the folder has none, rehearsing needs none


class FolderProblem(StandbyError):
    """The folder is no script that can be rehearsed; the text says what is missing."""


def rehearse_folder(boxes: Boxes, folder: Path) -> tuple[str, bool]:
    """The outcome in words, and whether it is a report that was the same twice. Raises FolderProblem, BoxError."""
    plan, manifest = _plan(folder)
    inputs = {path.name: path for path in sorted((folder / "inputs").glob("*")) if path.is_file()}
    lifetime_s = 2 * manifest.limits.time_s + AROUND_S
    with boxes.open("rehearsal", tags={"routine": manifest.name}, lifetime_s=lifetime_s) as box:
        staged = stage(box, inputs)
        first, second = (staged.run(plan, facts_of(folder), manifest.limits) for _ in range(2))
    if isinstance(first, Report) and not (isinstance(second, Report) and first.same_as(second)):
        return f"{_words(first)}\n\nA second run over the same files was not the same: {_words(second)}", False
    return _words(first), isinstance(first, Report)


def _plan(folder: Path) -> tuple[PlanFolder, Manifest]:
    """The folder's files, on this version's kit whatever kit lies beside them."""
    try:
        files = {name: (folder / name).read_bytes() for name in ("plan.py", "report.md", "plan.toml")}
        manifest = read_manifest(files["plan.toml"])
    except OSError as error:
        raise FolderProblem(f"{folder} is no folder of a script: {error}. `standby export` makes one.") from error
    except ManifestError as error:
        raise FolderProblem(f"{folder}/plan.toml cannot be read: {error}") from error
    return PlanFolder({**_OURS, **files, "box.json": box_json("rehearsal")}), manifest


def facts_of(folder: Path) -> SlotFacts:
    """The slot that its slot.json says, else the last seven days. Raises FolderProblem."""
    path = folder / "slot.json"
    if not path.is_file():
        now = datetime.now(UTC).replace(microsecond=0)
        return SlotFacts(now, now - timedelta(days=7), now, "UTC")
    try:
        keys: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        due_at, since, until = (datetime.fromisoformat(keys[name]) for name in ("due_at", "since", "until"))
        history = [_past(one) for one in keys["history"]]
        return SlotFacts(due_at, since, until, str(keys["zone"]), tuple(history))
    except (ValueError, KeyError, TypeError) as error:
        raise FolderProblem(f"{path} cannot be read: {error!r}. Delete it to mean the last seven days.") from error


def _past(keys: dict[str, Any]) -> PastMetrics:
    return PastMetrics(datetime.fromisoformat(keys["due_at"]), keys["metrics"], keys.get("inputs", {}))


def _words(outcome: Outcome) -> str:
    if isinstance(outcome, Report):
        return outcome.document()
    if isinstance(outcome, Surprised):
        evidence = "".join(f"\n  {row}" for row in outcome.rows)
        said = f"Halted before the report: {outcome.name}: {outcome.message}"
        return f"{said}\n  seen: {outcome.seen}\n  expected: {outcome.expected}{evidence}"
    if isinstance(outcome, Crashed):
        return f"Crashed in line {outcome.line}: {outcome.error}: {outcome.message}\n{outcome.traceback}"
    assert isinstance(outcome, Lost)
    return f"The box left no outcome: {outcome.why}"
