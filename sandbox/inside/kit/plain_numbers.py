"""Whether all cells of a table's number columns are numbers as agreed, told from its bytes by the block.

It never decides what a number is worth: duckdb reads it. Where a block is not proven here, duckdb's regular
expressions have the say, which are right for every form and take several times as long.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .csv_reader import CsvReader

DIGITS = 18  # of a decimal that fits a machine word
_NEWLINE, _ZERO, _PLUS, _MINUS = b"\n0+-"


class PlainNumbers:
    """`behind` are the places of number columns, with the most digits that each has behind its mark."""

    def __init__(self, reader: CsvReader, behind: Mapping[int, int]) -> None:
        self._np = importlib.import_module("numpy")  # slow to import, and only large files need it
        self._width, self._delimiter, self._mark = len(reader.header), ord(reader.delimiter), ord(reader.decimal)
        self._may_be_empty = "" in reader.nulls
        self.are_signed = False  # whether any may be below zero
        self._behind = behind
        # Of each length: rows of a number's characters, whose last few belong to a cell of so many.
        self._insides = [
            self._np.tri(most + 1, most, -1, bool)[:, ::-1].copy().view(f"V{most}").ravel()
            for most in range(1, DIGITS + 1)
        ]
        self._exact = {place: reader.exact_decimals.get(place) for place in behind}

    def lines_in(self, block: bytes) -> int:
        """How many lines a block of whole lines has; 0 where it is not proven, also that each has all cells."""
        np = self._np
        # What is looked at of the first cell may begin before the block.
        signs = np.frombuffer(bytes(DIGITS) + block, np.uint8)
        is_end = signs == _NEWLINE
        lines = np.count_nonzero(is_end)
        ends = np.flatnonzero(is_end | (signs == self._delimiter))
        if len(ends) != lines * self._width:
            return 0
        ends = ends.reshape(-1, self._width)
        if (signs[ends[:, -1]] != _NEWLINE).any():
            return 0
        columns = (self._column(signs, self._begins(ends, place), ends[:, place], place) for place in self._behind)
        return int(lines) if all(columns) else 0

    def _begins(self, ends: Any, place: int) -> Any:
        return ends[:, place - 1] + 1 if place else self._np.concatenate(([DIGITS], ends[:-1, -1] + 1))

    def _column(self, signs: Any, begin: Any, end: Any, place: int) -> bool:
        """Whether whatever is no digit is one mark between digits, or a sign before the first."""
        np, behind = self._np, self._behind[place]
        lengths = end - begin
        longest = max(int(lengths.max()), behind + 2)
        if longest > DIGITS - behind or not (self._may_be_empty or lengths.all()):
            return False
        # Each cell from the right, with what stands before it where it is shorter than the longest. A row of these is
        # one value to numpy, which is copied at once.
        rows = np.ndarray(len(signs) - longest + 1, f"V{longest}", signs, strides=(1,))
        cells = rows[end - longest].view(np.uint8).reshape(-1, longest)
        inside = self._insides[longest - 1][lengths].view(bool).reshape(-1, longest)
        digits = inside & ((cells - _ZERO) < 10)
        marked = np.zeros(len(cells), bool)
        for at in range(longest - 1 - behind, longest - 1):
            has_mark = (cells[:, at] == self._mark) & digits[:, at - 1]
            if self._exact[place] == longest - 1 - at and not has_mark.all():
                return False
            marked |= has_mark
        if (self._exact[place] == 0 and marked.any()) or (self._exact[place] or 0) > behind:
            return False
        first = signs[begin]
        self.are_signed |= bool((first == _MINUS).any())
        signed = begin[((first == _PLUS) | (first == _MINUS)) & (lengths > 0)]
        explained = np.count_nonzero(marked) + np.count_nonzero((signs[signed + 1] - _ZERO) < 10)
        # In no cell can there be more of these than signs that are no digits, so equal sums are equal cells.
        return bool(np.count_nonzero(inside) - np.count_nonzero(digits) == explained)
