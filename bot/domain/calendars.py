"""Public holidays by country, as the `holidays` library knows them; a region is `NO`, or `DE-BY` for a part."""

import re
from datetime import date
from functools import cache
from typing import Any

from bot.domain.errors import RequestProblem


def holiday_on(region: str, day: date) -> str:
    """The name of the public holiday on that day, empty where it is none or no region counts."""
    return str(_calendar(region).get(day, "")) if region else ""


def check_region(region: str) -> None:
    """Raise RequestProblem when no holidays are known of this region."""
    if region:
        _calendar(region)


def region_words(region: str) -> str:
    """`Norway`; `Germany (BY)`."""
    code, _, part = region.partition("-")
    name = next((name for name, known in _names().items() if known == code), code)
    words = " ".join(word.capitalize() for word in name.split())
    return f"{words} ({part})" if part else words


def region_named(words: str) -> str:
    """The region that words begin with (`norway and tell me`), the longest name first; empty where none is known."""
    if found := re.match(r"([A-Z]{2})(-[A-Z0-9]{1,3})?\b", words):
        return found[0] if found[1] in _names().values() else ""
    parts = re.sub(r"^the ", "", words.lower()).split()
    for count in range(min(5, len(parts)), 0, -1):
        if code := _names().get(" ".join(parts[:count]).rstrip(".,;!?")):
            return code
    return ""


@cache
def _names() -> dict[str, str]:
    from holidays.registry import COUNTRIES  # noqa: PLC0415  a third of a second that few processes need

    names = {name.replace("_", " "): codes[1] for name, codes in COUNTRIES.items()}
    return names | {"usa": "US", "uk": "GB", "great britain": "GB", "england": "GB"}


@cache
def _calendar(region: str) -> Any:
    from holidays import country_holidays  # noqa: PLC0415

    country, _, part = region.partition("-")
    try:
        return country_holidays(country, subdiv=part or None, language="en_US")
    except NotImplementedError:
        raise RequestProblem(f"I know no public holidays of {region!r}; use a country such as NO, or DE-BY.") from None
