"""Measurements by name: `uv run python -m tests.bench NAME`. A table for people; the last line is one JSON object.

`--planted` measures the same with a bug planted in a copy of our code, which must make the measurement fail: a
measurement that cannot fail shows nothing.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench.bench import Bench, Wrong
from tests.bench.plants import planted_copy
from tests.desk_client import NothingCame

# Each name is a module beside this one that has BENCH.
NAMES = (
    "story",
    "conversation",
    "resume",
    "dirt",
    "readers",
    "margin",
    "logscan",
    "sampling",
    "escape",
    "box",
    "boxfaults",
    "crashes",
    "chaos",
    "schedules",
    "throughput",
    "overhead",
    "planted",
    "races",
    "hearing",
    "obedient",
    "deaf",
    "rehearsal",
    "cards",
    "margin_story",
    "loop",
    "drafts",
    "ack",
    "staging",
    "browser",
)


def main(arguments: list[str]) -> int:
    """0: measured, and as it should be. 1: something that must hold does not (with --planted that is the aim)."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--planted", action="store_true", help="plant the measurement's bug first; it must then fail")
    options, rest = parser.parse_known_args(arguments)
    bench: Bench = importlib.import_module(f"tests.bench.{options.name}").BENCH
    with tempfile.TemporaryDirectory(prefix="sb-") as folder:
        Path(folder).chmod(0o711)
        code = planted_copy(Path(folder) / "code", bench.plant_for(rest)) if options.planted else None
        try:
            figures = bench.measure(Path(folder), code, rest)
        except (Wrong, NothingCame) as wrong:
            print(f"{options.name}: {wrong}", file=sys.stderr)
            return 1
    _show(options.name, figures)
    return 0


def _show(name: str, figures: dict[str, object]) -> None:
    table = Table(title=name, show_header=False)
    for key, value in figures.items():
        table.add_row(key, str(value))
    Console().print(table)
    print(json.dumps(figures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
