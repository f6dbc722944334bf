"""The loop of reading one file after the other, beside the script, over the same files with the same scripted model.

`loop draw FILE.svg` also draws what was sent after each file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anthropic

from tests.bench.bench import Bench, demand
from tests.bench.loop_figure import drawn
from tests.bench.plants import Plant
from tests.bench.reading_loop import run_loop, turns
from tests.bench.worlds import model_world
from tests.fakes.model_api import ModelApi
from tests.flows import books
from tests.flows.world import World

FILES, ROWS = 30, 1_200
WINDOW = 1_000_000  # tokens; a loop over twice the rows still fits
# As in `margin_story`: what the script's try prints grows with the data.
PLANT = Plant(
    "sandbox/inside/trying.py",
    "        _bound_duckdb(source)\n        exec(",
    "        _bound_duckdb(source)\n        first = sorted(Path('inputs').iterdir())[0]\n"
    "        print(first.read_text()[: first.stat().st_size // 40])\n        exec(",
)


@dataclass(frozen=True)
class Sent:
    """Bytes of each request in order."""

    each: tuple[int, ...]

    @property
    def bytes(self) -> int:
        return sum(self.each)


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    loop, loop_doubled = _by_loop(FILES, ROWS), _by_loop(FILES, 2 * ROWS)
    one_file_more = _by_loop(FILES + 1, ROWS)
    with model_world(folder, code) as (world, api):
        script, script_doubled = (_by_script(world, api, FILES, rows) for rows in (ROWS, 2 * ROWS))
        script_one_more = _by_script(world, api, FILES + 1, ROWS)
    growth = {"loop": _ratio(loop_doubled, loop), "script": _ratio(script_doubled, script)}
    demand(growth["script"] < 1.01, f"twice the rows made the script's conversation {growth['script']} times as long")
    demand(growth["loop"] > 1.9, "the loop did not grow with its files, so it is no such loop")
    if rest[:1] == ["draw"]:
        picture = Path(rest[1])
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_text(drawn(loop.each, script.bytes), encoding="utf-8")
    return {
        "files": FILES,
        "rows": FILES * ROWS,
        "loop_requests": len(loop.each),
        "loop_bytes": loop.bytes,
        "script_requests": len(script.each),
        "script_bytes": script.bytes,
        "ratio": round(loop.bytes / script.bytes, 1),
        "growth_when_doubled": growth,
        "bytes_for_one_file_more": {
            "loop": one_file_more.bytes - loop.bytes,
            "script": script_one_more.bytes - script.bytes,
        },
    }


def _ratio(more: Sent, less: Sent) -> float:
    return round(more.bytes / less.bytes, 3)


def _by_loop(files: int, rows: int) -> Sent:
    given = books.books(files, rows)
    api = ModelApi(turns(sorted(given), f"{books.shop(0)} keeps most."), window=WINDOW)
    with api.running(), anthropic.Anthropic(api_key=api.key, base_url=api.url, max_retries=0) as client:
        done = run_loop(client, "claude-sonnet-5-5", books.UNKNOWN, given)
    api.done()
    demand(done.requests == files + 2, f"the loop made {done.requests} requests over {files} files")
    return Sent(tuple(api.sent_bytes))


def _by_script(world: World, api: ModelApi, files: int, rows: int) -> Sent:
    before = len(api.requests)
    books.answered(world, api, books.UNKNOWN, files, rows)
    return Sent(tuple(api.sent_bytes[before:]))


BENCH = Bench(measure, PLANT)
