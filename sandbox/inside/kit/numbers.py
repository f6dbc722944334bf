"""Text to exact numbers by the marks that were agreed; anything else is no number."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache


def exact_number(text: str, *, decimal: str = ".", thousands: str = "") -> Decimal | None:
    """None unless the whole text is one number written with exactly these marks. `1,5` is none where `.` is agreed."""
    match = _pattern(decimal, thousands).fullmatch(text.strip(" "))
    if match is None:
        return None
    plain = match.group().replace(thousands, "") if thousands else match.group()
    return Decimal(plain.replace(decimal, "."))


@cache
def _pattern(decimal: str, thousands: str) -> re.Pattern[str]:
    if (
        decimal not in (".", ",")
        or thousands not in ("", ",", ".", " ", "'", "\u00a0", "\u202f")
        or decimal == thousands
    ):
        raise ValueError(f"decimal mark {decimal!r} and thousands mark {thousands!r} cannot be told apart.")
    whole = rf"\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})*|\d+" if thousands else r"\d+"
    # [0-9] and not \d: digits of other scripts are numbers to Python, but nobody agreed to them
    return re.compile(rf"[-+]?(?:{whole})(?:{re.escape(decimal)}\d+)?".replace(r"\d", "[0-9]"))
