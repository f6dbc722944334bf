"""A task that no library script does, and what a scripted model writes for it: which device was silent longest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.fakes.model_api import Asked, Json, Turn, text, thinking, use
from tests.flows.world import World

DEVICES = ("spectro-07.log", "freezer-01.log", "hplc-02.log")
REQUEST = "@standby Every Monday tell us which device was silent longest last week, and email it to the lab list"
MONDAYS = "0 7 * * mon"

PLAN = '''"""Finds the longest time that each device wrote nothing."""

from datetime import datetime
from itertools import pairwise

from kit import check, inputs, intermediate, metric, report, table, text_lines

files = inputs()
check("NoInput", bool(files), "no file was posted", expected="at least one file")

rows = []
lines = 0
for file in files:
    times, odd = [], []
    for line in text_lines(file.path):
        lines += 1
        try:
            times.append(datetime.fromisoformat(line[:23]))
        except ValueError:
            odd.append(line.strip())

    # A device may be silent for long, but a file of it has at least two lines with a time.
    check(
        "OddFile",
        len(times) > 1,
        f"{file.name} is {file.size} but none of its lines begins with a time",
        seen=odd[0] if odd else "",
        expected="2026-11-23 08:14:02.113 at the start of a line",
        file=file.name,
        rows=odd,
    )
    check("OddLines", not odd, f"{file.name} has {len(odd)} lines without a time", file=file.name, rows=odd)
    gaps = [(later - earlier).total_seconds() / 60 for earlier, later in pairwise(times)]
    rows.append([file.name, round(max(gaps), 1)])

rows.sort(key=lambda row: (-row[1], row[0]))
intermediate("lines read", lines, "lines")
metric("longest silence", rows[0][1])
table("Longest silence", ["device", "minutes"], rows)
report(device=rows[0][0].removesuffix(".log"), minutes=rows[0][1], files=len(files), lines=lines)
'''

REPORT = "**{{device}}** was silent for {{minutes}} minutes, the longest of {{files}} devices ({{lines}} lines read).\n"

TOML = """title = "Longest silence"

[[checks]]
name = "NoInput"
says = "at least one file was posted"

[[checks]]
name = "OddFile"
says = "every file has lines that begin with a time"

[[checks]]
name = "OddLines"
says = "every line begins with a time"

[[intermediates]]
name = "lines read"
unit = "lines"

[surprise]
name = "OddFile"
drift = "log-to-json"
why = "devices get firmware updates that change how they write"
"""

OLD_READING = """        try:
            times.append(datetime.fromisoformat(line[:23]))
        except ValueError:
            odd.append(line.strip())
"""
NEW_READING = """        try:
            stamp = json.loads(line)["ts"].removesuffix("Z") if line.startswith("{") else line[:23]
            times.append(datetime.fromisoformat(stamp))
        except (ValueError, KeyError):
            odd.append(line.strip())
"""
# Reads JSON lines as well. A file that is neither is still heard: by the same check, and by a drift that fits both.
FIXED = PLAN.replace(OLD_READING, NEW_READING).replace("from datetime", "import json\nfrom datetime")
FIXED_TOML = TOML.replace('drift = "log-to-json"', 'drift = "file-empty"')


def draft_turns(plan: str = PLAN, toml: str = TOML, sampled: str = "inputs/spectro-07.log") -> list[Turn]:
    """List, look at one file, think, write three files, try them, schedule, and say what was done."""

    def write(asked: Asked) -> Sequence[Json]:
        # It really received that file's sample: facts over the whole of it, and its first lines.
        asked.says(f'<data source="{sampled}">', "spectro-07.log: text log", "first lines:", "INFO")
        return [
            thinking("Every line begins with a time."),
            use("think", thought="Every line begins with a time, so the gaps between lines are the silence"),
            use("write_file", path="plan.py", content=plan),
            use("write_file", path="report.md", content=REPORT),
            use("write_file", path="plan.toml", content=toml),
        ]

    def run(asked: Asked) -> Sequence[Json]:
        asked.says("written plan.py", "syntax ok", "written report.md", "written plan.toml")
        return [use("run_code", script="run plan.py")]

    def schedule(asked: Asked) -> Sequence[Json]:
        asked.says("It reported in", "Longest silence")
        return [use("think", thought="It runs on all files; now the rehearsal"), scheduled()]

    return [first, write, run, schedule, ending("Mondays at 07:00. It halts when a file has no times.")]


def first(asked: Asked) -> Sequence[Json]:
    asked.says("silent longest", "0 7 * * mon", "“lab list”", "spectro-07.log")
    asked.says_not("lab@example.org")  # an address is none of the model's business
    return [
        use("think", thought="Looking at one of the files"),
        use("list_files", dir="inputs"),
        use("read_file", path="inputs/spectro-07.log"),
    ]


def scheduled() -> Json:
    return use("schedule", script="plan.py", when=MONDAYS)


def ending(words: str, *received: str) -> Callable[[Asked], Sequence[Json]]:
    def end(asked: Asked) -> Sequence[Json]:
        asked.says("Rehearsed and taken", *received)
        return [text(words)]

    return end


def written(plan: str, toml: str) -> list[Json]:
    return [use("write_file", path="plan.py", content=plan), use("write_file", path="plan.toml", content=toml)]


def written_report() -> Json:
    return use("write_file", path="report.md", content=REPORT)


def fix_turns(plan: str = FIXED, toml: str = FIXED_TOML) -> list[Turn]:
    """Sample the odd file, write both files anew, schedule, and say the verdict."""

    def look(asked: Asked) -> Sequence[Json]:
        asked.says(
            "ended with a surprise: OddFile", "spectro-07.log is", "2026-11-23 08:14:02.113", "nothing was delivered"
        )
        return [use("think", thought="Looking at the odd file"), use("read_file", path="inputs/spectro-07.log")]

    def write(asked: Asked) -> Sequence[Json]:
        asked.says("spectro-07.log: json lines", '"ts"')
        return [thinking("JSON lines now."), *written(plan, toml), scheduled()]

    return [look, write, ending("The world changed: spectro-07 writes JSON lines since its update.", "earlier report")]


def files(world: World, name: str) -> dict[str, bytes]:
    """Three of the story's fourteen files: enough, and quick."""
    return {one: body for one, body in world.desk.story_files(name).items() if one in DEVICES}
