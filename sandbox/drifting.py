"""Makes a drift happen to one input of a staged box, and puts the input back afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from library.facts import FileFacts
from library.plan_folder import read_tree
from sandbox.drifts import DRIFTS
from sandbox.drifts.apply import DOES_NOT_FIT, KEPT
from sandbox.errors import BoxError

if TYPE_CHECKING:
    from sandbox.client import Box

FOLDER = Path(__file__).parent / "drifts"
SEED = 1
TIMEOUT_S = 60


class DriftFitsNothing(Exception):
    """None of the inputs is of a kind that this drift changes, so it shows nothing about them."""


@contextmanager
def drifted(box: Box, drift_id: str, files: Sequence[FileFacts], inputs: Mapping[str, Path]) -> Iterator[str]:
    """The name of the input that is changed while the block lasts. Raises DriftFitsNothing, BoxError."""
    known = sorted(drift.id for drift in DRIFTS.values() if drift.change is not None)
    if drift_id not in known:
        raise DriftFitsNothing(f"There is no drift of one file called {drift_id!r}; there are: {', '.join(known)}.")
    box.put_all({f"drifts/{path}": data for path, data in read_tree(FOLDER).items()})
    name, now = _change_one(box, drift_id, files)
    try:
        yield name
    except BaseException:
        # What went wrong inside the block is what counts; a box that is gone cannot be put back and need not be.
        with suppress(BoxError):
            _put_back(box, now, name, inputs[name])
        raise
    _put_back(box, now, name, inputs[name])


def _put_back(box: Box, now: str, name: str, source: Path) -> None:
    box.run(["rm", "-f", "--", f"inputs/{now}"], timeout_s=TIMEOUT_S)
    if box.run(["mv", "--", KEPT, f"inputs/{name}"], timeout_s=TIMEOUT_S).code != 0:
        with source.open("rb") as stream:  # a script took it away
            box.put(f"inputs/{name}", stream)


def _change_one(box: Box, drift_id: str, files: Sequence[FileFacts]) -> tuple[str, str]:
    """The first file that the drift fits and changes: its name before and after."""
    for facts in sorted(files, key=lambda one: one.name):
        if str(facts.kind) not in DRIFTS[drift_id].fits:
            continue
        ended = box.run(["python", "-m", "drifts.apply", drift_id, facts.name, str(SEED)], timeout_s=TIMEOUT_S)
        if ended.code == 0:
            return facts.name, ended.stdout.removesuffix("\n")
        if ended.code != DOES_NOT_FIT:
            raise DriftFitsNothing(f"{drift_id} could not be applied to {facts.name}: {ended.stderr.strip()[-300:]}")
    raise DriftFitsNothing(f"{drift_id} fits none of the inputs.")
