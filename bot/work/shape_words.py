"""shape.json as a table that people read; its bytes follow it on the pages, so nothing rests on these words."""

import json
from collections.abc import Mapping
from typing import Any

HEAD = ("file", "kind", "how it is written", "what is in it")


def shape_words(shape: bytes) -> str:
    """One line a kind of file; empty for a shape that cannot be read, whose bytes are shown all the same."""
    try:
        rows = [HEAD, *(_row(name, keys) for name, keys in json.loads(shape)["files"].items())]
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD) - 1)]
    return "\n".join(_line(row, widths) for row in rows) + "\n"


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]])


def _row(name: str, keys: Mapping[str, Any]) -> tuple[str, ...]:
    packed = [] if keys["compression"] == "none" else [f"packed with {keys['compression']}"]
    marks = [f"cells apart by {keys['delimiter']!r}"] if keys["delimiter"] else []
    marks += [f"decimal mark {keys['decimal']!r}"] if keys["decimal"] else []
    inside = [f"level at {keys['level_place']}: {', '.join(keys['levels'])}"] if keys["level_place"] else []
    inside += [f"{column} ({kind})" for column, kind in keys["columns"]]
    return (name, str(keys["kind"]), ", ".join([str(keys["encoding"]), *packed, *marks]), ", ".join(inside))
