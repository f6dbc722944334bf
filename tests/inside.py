"""What goes into boxes, loaded under the names it has there: the same code without a box's processes."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from library import levels
from library.facts import FileFacts
from library.plan_folder import PlanFolder
from sandbox.inside_files import INSIDE
from sandbox.outcome import Outcome
from sandbox.outcome_json import read_outcome
from sandbox.sample import Sample
from sandbox.sample_json import read_samples

_folders = [INSIDE]


def load_from(code: Path) -> None:
    """Load from a copy of our code instead of this checkout; to be called before anything else here."""
    _folders[:] = [code / "sandbox" / "inside"]


@cache
def kit() -> ModuleType:
    """The kit; `sys.modules["kit.state"]` and its other parts come with it."""
    sys.modules.setdefault("levels", levels)
    _package("sampling")
    return _package("kit")


def _package(name: str) -> ModuleType:
    folder = _folders[0] / name
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@cache
def _file(name: str) -> ModuleType:
    kit()
    spec = importlib.util.spec_from_file_location(f"inside_{name}", _folders[0] / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def samples(paths: Sequence[Path]) -> list[Sample]:
    """Samples as the sampler makes them in a box, through the same JSON."""
    found = [_file("sampler").sample_of(path) for path in paths]
    return [Sample(*one) for one in read_samples(json.dumps(found, allow_nan=False).encode())]


def look(paths: Sequence[Path]) -> list[FileFacts]:
    return [sample.facts for sample in samples(paths)]


def begin(inputs: Path, parameters: Mapping[str, Any], *, slot: Any = None) -> ModuleType:
    """The kit at the start of a run over this folder."""
    module = kit()
    state = importlib.import_module("kit.state")
    facts = slot or state.SlotFacts(None, None, None, "UTC")
    state.begin(state.State(parameters, facts, "", inputs))
    return module


def slot(due_at: datetime, since: datetime, past: Sequence[tuple[Any, ...]] = ()) -> Any:
    """A slot's facts as the kit has them; `past` are (due_at, metrics, inputs), oldest first."""
    kit()
    state = importlib.import_module("kit.state")
    return state.SlotFacts(due_at, since, due_at, "UTC", tuple(state.PastMetrics(*one) for one in past))


def run(home: Path, folder: PlanFolder, slot: Mapping[str, Any]) -> Outcome:
    """A plan over home/inputs as the box's child runs it, in this process: only for scripts that end by themselves."""
    (home / "outputs").mkdir(exist_ok=True)
    letter = {
        "source": folder.files["plan.py"].decode(),
        "plan_toml": folder.files["plan.toml"].decode(),
        "report_md": folder.files["report.md"].decode(),
        "slot_json": json.dumps(dict(slot)),
        "memory_mb": 1024,
    }
    kit()
    main = sys.modules["__main__"]
    try:
        with contextlib.chdir(home):
            outcome = _file("child").run_letter(letter)
    finally:
        sys.modules["__main__"] = main
    if outcome["kind"] == "report":
        outcome["seconds"] = 0.0
    return read_outcome(json.dumps(outcome).encode())
