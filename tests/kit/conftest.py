"""A run of a script as a real process in a folder laid out like a box, without a box around it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from library.facts import FileFacts
from library.plan_folder import PlanFolder
from library.toml_text import toml_text
from sandbox.inside_files import kit_digest, look_files, run_files
from sandbox.outcome import Outcome
from sandbox.outcome_json import read_outcome
from sandbox.sample import Sample
from tests import inside

SLOT = {
    "due_at": "2026-09-07T05:00:00Z",
    "since": "2026-08-31T05:00:00Z",
    "until": "2026-09-07T05:00:00Z",
    "zone": "Europe/Oslo",
}


@dataclass
class Bench:
    """One box-like folder; `run` may be called again in it."""

    home: Path

    def run(
        self,
        plan: str,
        *,
        inputs: Mapping[str, bytes] | None = None,
        parameters: Mapping[str, Any] | None = None,
        report: str = "ok",
        history: list[dict[str, Any]] | None = None,
        time_s: int = 30,
        memory_mb: int = 1024,
        digest: str | None = None,
    ) -> Outcome:
        folder = a_plan_folder(plan, report, parameters or {}, time_s, memory_mb)
        folder.write(self.home / "plan")
        (self.home / "slot.json").write_text(json.dumps({**SLOT, "history": history or []}))
        (self.home / "inputs").mkdir(exist_ok=True)
        for name, data in (inputs or {}).items():
            (self.home / "inputs" / name).write_bytes(data)
        self.ended = subprocess.run(
            [sys.executable, "runner.py", digest or folder.digest], cwd=self.home, capture_output=True, check=False
        )
        return read_outcome((self.home / "outcome.json").read_bytes())

    def samples(self, files: Mapping[str, bytes]) -> list[Sample]:
        """Replaces the inputs, and looks at them by the code that a box has."""
        folder = self.home / "inputs"
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for name, data in files.items():
            (folder / name).write_bytes(data)
        return inside.samples([folder / name for name in sorted(files)])

    def look(self, files: Mapping[str, bytes]) -> list[FileFacts]:
        return [sample.facts for sample in self.samples(files)]


def a_plan_folder(
    plan: str, report: str = "ok", parameters: Mapping[str, Any] | None = None, time_s: int = 30, memory_mb: int = 1024
) -> PlanFolder:
    manifest = {"limits": {"time_s": time_s, "memory_mb": memory_mb}, "parameters": dict(parameters or {})}
    return PlanFolder(
        {
            "plan.py": plan.encode(),
            "report.md": report.encode(),
            "plan.toml": toml_text(manifest).encode(),
            "resume.md": b"",
            "shape.json": b"{}",
            "box.json": json.dumps({"image": "test", "kit": kit_digest()}).encode(),
        }
    )


@pytest.fixture
def new_bench(tmp_path: Path) -> Callable[[], Bench]:
    def make() -> Bench:
        home = tmp_path / f"box{len(list(tmp_path.iterdir()))}"
        for name, data in (run_files() | look_files()).items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_bytes(data)
        return Bench(home)

    return make


@pytest.fixture
def bench(new_bench: Callable[[], Bench]) -> Bench:
    return new_bench()
