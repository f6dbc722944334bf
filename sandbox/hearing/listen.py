"""The hearing test of one plan: one box, and in it one process and one folder for each drift that fits."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from library.facts import FileFacts
from library.manifest import Limits, Manifest
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder, read_tree
from sandbox.drifts import DRIFTS
from sandbox.errors import BoxFileMissing, BoxFileTooLarge
from sandbox.execute import SlotFacts, stage
from sandbox.hearing.ears import Ear, Hearing
from sandbox.hearing.fit import Fit, fitting
from sandbox.hearing.judge import Heard, judged
from sandbox.inside_files import look_files, run_files
from sandbox.outcome_json import OutcomeUnreadable

if TYPE_CHECKING:
    from sandbox.client import Box, Boxes

SEED = 1
WORKERS = 2
LIMIT_BYTES = 1_000_000  # of all inputs together; a drift shows as well on the first part of a large file
RUN_S = 20.0  # for one run of the script, or less where its own limit is less
TIME_S = 60.0  # for all of them; what is not begun by then is named as not tried
ENDING_S = 60.0
HEARD_LIMIT_BYTES = 64_000_000
# Our files are compared with ours before any of them is imported, as no script has run here yet.
_START = """
import hashlib, sys
told = sys.argv[1:]
for name, wanted in zip(told[::2], told[1::2]):
    with open(name, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != wanted:
            sys.exit(f"{name} in the box is not what was sent")
sys.path.append("")
import listener
listener.main()
"""
Said = Callable[[int, int], None]  # how many drifts are done, of how many


class HearingFailed(Exception):
    """The hearing test gave no answer, which says nothing about the plan. Try again."""


def heard(
    boxes: Boxes,
    folder: PlanFolder,
    inputs: Mapping[str, Path],
    files: Sequence[FileFacts],
    facts: SlotFacts,
    *,
    tags: Mapping[str, str],
    said: Said | None = None,
    only: Sequence[str] = (),
    seed: int = SEED,
) -> Hearing:
    """Hear a plan that reports on these inputs; `files` are facts about them. Raises HearingFailed, BoxError.

    `only` are the ids of drifts to be tried; all that fit without. The script alone and the script with Standby's
    guard are judged apart, over the same runs.
    """
    manifest = read_manifest(folder.files["plan.toml"])
    fit = [one for one in fitting(folder, files, seed) if not only or one.drift in only]
    if not fit:
        return Hearing((), never_fired=tuple(check.name for check in manifest.checks))
    with boxes.open("hearing", tags=tags, lifetime_s=int(TIME_S + ENDING_S * 2)) as box:
        stage(box, inputs)
        answer = _listened(box, folder, _task(manifest.limits, facts, files, fit, seed), len(fit), said)
    if answer["healthy"]["kind"] != "report":
        message = answer["healthy"].get("message", "it gave no outcome")
        raise HearingFailed(f"The hearing test had no healthy report to compare with: {message}")
    return _hearing(manifest, folder, files, fit, answer)


def _task(
    limits: Limits, facts: SlotFacts, files: Sequence[FileFacts], fit: Sequence[Fit], seed: int
) -> dict[str, Any]:
    return {
        "workers": WORKERS,
        "limit_bytes": LIMIT_BYTES,
        "time_s": TIME_S,
        "run_s": min(RUN_S, float(limits.time_s)),
        "memory_mb": limits.memory_mb,
        "seed": seed,
        "slot": json.loads(facts.as_json()),
        "names": [one.name for one in files],
        "kinds": {one.name: str(one.kind) for one in files},
        "drifts": [{"id": one.drift, "victims": one.victims, "columns": one.columns} for one in fit],
    }


def _listened(box: Box, folder: PlanFolder, task: Mapping[str, Any], count: int, said: Said | None) -> dict[str, Any]:
    ours = {**run_files(), **our_files()}
    plan = {f"plan/{name}": data for name, data in folder.files.items()}
    box.put_all({**ours, **plan, "listen.json": json.dumps(task).encode()})
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in (ours | look_files()).items()}
    told = [word for pair in sorted(hashes.items()) for word in pair]
    environment = {"PYTHONHASHSEED": "0", "TZ": "UTC", "MPLBACKEND": "Agg"}
    ended = box.run(
        ["python", "-s", "-P", "-B", "-X", "utf8", "-c", _START, *told],
        timeout_s=TIME_S + ENDING_S,
        env=environment,
        said=(lambda text: _tell(said, text, count)) if said else None,
    )
    if ended.code != 0:
        raise HearingFailed(f"The hearing test ended with code {ended.code}: {ended.stderr.strip()[-800:]}")
    try:
        answer: dict[str, Any] = json.loads(box.get("heard.json", HEARD_LIMIT_BYTES))
    except (BoxFileMissing, BoxFileTooLarge, ValueError) as error:
        raise HearingFailed(f"The hearing test left no answer that can be read: {error}") from error
    return answer


def our_files() -> dict[str, bytes]:
    """By path in the box: the drifts, and what listens."""
    here = Path(__file__).parent
    drifts = {f"drifts/{name}": data for name, data in read_tree(here.parent / "drifts").items()}
    return {**drifts, **{name: (here / name).read_bytes() for name in ("listener.py", "forks.py")}}


def _tell(said: Said, text: str, count: int) -> None:
    done = [line for line in text.split() if line.isdigit()]
    if done:
        said(int(done[-1]), count)


def _hearing(
    manifest: Manifest, folder: PlanFolder, files: Sequence[FileFacts], fit: Sequence[Fit], answer: Mapping[str, Any]
) -> Hearing:
    try:
        found = [Heard.read(one) for one in answer["heard"]]
        healthy = str(answer["healthy"]["digest"])
        ears = [judged(one, healthy, folder.files["shape.json"], files) for one in found if one.changes]
    except (KeyError, TypeError, ValueError, OutcomeUnreadable) as error:
        raise HearingFailed(f"The hearing test left an answer that cannot be read: {error!r}") from error
    order = {name: place for place, name in enumerate(DRIFTS)}
    done = {one.drift for one in found}
    fired = {ear.name for ear in ears}
    return Hearing(
        ears=tuple(sorted(ears, key=lambda ear: order[ear.drift])),
        changed_nothing=tuple(one.drift for one in found if not one.changes),
        not_tried=tuple(one.drift for one in fit if one.drift not in done),
        never_fired=tuple(check.name for check in manifest.checks if check.name not in fired),
        seconds=float(answer["seconds"]),
    )


__all__ = ["Ear", "HearingFailed", "heard"]
