"""Hearing tests outside of a flow: library scripts over their samples, planted scripts, and the story's own plan.

Run as a program it measures one of these with whatever packages its path finds first, so that a bug can be planted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from bot.desk.story_logs import week_of_logs
from bot.work.approval_card import hearing_view
from library.catalog import LIBRARY, Script, load_catalog
from library.score import NAME as SCORE
from library.score import Score, table
from sandbox.drifts import DRIFTS
from sandbox.hearing import Hearing
from sandbox.hearing.ears import WELL
from sandbox.outcome import Report
from tests.bench.bench import Wrong, demand
from tests.bench.plants import CHECKOUT
from tests.box.local_server import LocalServer
from tests.hearing.hall import Hall, a_plan, library_plan
from tests.hearing.plants import PLANTS, Plant
from tests.library.years import first_plan, lived

MOST_S = 60.0  # a rehearsal that takes longer is not waited for
FEWEST_RUNS = 40
HEALTHY_WEEKS = 50
BEGIN, END = "<!-- hearing: python -m tests.bench hearing -->", "<!-- end of hearing -->"


def in_a_process(name: str, code: Path | None, scripts: Sequence[str] = ()) -> dict[str, Any]:
    """The figures of `name`, measured with the packages of `code`. Raises Wrong with what the process said."""
    paths = [*([str(code)] if code else []), str(CHECKOUT)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-P", "-m", "tests.bench.hearings", name, *scripts]
    ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False, cwd=paths[0])
    lines = ended.stdout.strip().splitlines()
    for line in lines[:-1]:
        print(line)
    if ended.returncode != 0 or not lines:
        raise Wrong(lines[-1] if lines else f"it ended with code {ended.returncode}")
    figures: dict[str, Any] = json.loads(lines[-1])
    return figures


@contextmanager
def a_hall() -> Iterator[Hall]:
    with tempfile.TemporaryDirectory(prefix="sb-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        for name in ("boxes", "inputs"):
            (home / name).mkdir()
        server = LocalServer(home / "boxes")
        try:
            yield Hall(server.boxes(), home / "inputs")
        finally:
            server.stop()


def deaf(_scripts: Sequence[str]) -> dict[str, Any]:
    """Every planted script is caught with the card naming its drift, and its twin is not."""
    caught, passed = [], []
    with a_hall() as hall:
        for plant in PLANTS:
            card = hearing_view(_heard(hall, plant, plant.deaf).unguarded)
            is_caught = card is not None and card.deaf == (DRIFTS[plant.drift].says,)
            has_passed = all(ear.alone in WELL for ear in _heard(hall, plant, plant.twin).ears)
            print(f"{'caught' if is_caught else 'MISSED'}, twin {'passes' if has_passed else 'FAILS'}: {plant.name}")
            caught += [plant] * is_caught
            passed += [plant] * has_passed
    demand(len(caught) == len(PLANTS), f"{len(PLANTS) - len(caught)} deaf scripts were not caught by name")
    demand(len(passed) == len(PLANTS), f"{len(PLANTS) - len(passed)} hearing twins were taken for deaf")
    return {"planted": len(PLANTS), "caught": len(caught), "twins": len(PLANTS), "twins_passed": len(passed)}


def _heard(hall: Hall, plant: Plant, source: str) -> Hearing:
    files = plant.files()
    samples = hall.samples(files)
    return hall.hear(a_plan(source, samples, drift=plant.drift), files, samples, only=[plant.drift])


def rehearsal(_scripts: Sequence[str]) -> dict[str, Any]:
    """All drifts that fit the story's fourteen logs, on two cores."""
    files = week_of_logs(date(2026, 8, 31))
    script = load_catalog()["log-error-summary"]
    with a_hall() as hall:
        samples = hall.samples(files)
        plan = library_plan(script, samples)
        began = time.monotonic()
        hearing = hall.hear(plan, files, samples)
        seconds = time.monotonic() - began
    demand(not hearing.not_tried, f"{len(hearing.not_tried)} drifts were not reached in time")
    demand(hearing.fit >= FEWEST_RUNS, f"only {hearing.fit} drifts fit fourteen logs")
    demand(seconds <= MOST_S, f"it took {seconds:.0f} s")
    return {"seconds": round(seconds, 1), "runs": hearing.fit}


def hearing(scripts: Sequence[str]) -> dict[str, Any]:
    """Every script of the library, or these, over every drift that fits its sample, and over healthy weeks."""
    catalog = load_catalog()
    demand(set(scripts) <= set(catalog), f"the library has no script {', '.join(set(scripts) - set(catalog))}")
    scores = {name: score for name in catalog if (score := Score.read(LIBRARY / name))}
    with a_hall() as hall, tempfile.TemporaryDirectory() as folder:
        for name in sorted(scripts or catalog):
            script = catalog[name]
            found = hall.hear_script(script)
            home = Path(folder) / name
            home.mkdir()
            scores[name] = _scored(found, *_lived(script, home))
            print(f"{name}: {found.words()}; deaf: {', '.join(ear.drift for ear in found.deaf)}", flush=True)
    for name, score in scores.items():
        (LIBRARY / name / SCORE).write_text(score.text(), encoding="utf-8")
    _write_table(scores)
    low = [name for name, one in scores.items() if one.well < 0.95 * one.fit or one.alone < 0.85 * one.fit]
    demand(not low, f"these hear too little: {', '.join(low)}")
    alarms = sum(one.false_alarms for one in scores.values())
    demand(not alarms, f"{alarms} healthy weeks were halted")
    return _figures(scores)


def _scored(found: Hearing, weeks: int, alarms: int) -> Score:
    demand(not found.not_tried and not found.problem, f"it was not heard out: {found.problem or found.not_tried}")
    deaf_to = tuple(ear.drift for ear in (*found.deaf, *found.broke))
    held_out = found.held_out
    return Score(found.fit, found.well, found.alone, held_out.fit, held_out.well, weeks, alarms, deaf_to)


def _lived(script: Script, home: Path) -> tuple[int, int]:
    """Healthy weeks, and those that the script or the guard halted."""
    plan = first_plan(script, home)
    ends = [isinstance(outcome, Report) and not guard for _, outcome, guard in lived(script, plan, home, HEALTHY_WEEKS)]
    return len(ends), ends.count(False)


def _figures(scores: Mapping[str, Score]) -> dict[str, Any]:
    sums = {name: sum(getattr(one, name) for one in scores.values()) for name in ("fit", "well", "alone")}
    return {
        "scripts": len(scores),
        "drifts": len(DRIFTS),
        "fit": sums["fit"],
        "heard_or_unmoved": sums["well"],
        "alone": sums["alone"],
        "held_out_fit": sum(one.held_out_fit for one in scores.values()),
        "held_out_heard": sum(one.held_out_well for one in scores.values()),
        "false_alarms": sum(one.false_alarms for one in scores.values()),
        "healthy_weeks": sum(one.healthy_weeks for one in scores.values()),
    }


def _write_table(scores: Mapping[str, Score]) -> None:
    """Between its marks in README, where there is one beside the library that was measured."""
    readme = LIBRARY.parent / "README.md"
    if readme.is_file():
        before, rest = readme.read_text(encoding="utf-8").split(BEGIN, 1)
        after = rest.split(END, 1)[1]
        readme.write_text(f"{before}{BEGIN}\n{table(scores)}{END}{after}", encoding="utf-8")


Measure = Callable[[Sequence[str]], dict[str, Any]]  # of the scripts named, where it is about scripts
MEASURES: dict[str, Measure] = {"deaf": deaf, "rehearsal": rehearsal, "hearing": hearing}


def main(name: str, scripts: Sequence[str]) -> int:
    try:
        figures = MEASURES[name](scripts)
    except Wrong as wrong:
        print(wrong)
        return 1
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
