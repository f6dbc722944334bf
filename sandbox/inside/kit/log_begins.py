"""The lines of a large block by how they begin: all of them compared at once, instead of a search through the block."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

_NEWLINE, _COLON, _ZERO = b"\n:0"
_WORD_BYTES = 8  # eight characters are one number to numpy


class LineBegins:
    """Of a block of whole lines; `width` characters of each line are looked at, with the line end before it.

    `lined` is the block with a line end before each line, and with some bytes behind it.
    """

    def __init__(self, block: bytes, width: int) -> None:
        self._np = np = importlib.import_module("numpy")  # slow to import, and only large files need it
        size = -(-width // _WORD_BYTES) * _WORD_BYTES
        self.lined = b"".join((b"\n", block, bytes(size)))
        self._signs = np.frombuffer(self.lined, np.uint8)
        # A line is between one and the next: in the lined block behind the line end, in the block from its place on.
        self._ends = np.flatnonzero(self._signs == _NEWLINE)
        self._begins = np.ndarray(len(block) + 1, f"V{size}", self.lined, strides=(1,))[self._ends[:-1]]
        self._words = self._in_words(self._begins.view(np.uint8))

    def _in_words(self, signs: Any) -> Any:
        """Of each line eight signs as one number, one row for each eight, as numpy goes through rows fastest."""
        np = self._np
        return np.ascontiguousarray(signs.view(np.uint64).reshape(len(self._begins), -1).T)

    def those_with(self, begin: bytes) -> Any:
        """Whether each line begins so; `begin` has the line end before it."""
        return self._compared(self._words, begin)

    def those_of_shape(self, begin: bytes) -> Any:
        """The same with every digit as a zero."""
        return self._compared(self._shapes, begin)

    def kinds(self, shapes: Sequence[bytes]) -> Any:
        """Of each line the number of the shape that it begins with; that behind the last of them, where it has none."""
        kinds = self._np.full(len(self), len(shapes), self._np.uint8)
        for number, shape in enumerate(shapes):
            kinds[self.those_of_shape(shape)] = number
        return kinds

    def counts(self, kinds: Any, most: int) -> list[int]:
        """How many lines are of each kind up to this one."""
        counts: list[int] = self._np.bincount(kinds, minlength=most + 1).tolist()
        return counts

    def places(self, kinds: Any, wanted: Sequence[int]) -> tuple[Any, Any, Any, Any]:
        """Of lines of these kinds: number, from 0, where each begins and ends in the block, and its kind."""
        is_wanted = self._np.zeros(256, bool)
        is_wanted[wanted] = True
        numbers = self._np.flatnonzero(is_wanted[kinds])
        ends = self._ends.astype(self._np.int32)  # blocks are small, and places of many lines are kept
        return numbers.astype(self._np.int32), ends[numbers], ends[numbers + 1] - 1, kinds[numbers]

    def __len__(self) -> int:
        return len(self._begins)

    def pairs_of_colons(self) -> int:
        """As they are in a time: each time has one at least."""
        colons = self._signs == _COLON
        return int(self._np.count_nonzero(colons[:-3] & colons[3:]))

    @cached_property
    def _shapes(self) -> Any:
        signs = self._begins.view(self._np.uint8)
        over = signs - _ZERO
        return self._in_words(signs - over * (over < 10))

    def _compared(self, words: Any, begin: bytes) -> Any:
        size = -(-len(begin) // _WORD_BYTES) * _WORD_BYTES
        wanted, counted = (
            self._np.frombuffer(one.ljust(size, b"\0"), self._np.uint64) for one in (begin, b"\xff" * len(begin))
        )
        found = (words[0] & counted[0]) == wanted[0]
        for at in range(1, len(wanted)):
            found &= (words[at] & counted[at]) == wanted[at]
        return found
