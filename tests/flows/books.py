"""The books of many subsidiaries over more and more rows, and what a scripted model makes of a question about them."""

from __future__ import annotations

from collections.abc import Sequence

from tests.desk_client import Message
from tests.fakes.model_api import Asked, ModelApi, Turn, text, use
from tests.fakes.model_rules import Json
from tests.flows.rows import without_numbers
from tests.flows.world import World

# A question that a proven script of the library answers, and the same in words that none of them knows.
KNOWN = "@standby Compute the net margin of each subsidiary and rank them"
UNKNOWN = "@standby How much of each coin that comes in does every shop keep, please?"
BLOCK_ROWS = 1_200
BLOCK_MARK = b"#####"  # in each invoice of a block: which block it is
SCRIPT = """from kit import inputs, intermediate, read_table, table

kept, read = [], 0
for file in inputs():
    rows = read_table(file)
    [(revenue, costs)] = rows.sql("SELECT sum(revenue), sum(costs) FROM rows", numbers=["revenue", "costs"])
    kept.append((1 - costs / revenue, file.stem))
    read += rows.rows
kept.sort(key=lambda one: (-one[0], one[1]))
table("Share kept, best first", ["shop", "kept"], [[shop, f"{100 * share:.2f} %"] for share, shop in kept])
intermediate("rows read", read, "rows")
"""


def shop(number: int) -> str:
    return f"shop-{chr(97 + number // 6)}{chr(97 + number % 6)}"


def kept_percent(number: int) -> int:
    """The share that a shop keeps, different for each."""
    return 31 - number


def books(files: int, rows: int) -> dict[str, bytes]:
    """So many files of so many rows (of whole blocks), every row as long as any other, and no two of them equal."""
    assert rows % BLOCK_ROWS == 0, "only whole blocks have the same sums"
    return {f"{shop(number)}.csv": _book(_block(number), rows // BLOCK_ROWS) for number in range(files)}


def _book(block: bytes, blocks: int) -> bytes:
    return b"date,invoice,revenue,costs\n" + b"".join(block.replace(BLOCK_MARK, b"%05d" % one) for one in range(blocks))


def _block(number: int) -> bytes:
    """Revenues from 1,000.00 on, with costs that are an exact share of each."""
    lines = []
    for row in range(BLOCK_ROWS):
        revenue = 1_000 + row * 7 % 8_000
        costs_cents = revenue * (100 - kept_percent(number))
        costs = f"{costs_cents // 100:07d}.{costs_cents % 100:02d}"
        lines.append(f"2025-{1 + row % 12:02d}-01,I-#####-{row:05d},{revenue}.00,{costs}")
    return ("\n".join(lines) + "\n").encode()


def turns(files: int, rows: int) -> list[Turn]:
    """List, look at one file, run ten lines over all of them, and say a sentence."""

    def look(asked: Asked) -> Sequence[Json]:
        asked.says("Asked once", "does every shop keep", f"{shop(0)}.csv")
        return [use("list_files", dir="inputs"), use("read_file", path=f"inputs/{shop(0)}.csv")]

    def compute(asked: Asked) -> Sequence[Json]:
        asked.says("first lines:", "revenue", f"{rows:,} rows")
        return [
            use("think", thought="One file shows the columns; the computer reads the rest"),
            use("run_code", script=SCRIPT),
        ]

    def end(asked: Asked) -> Sequence[Json]:
        asked.says(f"| {shop(0)} | {kept_percent(0)}.00 % |", f"| {shop(files - 1)} |")
        return [text(f"{shop(0)} keeps most.")]

    return [look, compute, end]


def answered(
    world: World, api: ModelApi, question: str, files: int, rows: int, *, within_s: float = 120
) -> tuple[Message, Message]:
    """Ask it over so many rows: the question, and what the answer rests on, once that is there."""
    if question == UNKNOWN:
        api.say(*turns(files, rows))
    asked = world.request(question, books(files, rows))
    basis = world.desk.wait_for(
        lambda m: m.is_from_bot and m.thread_ts == asked.ts and (m.says("Never left the box") or bool(api.refused)),
        within_s=within_s,
        after=asked,
    )
    api.done()
    return asked, basis


def thread_without_numbers(world: World, asked: Message) -> str:
    """Everything that stands in the thread, with every number as one mark."""
    return without_numbers([{"words": one.words} for one in world.desk.thread(asked) if one.is_from_bot])
