"""Every planted bug of approval, run and delivery: how many the machine catches, and that it is quiet without one."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from bot.store.embedded import Embedded
from bot.store.migrate import migrate
from tests.approval.plants import PLANTS
from tests.approval.sweep import caught, try_code
from tests.bench.bench import Bench, demand
from tests.bench.plants import CHECKOUT, Plant
from tests.database_host import UNSAFE_BUT_FAST

EXAMPLES = 6  # lives per bug; each holds every rule, so that the first finds nearly all
QUIET_S = 120.0  # how long it lives without a planted bug

# The bench's own bug: one that no rule of the machine may miss must count as a false alarm.
PLANT = Plant("bot/domain/approval.py", "if person.is_bot:", "if False:")


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    """The figures; a copy of the code with a bug must make the machine speak, so it then counts as false alarm."""
    options = _options(rest)
    names = [name for name in PLANTS if options.only in name]
    with _databases(folder / "data") as databases, ThreadPoolExecutor(options.at_once) as pool:
        quiet = pool.submit(try_code, next(databases), code or CHECKOUT, options.examples, QUIET_S)
        tries = {name: pool.submit(_caught, name, next(databases), folder / f"p{n}", options.examples)
                 for n, name in enumerate(names if code is None else [])}  # fmt: skip
        demand(not quiet.result(), f"without a planted bug the machine says: {quiet.result()}")
        found = {name: one.result() for name, one in tries.items()}
    missed = [name for name, said in found.items() if not said]
    demand(not missed, f"the machine is deaf to: {', '.join(missed)}")
    return {"planted": len(found), "caught": len(found) - len(missed), "false_alarms": 0}


def _caught(name: str, url: str, folder: Path, examples: int) -> str:
    began = time.monotonic()
    said = caught(name, url, folder, examples)
    took_s = time.monotonic() - began
    print(f"{'caught' if said else 'MISSED'} {took_s:5.1f} s  {name}: {said[:100]}", flush=True)
    return said


@contextmanager
def _databases(folder: Path) -> Iterator[Iterator[str]]:
    """Fresh migrated databases on a server of their own."""
    with Embedded(folder, settings=UNSAFE_BUT_FAST) as embedded:
        migrate(embedded.url)
        yield _fresh(embedded.url)


def _fresh(url: str) -> Iterator[str]:
    template = make_url(url)
    number = 0
    while True:
        number += 1
        with psycopg.connect(_plain(template.set(database="postgres")), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE planted_{number} TEMPLATE {template.database}".encode())
        yield template.set(database=f"planted_{number}").render_as_string(hide_password=False)


def _plain(url: Any) -> str:
    return str(url.render_as_string(hide_password=False)).replace("+psycopg", "")


def _options(rest: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench planted")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="how many lives the machine leads per bug")
    parser.add_argument("--at-once", type=int, default=2, help="how many are tried at the same time")
    parser.add_argument("--only", default="", help="only bugs whose name has this in it")
    return parser.parse_args(rest)


BENCH = Bench(measure, PLANT)
