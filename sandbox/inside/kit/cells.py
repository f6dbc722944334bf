"""A line of a table to its cells: by one dialect, exactly, or not at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property


class BadQuotes(ValueError):
    """A quote stands where this dialect has none; the message says where."""


@dataclass(frozen=True)
class Dialect:
    """How cells are told apart. `delimiter` may be several characters, such as a comma and a space."""

    delimiter: str = ","
    quote: str = '"'
    escape: str = ""  # what makes a quote within quotes plain; "" where it is doubled

    def split(self, line: str) -> list[str] | None:
        """The cells of a record without its line end; None if its last quote is still open. Raises BadQuotes."""
        if self.quote not in line:
            return line.split(self.delimiter)
        cells: list[str] = []
        start = 0
        while True:
            cell = self._cell.match(line, start)
            if cell is None:
                self._refuse_unless_open(line, start)
                return None
            quoted, plain = cell.groups()
            cells.append(plain if quoted is None else self._bare(quoted))
            if cell.end() == len(line):
                return cells
            start = cell.end() + len(self.delimiter)

    def _refuse_unless_open(self, line: str, start: int) -> None:
        if not self._open.fullmatch(line, start):
            raise BadQuotes(f"a quote that does not fit at character {start + 1}")

    def _bare(self, quoted: str) -> str:
        if self.escape:
            return self._escaped.sub(r"\1", quoted)
        return quoted.replace(self.quote * 2, self.quote)

    @cached_property
    def _inner(self) -> str:
        """What may stand between two quotes. An escape before another sign could mean either, so it is refused.

        No possessive quantifiers here: up to Python 3.11.4 they match wrongly around alternatives.
        """
        quote, escape = re.escape(self.quote), re.escape(self.escape)
        plain, pair = (
            (rf"[^{quote}{escape}]*", rf"{escape}[{quote}{escape}]") if escape else (rf"[^{quote}]*", quote * 2)
        )
        return rf"{plain}(?:{pair}{plain})*"

    @cached_property
    def _cell(self) -> re.Pattern[str]:
        quote, delimiter = re.escape(self.quote), re.escape(self.delimiter)
        plain = rf"(?:(?!{delimiter})[^{quote}])*"
        return re.compile(rf"(?:{quote}({self._inner}){quote}|({plain}))(?={delimiter}|\Z)", re.DOTALL)

    @cached_property
    def _open(self) -> re.Pattern[str]:
        return re.compile(rf"{re.escape(self.quote)}{self._inner}", re.DOTALL)

    @cached_property
    def _escaped(self) -> re.Pattern[str]:
        return re.compile(rf"{re.escape(self.escape)}(.)", re.DOTALL)


def in_other_quotes(cell: str, quote: str) -> bool:
    """Whether a cell is wrapped in quotes that are none here, as programs of another dialect write it."""
    return len(cell) > 1 and cell[0] == quote == cell[-1]
