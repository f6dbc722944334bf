"""A proven script on files: sampled, filled and run by the code that a box has, without the box's processes."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from library.catalog import Script, load_catalog
from library.facts import FileFacts
from library.fill import fill
from library.filling import Filled, Window
from library.manifest import ChannelDestination, ChannelSource
from library.manifest_text import write_manifest
from library.plan_folder import PlanFolder
from sandbox.inside_files import kit_digest
from sandbox.outcome import Outcome
from tests import inside

SLOT = {
    "due_at": "2026-09-07T05:00:00Z",
    "since": "2026-08-31T05:00:00Z",
    "until": "2026-09-07T05:00:00Z",
    "zone": "Europe/Oslo",
    "history": [],
}
WINDOW = Window(*(datetime.fromisoformat(str(SLOT[end])) for end in ("since", "until")))


@dataclass
class Lab:
    """One box-like folder with files in it."""

    home: Path

    def put(self, files: Mapping[str, bytes]) -> list[FileFacts]:
        """Replaces the inputs, and looks at them."""
        folder = self.home / "inputs"
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for name, data in files.items():
            (folder / name).write_bytes(data)
        return inside.look([folder / name for name in sorted(files)])

    def run(self, script: Script, parameters: Mapping[str, Any], slot: Mapping[str, Any] | None = None) -> Outcome:
        return inside.run(self.home, a_plan(script, parameters), slot or SLOT)

    def fill_and_run(self, script: Script, files: Mapping[str, bytes], **answers: str) -> tuple[Filled, Outcome]:
        filled = fill(script, self.put(files), answers, window=WINDOW)
        assert not filled.questions, filled.questions
        return filled, self.run(script, filled.parameters)


def a_plan(script: Script, parameters: Mapping[str, Any]) -> PlanFolder:
    manifest = script.manifest(
        name="weekly",
        title=script.title,
        why="it fits",
        schedule=None,
        source=ChannelSource("C1"),
        destinations=(ChannelDestination("C1"),),
        parameters=parameters,
    )
    return PlanFolder(
        {
            "plan.py": script.plan,
            "report.md": script.report,
            "plan.toml": write_manifest(manifest).encode(),
            "resume.md": script.resume_for(message="m", seen="s", expected="e"),
            "shape.json": b"{}",
            "box.json": json.dumps({"image": "test", "kit": kit_digest()}).encode(),
        }
    )


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


@pytest.fixture(scope="session")
def catalog() -> dict[str, Script]:
    return load_catalog()


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Public data of others, which is not ours to ship: STANDBY_TEST_DATA, or a folder shared/data beside ours."""
    beside = Path(__file__).parents[3] / "shared" / "data"
    folder = Path(os.environ.get("STANDBY_TEST_DATA", beside))
    if not (folder / "logs").is_dir():
        pytest.skip(f"no public test data in {folder}; STANDBY_TEST_DATA names its folder")
    return folder
