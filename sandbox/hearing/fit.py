"""Which drifts fit a plan's files: told by the kinds of files, their columns, and the columns the plan speaks of."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from library.facts import FileFacts
from library.levels import known_level
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder
from sandbox.drifts import DRIFTS, Drift, Need

_DATELESS = ("none", "syslog", "clock")  # names of stamps that show no whole date


@dataclass(frozen=True)
class Fit:
    """A drift, and the files it could strike in the order in which they are tried: the first that it changes is it."""

    drift: str
    victims: tuple[str, ...]
    columns: tuple[str, ...]


def fitting(folder: PlanFolder, files: Sequence[FileFacts], seed: int) -> list[Fit]:
    """Before anything has run: outcomes have no say in what fits."""
    columns = spoken_columns(folder, files)
    found = []
    for drift in DRIFTS.values():
        struck = [facts for facts in files if fits(drift, facts, len(files), columns)]
        random.Random(f"{drift.id} {seed}").shuffle(struck)
        if struck:
            victims = sorted(struck, key=_has_nothing_bad)
            found.append(Fit(drift.id, tuple(facts.name for facts in victims), columns))
    return found


def _has_nothing_bad(facts: FileFacts) -> bool:
    """Such a log is struck last: where there is no error, a script that finds none is not put to the test."""
    bad = ("ERROR", "CRITICAL")
    return facts.log is not None and not any(known_level(level) in bad for level in facts.log.levels)


def fits(drift: Drift, facts: FileFacts, count: int, columns: Sequence[str] = ()) -> bool:
    """Whether a drift fits a file among `count` files, for a plan that speaks of `columns` (none: of any)."""
    return str(facts.kind) in drift.fits and all(_has(need, facts, count, columns) for need in drift.needs)


def _has(need: Need, facts: FileFacts, count: int, columns: Sequence[str]) -> bool:
    if need is Need.NEIGHBOURS:
        return count > 1
    if need is Need.LEVELS:
        return facts.log is not None and facts.log.has_level
    if need is Need.STAMPS:
        return bool(facts.first_at) or (facts.log is not None and facts.log.stamp not in _DATELESS)
    table = facts.csv
    if table is None:
        return False
    if need is Need.UNITS:  # whether the plan speaks of it or not: who does not is deaf to it
        return any(one.is_unit for one in table.columns)
    kinds = [one.kind for one in table.columns if not columns or one.name in columns]
    if need is Need.DECIMALS:
        return table.has_marks
    wanted = {Need.NUMBERS: "number", Need.DATES: "date", Need.TEXTS: "text", Need.CODES: "code"}[need]
    return any(kind.startswith(wanted) for kind in kinds)


def spoken_columns(folder: PlanFolder, files: Sequence[FileFacts]) -> tuple[str, ...]:
    """Names of columns that stand in the script or in its parameters, other than as part of a whole header.

    None where it names none, as a script does that reads by position: then any column may be one it reads.
    """
    named = {column.name for facts in files if facts.csv for column in facts.csv.columns}
    script = folder.files["plan.py"].decode("utf-8", "replace")
    said = {*_texts(script), *_values(read_manifest(folder.files["plan.toml"]).parameters)}
    return tuple(sorted(named & said))


def _texts(script: str) -> Iterator[str]:
    """Each text of the script, and the words in it, since SQL names columns within one."""
    try:
        tree = ast.parse(script)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
            yield from node.value.replace(",", " ").replace("(", " ").replace(")", " ").replace('"', " ").split()


def _values(value: Any, key: str = "") -> Iterator[str]:
    """What parameters say, but for headers, in which every column stands."""
    if key in ("header", "codes", "types"):
        return
    if isinstance(value, Mapping):
        if key in ("dates", "units"):
            yield from map(str, value)  # the columns whose dates or units are read
            return
        for name, one in value.items():
            yield from _values(one, str(name))
    elif isinstance(value, str):
        yield value
    elif isinstance(value, Sequence):
        for one in value:
            yield from _values(one, key)
