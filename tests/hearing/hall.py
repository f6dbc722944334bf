"""Plans heard in a real box: a library script over its sample, or any script over any files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from library.catalog import Script
from library.manifest import ChannelDestination, ChannelSource, DeclaredCheck, LikeliestSurprise, Manifest, Rung
from library.manifest_text import write_manifest
from library.plan_folder import PlanFolder
from sandbox.client import Boxes
from sandbox.execute import SlotFacts, stage
from sandbox.hearing import Hearing, heard
from sandbox.kits import box_json
from sandbox.sample import Sample, sample_files
from sandbox.shape import shape_of
from tests.library.years import filled_for

DUE = datetime(2026, 9, 7, 5, tzinfo=UTC)
FACTS = SlotFacts(DUE, DUE - timedelta(days=7), DUE, "UTC")


@dataclass
class Hall:
    """Where files are looked at and plans are heard."""

    boxes: Boxes
    folder: Path

    def paths(self, files: Mapping[str, bytes]) -> dict[str, Path]:
        found = {}
        for name, data in files.items():
            found[name] = self.folder / name
            found[name].write_bytes(data)
        return found

    def samples(self, files: Mapping[str, bytes]) -> list[Sample]:
        with self.boxes.open("look", tags={}, lifetime_s=120) as box:
            stage(box, self.paths(files))
            return sample_files(box, sorted(files))

    def hear(self, plan: PlanFolder, files: Mapping[str, bytes], samples: Sequence[Sample], **more: object) -> Hearing:
        facts = [sample.facts for sample in samples]
        return heard(self.boxes, plan, self.paths(files), facts, FACTS, tags={}, **more)  # type: ignore[arg-type]  # only, seed

    def hear_script(self, script: Script, **more: object) -> Hearing:
        files = sample_of(script)
        samples = self.samples(files)
        return self.hear(library_plan(script, samples), files, samples, **more)


def a_plan(source: str, samples: Sequence[Sample], *, drift: str, checks: Sequence[str] = ("OddFile",)) -> PlanFolder:
    """A plan around a script of one's own; its report is {{said}}."""
    manifest = Manifest(
        name="weekly",
        title="Weekly",
        rung=Rung.PLAN_AS_CODE,
        why="somebody wrote it",
        script="",
        schedule=None,
        source=ChannelSource("C1"),
        destinations=(ChannelDestination("C1"),),
        checks=tuple(DeclaredCheck(name, "it holds") for name in checks),
        intermediates=(),
        surprise=LikeliestSurprise(checks[0], drift, "it happens"),
    )
    return plan_of(source.encode(), b"{{said}}\n", manifest, samples)


def sample_of(script: Script) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((script.folder / "sample").iterdir())}


def library_plan(script: Script, samples: Sequence[Sample]) -> PlanFolder:
    facts = [sample.facts for sample in samples]
    filled = filled_for(script, facts)
    assert not filled.questions, filled.questions
    manifest = script.manifest(
        name=script.name,
        title=script.title,
        why="it fits",
        schedule=None,
        source=ChannelSource("C1"),
        destinations=(ChannelDestination("C1"),),
        parameters=filled.parameters,
        files=facts,
    )
    return plan_of(script.plan, script.report, manifest, samples)


def plan_of(plan: bytes, report: bytes, manifest: Manifest, samples: Sequence[Sample]) -> PlanFolder:
    return PlanFolder(
        {
            "plan.py": plan,
            "report.md": report,
            "plan.toml": write_manifest(manifest).encode(),
            "resume.md": b"",
            "shape.json": shape_of([sample.facts for sample in samples]),
            "box.json": box_json("test"),
        }
    )
