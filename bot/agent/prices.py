"""What tokens cost, from a dated file; a price that is not known is said to be unknown and never taken for nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bot.domain.conversation import Usage

LONG_TOKENS = 500_000
FILE = Path(__file__).with_name("prices.toml")


@dataclass(frozen=True)
class Band:
    """Dollars for a million tokens, for prompts of up to so many tokens."""

    up_to_tokens: int | None
    fresh: float
    write_5m: float
    read: float
    out: float

    def micro_usd(self, usage: Usage) -> int:
        """A dollar for a million tokens is a millionth of a dollar for one."""
        return round(
            usage.fresh * self.fresh
            + usage.write_5m * self.write_5m
            + usage.read * self.read
            + usage.out * self.out
        )  # fmt: skip


@dataclass(frozen=True)
class Prices:
    version: str
    models: Mapping[str, Sequence[Band]]

    def micro_usd(self, model: str, usage: Usage) -> int | None:
        """What this cost in millionths of a dollar; None where the price is not known."""
        band = self._band(model, usage.tokens_in)
        return None if band is None or usage.write_1h else band.micro_usd(usage)

    def worst_micro_usd(self, model: str, tokens_in: int, max_tokens: int) -> int | None:
        """The most that a request can cost: all of it new to the cache, and the longest answer."""
        return self.micro_usd(model, Usage(0, tokens_in, 0, 0, max_tokens))

    def rates(self, model: str) -> tuple[float, float] | None:
        """New input and output of a long prompt; None where the price is not known."""
        band = self._band(model, LONG_TOKENS)
        return (band.fresh, band.out) if band else None

    def _band(self, model: str, tokens: int) -> Band | None:
        fits = [one for one in self.models.get(model, ()) if one.up_to_tokens is None or tokens <= one.up_to_tokens]
        return fits[0] if fits else None


@cache
def load_prices(file: Path = FILE) -> Prices:
    """The prices of this release."""
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    return Prices(said["version"], {name: [_band(one) for one in bands] for name, bands in said["models"].items()})


def _band(said: Mapping[str, Any]) -> Band:
    return Band(said.get("up_to_tokens"), said["fresh"], said["write_5m"], said["read"], said["out"])
