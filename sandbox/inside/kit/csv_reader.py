"""How one CSV file is read, as plan.toml has it: every variant of the form is a parameter, none is found out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .cells import Dialect
from .surprise import Surprise


@dataclass(frozen=True)
class CsvReader:
    """One form of table. Whatever is not of this form raises a surprise that names the parameter admitting it."""

    header: list[str]  # the exact names, in order
    columns: Mapping[str, str] = field(default_factory=dict)  # role in the script -> name in the header
    delimiter: str = ","
    quote: str = '"'
    escape: str = ""  # what makes a quote within quotes plain; "" where it is doubled
    single_quotes: bool = False  # whether a cell may begin and end with single quotes (or " beside others) of its own
    decimal: str = "."
    thousands: str = ""
    symbols: Sequence[str] = ()  # what may stand beside a number, such as $ or %
    negative: str = "minus"  # or: parentheses, trailing minus, long minus
    exponents: bool = False  # whether numbers may be written with a power of ten, such as 9.8e-05
    nulls: Sequence[str] = ("",)  # what number_or_none reads as no value
    dates: Mapping[str, str] = field(default_factory=dict)  # column -> layout of its dates, such as %d.%m.%Y
    dated: str = ""  # the column that says when each entry was; "" if none does
    codes: Mapping[str, int] = field(default_factory=dict)  # column -> its number of characters, always
    decimals: Mapping[str, int] = field(default_factory=dict)  # column -> digits behind its decimal mark, always
    units: Mapping[str, Sequence[str]] = field(
        default_factory=dict
    )  # column of currencies or units -> those it may have
    totals: str = "refuse"  # rows that add up others: or drop, keep
    multiline: bool = False  # whether a quoted cell may hold a line break
    blank_lines: bool = False  # whether empty lines may stand between rows
    ragged: bool = False  # whether empty cells at a row's end may be left out, or be more than the header has
    footer: Sequence[str] = ()  # how lines below the last row begin, which are none
    empty: bool = False  # whether it may have no rows
    skip_lines: int = 0  # lines above the header
    garbled: bool = False  # whether its letters may be such as a wrong encoding makes of others
    row_cap: bool = False  # whether it may have exactly as many rows as a sheet can hold
    line_end: str = "lf"
    final_newline: bool = True  # whether the last line must have a line end
    compression: str = "none"
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        if self.totals not in ("refuse", "drop", "keep"):
            raise ValueError(f'totals = "{self.totals}" is not known; it is refuse, drop or keep.')
        if len(set(self.header)) != len(self.header):
            raise ValueError("The header has a name twice, so no column can be named.")

    @cached_property
    def dialect(self) -> Dialect:
        return Dialect(self.delimiter, self.quote, self.escape)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Of each name of the header and each role."""
        names = {name: place for place, name in enumerate(self.header)}
        return names | {role: names[name] for role, name in self.columns.items()}

    @cached_property
    def code_widths(self) -> list[tuple[int, int]]:
        return [(self.places[name], digits) for name, digits in self.codes.items()]

    def layout(self, column: str) -> str:
        """Of the dates in a column, by its name or role."""
        return self.dates.get(self.header[self.places[column]], "%Y-%m-%d")

    @cached_property
    def exact_decimals(self) -> Mapping[int, int]:
        return {self.places[name]: digits for name, digits in self.decimals.items()}

    @cached_property
    def marks(self) -> dict[str, Any]:
        """For exact_number."""
        names = ("decimal", "thousands", "symbols", "negative", "exponents")
        return {name: getattr(self, name) for name in names}

    @property
    def admits(self) -> str:
        return 'the parameters "decimal", "thousands", "symbols", "negative", "exponents", "nulls" admit others'

    @property
    def text(self) -> dict[str, Any]:
        """For text_lines."""
        names = ("compression", "encoding", "line_end", "final_newline")
        return {name: getattr(self, name) for name in names}

    def difference(self, seen: list[str]) -> str:
        return difference(self.header, seen)


def odd_header(file: str, reader: CsvReader, seen: list[str]) -> Surprise:
    mark = reader.delimiter
    admits = '(the reader parameters "header", "delimiter" and "skip_lines" admit others)'
    return Surprise(
        "OddHeader",
        f"{file} has other columns: {reader.difference(seen)}",
        seen=mark.join(seen),
        expected=f"{mark.join(reader.header)} {admits}",
        file=file,
        rows=[mark.join(seen)],
    )


def difference(agreed: Sequence[str], seen: Sequence[str]) -> str:
    gone = [name for name in agreed if name not in seen]
    new = [name for name in seen if name not in agreed]
    twice = sorted({name for name in seen if list(seen).count(name) > list(agreed).count(name)} - set(new))
    said = []
    if gone:
        said.append(f"without {', '.join(gone[:6])}")
    if new:
        said.append(f"new are {', '.join(name[:60] for name in new[:6])}")
    if twice:
        said.append(f"more than once: {', '.join(twice[:6])}")
    return "; ".join(said) or "the same names in another order"
