"""A plan that lives through many healthy weeks, told what earlier ones measured; whatever halts it is a false alarm."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from library.catalog import Script
from library.facts import FileFacts
from library.fill import fill
from library.filling import Filled, Window
from library.plan_folder import PlanFolder
from sandbox.outcome import Outcome, Report
from sandbox.shape import compare, shape_of
from tests import inside
from tests.library.conftest import a_plan
from tests.library.healthy import slot, week_of

MEMORY = 12  # earlier slots that a run is told of


def filled_for(script: Script, files: list[FileFacts]) -> Filled:
    return fill(script, files, script.sample_answers, window=Window(*(end.replace(tzinfo=UTC) for end in slot(0))))


def lived(script: Script, plan: PlanFolder, home: Path, weeks: int) -> Iterator[tuple[int, Outcome, str]]:
    """(week, outcome, what the guard would say) of one plan, week after week."""
    history: list[dict[str, Any]] = []
    for week in range(weeks):
        files = week_of(script.name, week)
        facts = put(home, files)
        since, until = (iso(moment) for moment in slot(week))
        keys = {"due_at": until, "since": since, "until": until, "zone": "UTC", "history": history[-MEMORY:]}
        outcome = inside.run(home, plan, keys)
        differences = compare(plan.files["shape.json"], facts)
        yield week, outcome, "; ".join(f"{one.file} {one.words}" for one in differences)
        if isinstance(outcome, Report):
            inputs = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
            history.append({"due_at": until, "metrics": dict(outcome.metrics), "inputs": inputs})


def first_plan(script: Script, home: Path) -> PlanFolder:
    """The plan that the first week's files give, with their shape."""
    facts = put(home, week_of(script.name, 0))
    filled = filled_for(script, facts)
    assert not filled.questions, filled.questions
    plan = a_plan(script, filled.parameters)
    return replace(plan, files={**plan.files, "shape.json": shape_of(facts)})


def put(home: Path, files: dict[str, bytes]) -> list[FileFacts]:
    folder = home / "inputs"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return inside.look([folder / name for name in sorted(files)])


def iso(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
