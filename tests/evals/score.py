"""How much of the truth an answer holds: every label stands in a line with its number, within half a percent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

NUMBER = re.compile(r"(?<![\w.,-])-?\d[\d,]*(?:\.\d+)?")
NEAR = 0.005


def lines_of(tables: Iterable[Sequence[Sequence[str]]], words: str) -> list[str]:
    """Rows of tables, and lines of words, each as one text."""
    return [" | ".join(row) for table in tables for row in table] + words.splitlines()


def right(truth: Mapping[str, float], lines: Sequence[str]) -> float:
    """The share of the truth that is there, 0 to 1."""
    found = sum(any(_holds(line, label, number) for line in lines) for label, number in truth.items())
    return found / len(truth)


def _holds(line: str, label: str, number: float) -> bool:
    """Numbers within the label do not count: “2026-11-04” is no 4."""
    at = line.casefold().find(label.casefold())
    if at < 0:
        return False
    rest = line[:at] + " " + line[at + len(label) :]
    said = [float(one.replace(",", "")) for one in NUMBER.findall(rest)]
    return any(abs(one - number) <= max(NEAR * abs(number), 1e-9) for one in said)
