"""Every broken draft tried as the model's own would be: it must be refused, with the words that tell what to mend.

Run as a program it uses whatever packages its path finds first, so that a bug can be planted.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from functools import partial
from pathlib import Path

from bot.desk.story_logs import week_of_logs
from bot.domain.errors import PlanProblem
from bot.work.briefing import resume_md
from bot.work.compose import Terms, composed
from bot.work.rehearse import rehearse
from library.manifest import ChannelDestination, ChannelSource
from sandbox.client import Boxes
from sandbox.execute import SlotFacts, stage
from sandbox.sample import sample_files
from tests.evals.broken import BROKEN, Broken
from tests.flows.silence import DEVICES, MONDAYS
from tests.hearing.hall import DUE

TERMS = Terms(
    name="", taken=frozenset(), why="a broken draft", when=MONDAYS, zone="Europe/Oslo", source=ChannelSource("C1"),
    destinations=(ChannelDestination("C1"),), box_image="test", asked_at=DUE,
)  # fmt: skip
SLOT = SlotFacts(DUE, DUE - timedelta(days=7), DUE, "Europe/Oslo")


def refusal(boxes: Boxes, folder: Path, broken: Broken) -> str:
    """The words by which a draft is refused; empty where it would have been proposed."""
    terms = TERMS if broken.when != "once" else Terms(**{**vars(TERMS), "when": ""})
    try:
        composed(broken.draft(), terms, broken.when, [])  # what is wrong with the words needs no box
        paths = inputs(folder)
        with boxes.open("rehearsal", tags={"eval": "drafts"}, lifetime_s=300) as box:
            staged = stage(box, paths)
            samples = sample_files(box, sorted(paths))
            plan = composed(broken.draft(), terms, broken.when, samples)
            rehearse(staged, plan, paths, SLOT, samples, partial(resume_md, "drafts"))
    except PlanProblem as problem:
        return str(problem)
    return ""


def inputs(folder: Path) -> dict[str, Path]:
    """Three devices of the story's healthy week."""
    week = week_of_logs(DUE.date() - timedelta(days=7))
    paths = {name: folder / name for name in DEVICES}
    for name, path in paths.items():
        path.write_bytes(week[name])
    return paths


def all_refused(boxes: Boxes, folder: Path) -> list[tuple[str, str, bool]]:
    """Each broken draft: its name, the refusal, and whether it has the right words."""
    found = []
    for broken in BROKEN:
        said = refusal(boxes, folder, broken)
        found.append((broken.name, said, bool(said) and all(words in said for words in broken.says)))
    return found


def main() -> int:
    from tests.bench.hearings import a_hall  # noqa: PLC0415  only a program starts a box server

    with a_hall() as hall:
        found = all_refused(hall.boxes, hall.folder)
    for name, said, is_right in found:
        print(f"{'right' if is_right else 'WRONG'}  {name}: {said[:160] or 'it would have been proposed'}")
    right = sum(is_right for _, _, is_right in found)
    print(json.dumps({"broken": len(found), "refused_right": right}))
    return 0 if right == len(found) else 1


if __name__ == "__main__":
    sys.exit(main())
