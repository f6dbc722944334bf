"""The agent killed before, in and after every call of one draft: each time a new process goes on where it stopped.

Every kill is SIGKILL of the real agent process, held by a gate in the database at the very write.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, Wrong, demand
from tests.bench.gates import Gates, NeverHeld
from tests.bench.plants import Plant
from tests.bench.worlds import model_world
from tests.fakes.model_api import Asked, ModelApi, Turn, use
from tests.fakes.model_rules import Json
from tests.flows import silence
from tests.flows.world import World

# What had begun to run is run again.
PLANT = Plant(
    "bot/agent/settle.py", '    if has_begun and name == "run_code":', '    if has_begun and name == "no tool":'
)
AROUND = ("beginning", "ending", "answering")
SLOW = "import time; time.sleep(600)"
IN_A_BOX = "running in its box"
POINTS: tuple[tuple[str, str], ...] = (
    *((moment, "think") for moment in AROUND),
    *((moment, "list_files") for moment in AROUND),
    *((moment, "read_file") for moment in AROUND),
    ("beginning", "write_file"), ("writing", ""), ("ending", "write_file"), ("answering", ""),
    ("beginning", "run_code"), (IN_A_BOX, ""), ("ending", "run_code"), ("answering", ""),
    ("ending", "run_code"), ("answering", ""),
    ("beginning", "schedule"), ("proposing", ""), ("ending", "schedule"), ("answering", ""),
    ("keeping", ""),
)  # fmt: skip


def turns() -> list[Turn]:
    """One kind of call in each answer. The last answer is lost once before it is kept, so it is given twice."""

    def interrupted(asked: Asked) -> Sequence[Json]:
        asked.says("INTERRUPTED", "nothing was delivered")
        return [use("run_code", script="run plan.py")]

    def schedule(asked: Asked) -> Sequence[Json]:
        asked.says("INTERRUPTED")
        return [silence.scheduled()]

    return [
        [use("think", thought="Looking at one of the files")],
        [use("list_files", dir="inputs")],
        [use("read_file", path="inputs/spectro-07.log")],
        [*silence.written(silence.PLAN, silence.TOML), silence.written_report()],
        [use("run_code", script=SLOW)],
        interrupted,
        schedule,
        silence.ending("Never kept."),
        silence.ending("Mondays at 07:00."),
    ]


def measure(folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    settings = {"heartbeat_s": 0.3, "stalled_after_s": 1.5}
    # A request that was under way at a kill counts as answered, and as costing its worst.
    patient = {"STANDBY_MODEL_TURNS": "100", "STANDBY_MODEL_DRAFT_USD": "50", "STANDBY_MODEL_DAY_USD": "500"}
    with model_world(folder, code, patient | {"STANDBY_MODEL_TOKENS": "2000000"}, **settings) as (world, api):
        api.say(*turns())
        gates = Gates.built(world.settings.database_url)
        valid = _killed_everywhere(world, api, gates)
        world.card()
        api.done()
        repeated = _repeated(world, gates)
    demand(valid == len(POINTS), f"after {len(POINTS) - valid} of {len(POINTS)} kills the history was not accepted")
    demand(repeated == 0, f"{repeated} effects happened more than once")
    return {"crash_points": len(POINTS), "valid": valid, "repeated_effects": repeated}


def _killed_everywhere(world: World, api: ModelApi, gates: Gates) -> int:
    """Kill at one point after the other in one draft; how often the work came on from there, nothing refused."""
    valid = 0
    for number, (moment, tool) in enumerate(POINTS):
        if moment != IN_A_BOX:
            gates.close(moment, tool)
        if number == 0:
            world.request(silence.REQUEST, silence.files(world, "request"))
        else:
            world.start("agent")
        if moment == IN_A_BOX:
            world.desk.wait_until(lambda: _runs_of_code(world) > 0, within_s=60)
        else:
            _held(world, gates, number)
        valid += number > 0 and not api.refused  # it came from the point before to this one
        world.processes["agent"].kill()
        gates.open()
    world.start("agent")
    world.card()
    return valid + (not api.refused)


def _held(world: World, gates: Gates, number: int) -> None:
    """Until the agent is at the gate. Raises Wrong with what there is to see instead."""
    try:
        gates.wait()
    except NeverHeld as never:
        said = [one.words[:300] for one in world.desk.messages("#lab") if one.is_from_bot]
        agent = world.processes["agent"].log.read_text()[-1500:]
        raise Wrong(
            f"at point {number + 1}, {POINTS[number]}, {never}; said: {said}; the agent's log: {agent}"
        ) from never


def _runs_of_code(world: World) -> int:
    """How many boxes were opened to try something in: scripts, and drafts."""
    return sum(one["tags"].get("purpose") == "try" for one in world.boxes.ledger()["created"])


def _repeated(world: World, gates: Gates) -> int:
    """What is there more often than it was asked for: runs of code, proposals, messages in the thread."""
    proposals = gates.connection.execute("select count(*) from proposal").fetchone()
    there = {
        "runs of code": (_runs_of_code(world), 2),
        "proposals": (int(str((proposals or (0,))[0])), 1),
        "cards": (world.count("needs review"), 1),
        "steps": (world.count("Taking 3 files"), 1),
    }
    return sum(max(0, found - wanted) for found, wanted in there.values())


BENCH = Bench(measure, PLANT)
