"""The lines of a large block by how they begin: all of them compared at once, instead of a search through the block."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
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
        kinds = self._np.full(len(self), len(shapes))
        for number, shape in enumerate(shapes):
            kinds[self.those_of_shape(shape)] = number
        return kinds

    def lines(self, kinds: Any, wanted: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
        """Of lines of these kinds: number, from 0, where each begins and ends in the block, and its kind."""
        numbers = self._np.flatnonzero(self._np.isin(kinds, wanted))
        places = (numbers, self._ends[numbers], self._ends[numbers + 1] - 1, kinds[numbers])
        return zip(*(one.tolist() for one in places), strict=True)

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
