"""Numbers that a request gives in the words a parameter goes by: “below 6.9”, “top 5”, “outside 6.9 to 7.3”."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBER = r"[-−]?\d+(?:[.,]\d+)?(?![.,:/]?\d)"
_TIME = r"(?!\s*(?:s|sec|seconds?|min|mins|minutes?|h|hours?|days?|weeks?|months?|years?|o'clock)\b)"
_BETWEEN = ("a", "an", "the", "limit", "threshold", "value", "of", "is", "to")  # may stand before the number


def said_number(ways: Sequence[str], text: str, names: Sequence[str] = ()) -> tuple[str, str]:
    """The number and the words it was said in; both empty where there is none, or there are two different ones.

    In a way of saying it `#` is this number and `*` another one. `names` of columns may stand before the number.
    """
    found = {match["number"]: match[0] for way in ways for match in _pattern(way, names).finditer(text)}
    return next(iter(found.items())) if len(found) == 1 else ("", "")


def _pattern(way: str, names: Sequence[str]) -> re.Pattern[str]:
    fillers = "|".join(re.escape(word) for word in (*_BETWEEN, *names))
    filler = rf"(?:(?:{fillers})\s+){{0,3}}"
    numbers = {"#": rf"{filler}(?P<number>{_NUMBER}){_TIME}", "*": filler + _NUMBER + _TIME}
    parts = [numbers.get(word) or re.escape(word) for word in way.split()]
    gaps = [r"\s+" if word[-1].isalnum() else r"\s*" for word in way.split()[:-1]]
    joined = "".join(part + gap for part, gap in zip(parts, [*gaps, ""], strict=True))
    ends = r"(?!\w)" if way[-1].isalpha() else ""
    begins = r"(?<!\w)" if way[0].isalnum() else ""
    return re.compile(f"{begins}{joined}{ends}", re.IGNORECASE)
