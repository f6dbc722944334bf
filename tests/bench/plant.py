"""Bugs that can be switched on in the readers, to show that the figures notice them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests import inside


@contextmanager
def planted(bug: str) -> Iterator[None]:
    """For as long as the block lasts; "" is none."""
    inside.kit()
    if not bug:
        yield
        return
    if bug not in BUGS:
        raise SystemExit(f"There is no bug called {bug!r} to plant; there are: {', '.join(sorted(BUGS))}.")
    owner, name, wrong = BUGS[bug]()
    right = owner.__dict__[name]
    setattr(owner, name, wrong)
    try:
        yield
    finally:
        setattr(owner, name, right)


def _padded_rows() -> tuple[Any, str, Any]:
    """Rows of another width are filled up or cut, as lenient readers do."""
    table = sys.modules["kit.tables"].CsvFile
    return table, "_split", lambda file, line, _: _padded(line.split(file.reader.delimiter), len(file.reader.header))


def _padded(cells: list[str], width: int) -> list[str]:
    return (cells + [""] * width)[:width]


def _level_anywhere() -> tuple[Any, str, Any]:
    """A level is searched for in the whole line."""
    logs = sys.modules["kit.logs"]

    def anywhere(line: str, reader: Any) -> tuple[str, str, str]:
        return next((name for name in reader.levels if name in line.upper()), "INFO"), line, ""

    return logs, "_text_splitter", lambda _reader: anywhere


def _lossy_numbers() -> tuple[Any, str, Any]:
    """What is no number counts as zero."""
    tables = sys.modules["kit.tables"]
    exact = sys.modules["kit.numbers"].exact_number
    return tables, "exact_number", lambda text, **marks: exact(text, **marks) or exact("0")


BUGS: dict[str, Callable[[], tuple[Any, str, Any]]] = {
    "padded-rows": _padded_rows,
    "level-anywhere": _level_anywhere,
    "lossy-numbers": _lossy_numbers,
}
