"""Runs a plan in a box: stage our files and the inputs once, then run as often as needed, each time from nothing."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from library.manifest import Limits
from library.plan_folder import PlanFolder, short
from sandbox.errors import BoxFileMissing, BoxFileTooLarge, BoxFull
from sandbox.inside_files import look_files
from sandbox.kits import Kept, KitUnknown, kit_of
from sandbox.outcome import Attachment, Crashed, Lost, Number, Outcome
from sandbox.outcome_json import OUTCOME_LIMIT_BYTES, OutcomeUnreadable, read_outcome
from sandbox.progress import Moves, told, told_into

if TYPE_CHECKING:
    from sandbox.client import Box

# What runner.py answers when the bytes in the box are not those that were approved.
REFUSED = 70
# Starting Python, verifying and writing the outcome, on a busy machine.
START_AND_END_S = 60.0
# Comes with every run from outside the box, so that a script which rewrote the runner, left a module of some library's
# name, or compiled files that Python would believe, decides nothing in a later run of the same box. The runner then
# answers for the kit.
_FROM_OUTSIDE = f"""
import hashlib, os, runpy, shutil, sys
digest, *told = sys.argv[1:]
for compiled in ("__pycache__", "kit/__pycache__"):
    if os.path.islink(compiled):
        os.unlink(compiled)
    elif os.path.isdir(compiled):
        shutil.rmtree(compiled)
for name, wanted in zip(told[::2], told[1::2]):
    with open(name, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != wanted:
            print(f"{{name}} in the box has another digest than ours; a script changed it", file=sys.stderr)
            sys.exit({REFUSED})
sys.argv = ["runner.py", digest]
sys.path.append("")
runpy.run_path("runner.py", run_name="__main__")
"""
COPY_S = 120.0
TOGETHER_BYTES = 2_000_000
_FORM_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
# How a box server of ours begins to say which of its limits a script passed; the script's doing, not the box's.
BEYOND = "[box] killed: the box "
ATTACHMENT_LIMIT_BYTES = 200_000_000


class PlanRefused(Exception):
    """The bytes to run are not the bytes of the digest, so nothing ran. The slot is blocked until a person looks."""


class InputNameRefused(ValueError):
    """An input's name could point outside inputs/, so nothing was copied. Give the file a plain name."""


class AttachmentAltered(Exception):
    """An attachment in the box is not what the outcome describes, so it is not delivered."""


@dataclass(frozen=True)
class PastMetrics:
    due_at: datetime
    metrics: Mapping[str, Number]
    inputs: Mapping[str, str] = field(default_factory=dict)  # its files, by name: sha256


@dataclass(frozen=True)
class SlotFacts:
    """What a script may know about when it runs: the slot's moment, its window (since, until], and earlier metrics."""

    due_at: datetime
    since: datetime
    until: datetime
    zone: str
    history: tuple[PastMetrics, ...] = ()

    def as_json(self) -> bytes:
        history = [
            {"due_at": _iso(past.due_at), "metrics": dict(past.metrics), "inputs": dict(past.inputs)}
            for past in self.history
        ]
        moments = {"due_at": _iso(self.due_at), "since": _iso(self.since), "until": _iso(self.until)}
        return json.dumps({**moments, "zone": self.zone, "history": history}).encode()


def run_plan(
    box: Box, folder: PlanFolder, inputs: Mapping[str, Path], facts: SlotFacts, limits: Limits, kept: Kept | None = None
) -> Outcome:
    """One run in a fresh box. Raises BoxError (infrastructure) and PlanRefused; everything else is an Outcome."""
    return stage(box, inputs, kept).run(folder, facts, limits)


def stage(box: Box, inputs: Mapping[str, Path], kept: Kept | None = None, progress: Moves | None = None) -> StagedBox:
    """Puts what looks at files, and the inputs, into the box, each file once. Raises InputNameRefused, BoxError.

    `kept` opens kept content, for plans approved with an earlier kit; without it only this version's kit is there.
    Two names for one file (as kept files have, which are stored by what they hold) cost one upload, and small files go
    in one request. `progress` hears how far each other file is, the inputs on their way in and attachments on their
    way out.
    """
    paths = {name: f"inputs/{_plain_name(name)}" for name in inputs}
    small = _small(inputs)
    box.put_all({**look_files(), **{paths[name]: data for name, data in small.items()}})
    sent = {inputs[name]: paths[name] for name in small}
    for name, source in inputs.items():
        path = paths[name]
        if name in small:
            continue
        if source in sent:
            _copy(box, sent[source], path)
            continue
        with source.open("rb") as stream:
            box.put(path, told(name, stream, source.stat().st_size, progress) if progress else stream)
        sent[source] = path
    return StagedBox(box, kept, dict(look_files()), progress)


def _small(inputs: Mapping[str, Path]) -> dict[str, bytes]:
    """Inputs that fit into one request together, each content once; their names come whole through a form."""
    found: dict[str, bytes] = {}
    room, taken = TOGETHER_BYTES, set()
    for name, source in inputs.items():
        size = source.stat().st_size
        if source not in taken and size <= room and _FORM_NAME.fullmatch(name):
            found[name] = source.read_bytes()
            taken.add(source)
            room -= size
    return found


def _copy(box: Box, path: str, to: str) -> None:
    ended = box.run(["cp", "--", path, to], timeout_s=COPY_S)
    if ended.code != 0:
        raise BoxFull(f"{to} could not be copied in the box: {ended.stderr.strip()[-300:]}")


@dataclass
class StagedBox:
    """A box that holds the inputs, and the files of the kit of the plan that ran in it last."""

    box: Box
    kept: Kept | None = None
    ours: Mapping[str, bytes] = field(default_factory=dict)  # by path in the box
    progress: Moves | None = None

    def run(self, folder: PlanFolder, facts: SlotFacts, limits: Limits, approved: str = "") -> Outcome:
        """The runner clears what an earlier run in this box left behind. Raises PlanRefused, BoxError.

        With `approved`, that digest is what the box compares the bytes with that it was handed.
        """
        kit = self._kit(folder)
        files = {path: data for path, data in kit.items() if self.ours.get(path) != data}
        files |= {f"plan/{name}": data for name, data in folder.files.items()}
        # An outcome is emptied from here, so that an earlier run's can never be taken for this one's.
        self.box.put_all(files | {"slot.json": facts.as_json(), "outcome.json": b""})
        self.ours = kit
        ended = self.box.run(_start(approved or folder.digest, self.ours), timeout_s=limits.time_s + START_AND_END_S)
        if ended.code == REFUSED:
            raise PlanRefused(f"Plan {short(folder.digest)} did not run: {ended.stderr.strip()[-1000:]}")
        return self._outcome(ended.code, ended.stderr)

    def take_out(self, names: Sequence[str]) -> None:
        """Inputs that no later run in this box sees. Raises BoxError."""
        ended = self.box.run(["rm", "-f", "--", *(f"inputs/{_plain_name(name)}" for name in names)], timeout_s=60)
        if ended.code != 0:
            raise BoxFull(f"Inputs could not be taken out of the box: {ended.stderr.strip()[-300:]}")

    def _kit(self, folder: PlanFolder) -> Mapping[str, bytes]:
        """The files of the plan's kit; what of ours does not belong to it is removed from the box."""
        try:
            kit = kit_of(folder, self.kept)
        except KitUnknown as unknown:
            raise PlanRefused(str(unknown)) from unknown
        if gone := sorted(set(self.ours) - set(kit)):
            self.box.run(["rm", "-f", *gone], timeout_s=60)
        return kit

    def _outcome(self, code: int, stderr: str) -> Outcome:
        """Only a runner that came to its end is believed; else whoever wrote an outcome, it was not the runner."""
        if code != 0:
            if BEYOND in stderr:
                return Crashed("BoxLimit", f"The script was ended: the box {stderr.split(BEYOND, 1)[1].strip()[:300]}.")
            return Lost(f"The runner ended with code {code} and left no outcome. {stderr.strip()[-500:]}".strip())
        try:
            return read_outcome(self.box.get("outcome.json", OUTCOME_LIMIT_BYTES))
        except OutcomeUnreadable as error:  # the runner wrote it to its end, so this is what the script declared
            return Crashed("OutputUnreadable", f"What the script declared cannot be taken: {error}")
        except (BoxFileMissing, BoxFileTooLarge) as error:
            return Lost(f"The box left no outcome that can be read: {error}")

    def fetch(self, attachment: Attachment, into: BinaryIO) -> None:
        """Copies an attachment out, streamed. Raises AttachmentAltered if size or content are not as declared."""
        if attachment.size_bytes > ATTACHMENT_LIMIT_BYTES:
            raise AttachmentAltered(f"{attachment.name} is larger than {ATTACHMENT_LIMIT_BYTES} bytes.")
        start = into.tell()
        out = told_into(attachment.name, into, attachment.size_bytes, self.progress) if self.progress else into
        size = self.box.get_stream(attachment.path, out, attachment.size_bytes)
        into.seek(start)
        digest = hashlib.sha256()
        while piece := into.read(1_000_000):
            digest.update(piece)
        if size != attachment.size_bytes or digest.hexdigest() != attachment.sha256:
            raise AttachmentAltered(f"{attachment.name} changed after the run ended.")


def _start(digest: str, ours: Mapping[str, bytes]) -> list[str]:
    """The runner's own files are compared from outside it, with those of the plan's kit."""
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in ours.items() if "/" not in name}
    told = [word for pair in sorted(hashes.items()) for word in pair]
    return ["python", "-I", "-B", "-c", _FROM_OUTSIDE, digest, *told]


def _plain_name(name: str) -> str:
    odd = "/" in name or "\\" in name or name in ("", ".", "..") or any(ord(one) < 32 for one in name)
    if odd or len(name.encode("utf-8", "surrogatepass")) > 200:
        raise InputNameRefused(f"{name[:80]!r} is no plain file name.")
    return name


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
