"""Text to exact numbers by the marks that were agreed; anything else is no number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import Protocol

# How a number below zero is written: -5, (5), 5- or with the typographic minus.
NEGATIVES = {"minus": "-", "parentheses": "(", "trailing minus": "-", "long minus": "\u2212"}

# What admits a number that is written as text, where the file has numbers of its own.
TEXT_NUMBERS = 'text_numbers = true", with "decimal", "thousands", "symbols", "negative", and "nulls'


class Marked(Protocol):
    """A reader of files that have numbers of their own, and may have others as text."""

    @property
    def text_numbers(self) -> bool: ...
    @property
    def decimal(self) -> str: ...
    @property
    def thousands(self) -> str: ...
    @property
    def symbols(self) -> Sequence[str]: ...
    @property
    def negative(self) -> str: ...


def text_number(text: str, reader: Marked) -> Decimal | None:
    """A number as the reader admits it as text; None for anything else."""
    if not reader.text_numbers:
        return None
    return exact_number(
        text,
        decimal=reader.decimal,
        thousands=reader.thousands,
        symbols=reader.symbols,
        negative=reader.negative,
    )


def exact_number(
    text: str,
    *,
    decimal: str = ".",
    thousands: str = "",
    symbols: Sequence[str] = (),
    negative: str = "minus",
    exponents: bool = False,
) -> Decimal | None:
    """None unless the whole text is one number written with exactly these marks. `1,5` is none where `.` is agreed.

    `symbols` are what may stand before or after it, such as $ or %; they do not change its size. With `exponents` it
    may end in a power of ten, such as 9.8e-05.
    """
    match = _pattern(decimal, thousands, tuple(symbols), negative, exponents).fullmatch(text.strip(" "))
    if match is None or (negative == "parentheses" and bool(match["open"]) != bool(match["close"])):
        return None
    plain = match["number"].replace(thousands, "") if thousands else match["number"]
    number = Decimal(plain.replace(decimal, "."))
    return -number if match["open"] or match["close"] else number


@cache
def _pattern(decimal: str, thousands: str, symbols: tuple[str, ...], negative: str, exponents: bool) -> re.Pattern[str]:
    if (
        decimal not in (".", ",")
        or thousands not in ("", ",", ".", " ", "'", "\u00a0", "\u202f")
        or decimal == thousands
    ):
        raise ValueError(f"decimal mark {decimal!r} and thousands mark {thousands!r} cannot be told apart.")
    if negative not in NEGATIVES:
        raise ValueError(f'negative = "{negative}" is not known; it is one of {", ".join(NEGATIVES)}.')
    # [0-9] and not \d: digits of other scripts are numbers to Python, but nobody agreed to them
    power = "(?:[eE][-+]?[0-9]{1,3})?" if exponents else ""
    grouped = rf"[0-9]{{1,3}}(?:{re.escape(thousands)}[0-9]{{3}})*|" if thousands else ""
    sign, point = "[-+]?" if negative == "minus" else "", rf"(?:{re.escape(decimal)}[0-9]+)?"
    number = rf"(?P<number>{sign}(?:{grouped}[0-9]+){point}{power})"
    mark = f"(?:{'|'.join(re.escape(one) for one in symbols)})" if symbols else ""
    before, after = (rf"(?:{mark} ?)?", rf"(?: ?{mark})?") if mark else ("", "")
    opens = {"parentheses": r"\(", "long minus": "\u2212"}.get(negative, "(?!)")
    closes = {"parentheses": r"\)", "trailing minus": "-"}.get(negative, "(?!)")
    return re.compile(rf"{before}(?P<open>{opens})?{before}{number}{after}(?P<close>{closes})?{after}")
