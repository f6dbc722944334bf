"""The shape of a plan's sample, and how this slot's files differ from it, in plain words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from library.facts import FileFacts, name_pattern
from library.levels import admitted_levels

Shape = Mapping[str, Any]  # as in shape.json: one entry per name pattern
VERSION = 1


class ShapeUnreadable(ValueError):
    """shape.json is not what `shape_of` writes, so this slot's files cannot be compared with it."""


@dataclass(frozen=True)
class Difference:
    file: str  # a name pattern of the shape, or the name of a file
    words: str


def shape_of(files: Sequence[FileFacts]) -> bytes:
    """shape.json: what should stay from week to week. Counts, sizes and order are free, so they are not in it."""
    shapes = {name_pattern(facts.name): _file_shape(facts) for facts in sorted(files, key=lambda one: one.name)}
    return (json.dumps({"version": VERSION, "files": shapes}, indent=1, ensure_ascii=False) + "\n").encode()


def compare(shape: bytes, files: Sequence[FileFacts]) -> list[Difference]:
    """Every difference that matters, none for what may vary. Raises ShapeUnreadable."""
    agreed = _read(shape)
    seen = {name_pattern(facts.name): (facts.name, _file_shape(facts)) for facts in files}
    found = [Difference(pattern, "is missing") for pattern in agreed if pattern not in seen]
    for pattern, (name, now) in seen.items():
        if pattern in agreed:
            found += [Difference(name, words) for words in _differences(agreed[pattern], now)]
        elif not any(not list(_differences(known, now)) for known in agreed.values()):
            found.append(Difference(name, f"is new, and is like none of the agreed files ({now['kind']})"))
    return found


def _file_shape(facts: FileFacts) -> Shape:
    shape: dict[str, Any] = {"kind": str(facts.kind), "compression": facts.compression, "encoding": facts.encoding}
    if facts.log is not None:
        shape["level place"] = facts.log.level_key or f"word {facts.log.level_word} after stamp {facts.log.stamp}"
        shape["levels"] = sorted(facts.log.levels)
    if facts.csv is not None:
        shape["delimiter"] = facts.csv.delimiter
        shape["decimal"] = facts.csv.decimal if facts.csv.has_marks else ""
        shape["columns"] = [[column.name, column.kind] for column in facts.csv.columns]
    return shape


def _differences(agreed: Shape, now: Shape) -> Iterator[str]:
    if agreed["kind"] != now["kind"]:
        yield f"was {_article(agreed['kind'])} and is {_article(now['kind'])}"
        return
    for key in ("compression", "encoding", "level place", "delimiter"):
        if agreed.get(key) != now.get(key):
            yield f"{key} was {agreed.get(key)!r} and is {now.get(key)!r}"
    if agreed.get("decimal") and now.get("decimal") and agreed["decimal"] != now["decimal"]:
        yield f"the decimal mark was {agreed['decimal']!r} and is {now['decimal']!r}"
    yield from _level_differences(agreed.get("levels", []), now.get("levels", []))
    yield from _column_differences(agreed.get("columns", []), now.get("columns", []))


def _level_differences(agreed: list[str], now: list[str]) -> Iterator[str]:
    """A level that is not seen this time is a quiet week; a first CRITICAL is no new vocabulary; a second WARN is."""
    admitted = {*agreed, *admitted_levels(agreed)}
    new = [level for level in now if level not in admitted]
    if new:
        yield f"has levels that were not there: {', '.join(new[:6])}"


def _column_differences(agreed: list[list[str]], now: list[list[str]]) -> Iterator[str]:
    before, after = [name for name, _ in agreed], [name for name, _ in now]
    gone, new = [name for name in before if name not in after], [name for name in after if name not in before]
    if gone:
        yield f"lacks the columns {', '.join(gone[:6])}"
    if new:
        yield f"has new columns {', '.join(new[:6])}"
    if not gone and not new and before != after:
        yield "has its columns in another order"
    kinds = dict(now)
    for name, kind in agreed:
        if name in kinds and "empty" not in (kind, kinds[name]) and kind != kinds[name]:
            yield f"column {name} held {kind}s and holds {kinds[name]}s"


def _article(kind: str) -> str:
    return f"a {kind}" if kind in ("text log", "csv") else kind


def _read(shape: bytes) -> Mapping[str, Shape]:
    try:
        read = json.loads(shape)
        files: Mapping[str, Shape] = read["files"]
        if read["version"] != VERSION or not all("kind" in one for one in files.values()):
            raise ShapeUnreadable("shape.json has another version than this Standby reads.")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ShapeUnreadable(f"shape.json cannot be read: {error}.") from error
    return files
