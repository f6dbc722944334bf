"""What a figure comes to: rows for people, numbers for machines, and whether it is as it must be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    numbers: Mapping[str, Any]
    is_good: bool = True
    notes: Sequence[str] = ()  # below the table

    def text(self) -> str:
        table = [[str(cell) for cell in row] for row in (self.columns, *self.rows)]
        widths = [max(len(row[place]) for row in table) for place in range(len(self.columns))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
        return "\n".join([*(line.rstrip() for line in lines), *self.notes])
