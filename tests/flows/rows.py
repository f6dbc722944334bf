"""The same task over more and more rows: a table of sensors, what a scripted model makes of it, and what was sent."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from tests.fakes.model_api import Asked, ModelApi, Turn, text, use
from tests.fakes.model_rules import Json
from tests.flows.world import World

REQUEST = "@standby Every Monday post the mean value of each sensor of last week"
FILE = "sensors.csv"
# As logging devices write it: six lines about the export, then the table. Ten rows of it fill a whole sample already,
# so that no size has a shorter one.
PREAMBLE = "".join(f"# export part {number} of the sensor hall\n" for number in range(1, 7)) + "sensor,value\n"
BLOCK = "".join(f"s{number % 7},{10 + number * 37 % 90}.5\n" for number in range(1_000))

PLAN = '''"""The mean value of each sensor."""

import duckdb
from kit import check, inputs, intermediate, metric, report, table

files = inputs()
check("NoInput", bool(files), "no file was posted", expected="at least one file")
for file in files:
    check("OddFile", file.size_bytes > 100, f"{file.name} holds no table", file=file.name, expected="rows")
names = [str(file.path) for file in files]
means = duckdb.execute(
    "select sensor, round(avg(value), 1), count(*) from read_csv(?, skip=6, header=true, delim=',',"
    " columns={'sensor': 'varchar', 'value': 'double'}) group by sensor order by sensor",
    [names],
).fetchall()
rows = sum(count for _, _, count in means)
intermediate("rows read", rows, "rows")
metric("sensors", len(means))
table("Means", ["sensor", "mean"], [[sensor, mean] for sensor, mean, _ in means])
report(sensors=len(means), rows=rows)
'''
REPORT = "Means of {{sensors}} sensors over {{rows}} rows.\n"
TOML = """title = "Sensor means"

[[checks]]
name = "NoInput"
says = "at least one file was posted"

[[checks]]
name = "OddFile"
says = "every file holds rows"

[[intermediates]]
name = "rows read"
unit = "rows"

[surprise]
name = "OddFile"
drift = "file-empty"
why = "a sensor hall that was switched off leaves an empty export"
"""


def exported(rows: int) -> bytes:
    """The table with so many rows, every one as long as any other."""
    whole, rest = divmod(rows, 1_000)
    return (PREAMBLE + BLOCK * whole + "".join(BLOCK.splitlines(keepends=True)[:rest])).encode()


def turns(rows: int) -> list[Turn]:
    """Look, write, compute once, try, schedule, and say so; each asserts that it was told of so many rows."""

    def look(asked: Asked) -> Sequence[Json]:
        asked.says("mean value of each sensor", FILE)
        return [use("list_files", dir="inputs"), use("read_file", path=f"inputs/{FILE}")]

    def write(asked: Asked) -> Sequence[Json]:
        asked.says(f"{rows:,} rows", "first lines:", "last lines:")
        return [
            use("think", thought="A table of sensors and values"),
            use("write_file", path="plan.py", content=PLAN),
            use("write_file", path="report.md", content=REPORT),
            use("write_file", path="plan.toml", content=TOML),
            use("run_code", script=f"print(sum(1 for _ in open('inputs/{FILE}', 'rb')))"),
            use("run_code", script="run plan.py"),
        ]

    def schedule(asked: Asked) -> Sequence[Json]:
        asked.says(f"\n{rows + 7}\n", f"over {rows:,} rows")
        return [use("schedule", script="plan.py", when="0 7 * * mon")]

    def end(asked: Asked) -> Sequence[Json]:
        asked.says("Rehearsed and taken")
        return [text("The means come every Monday.")]

    return [look, write, schedule, end]


def drafted(world: World, api: ModelApi, rows: int) -> tuple[str, int]:
    """Ask for it over so many rows, until its card is there: all that was sent, numbers left out; and its bytes."""
    before = len(api.requests)
    api.say(*turns(rows))
    asked = world.request(REQUEST, {FILE: exported(rows)})
    world.desk.wait_for(
        lambda m: m.thread_ts == asked.ts and (m.has_button("Reject") or bool(api.refused)), within_s=170, after=asked
    )
    api.done()
    return without_numbers(api.requests[before:]), sum(api.sent_bytes[before:])


def without_numbers(requests: Sequence[Json]) -> str:
    """The requests with every number as one mark: sizes, counts, times, ids, and the values of the sampled rows."""
    return re.sub(r"\d+(?:[.,]\d+)*", "#", json.dumps(requests, ensure_ascii=False))
