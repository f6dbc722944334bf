"""A draft of the model rehearsed like any other plan, and replayed over earlier slots where it is a fix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from bot.work.briefing import resume_md
from bot.work.compose import Terms, composed
from bot.work.hear import compared, deaf_words, with_hearing
from bot.work.parts import JobParts
from bot.work.rehearsal import Rehearsal
from bot.work.rehearse import rehearse
from bot.work.replay import replayed
from bot.work.shaped import AROUND_S
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder
from sandbox.execute import SlotFacts, stage
from sandbox.progress import Moves
from sandbox.sample import sample_files

LONGEST_S = 3600


@dataclass(frozen=True)
class Rehearsed:
    folder: PlanFolder
    rehearsal: Rehearsal

    def words(self) -> str:
        """What the model is told of it; the card shows people all of it."""
        report = ["The report in rehearsal:", self.rehearsal.report.document(6)]
        return "\n".join([*self.rehearsal.replay, *report, deaf_words(self.rehearsal.hearing)]).rstrip("\n")


def rehearsed(
    parts: JobParts,
    draft: Mapping[str, bytes],
    terms: Terms,
    when: str,
    paths: Mapping[str, Path],
    slot: SlotFacts,
    tags: Mapping[str, str],
    *,
    change_from: int | None,
    replay_before: tuple[int, datetime] | None,
    sending: Moves,
) -> Rehearsed:
    """Raises PlanProblem with words that the model can act on, and BoxError."""
    first_look = composed(draft, terms, when, [])  # what is wrong with the words needs no box
    manifest = read_manifest(first_look.files["plan.toml"])
    lifetime_s = min(manifest.limits.time_s * 3 + AROUND_S, LONGEST_S)
    with parts.boxes.open("rehearsal", tags=tags, lifetime_s=lifetime_s) as box:
        staged = stage(box, paths, progress=sending)
        samples = sample_files(box, sorted(paths))
        folder = composed(draft, terms, when, samples, slot)
        folder, rehearsal = rehearse(staged, folder, paths, slot, samples, partial(resume_md, manifest.name))
    rehearsal = with_hearing(parts, folder, replace(rehearsal, change_from=change_from), paths, slot, samples, tags)
    if replay_before is not None:
        lines = replayed(parts, replay_before[0], folder, replay_before[1])
        rehearsal = replace(rehearsal, replay=lines)
    if change_from is not None:
        again = compared(parts, change_from, rehearsal.hearing)
        rehearsal = replace(rehearsal, replay=(*rehearsal.replay, *again))
    return Rehearsed(folder, rehearsal)
