"""The same Monday, two ways: what was paid, beside the least that a loop of an agent would have cost.

The loop's side is a floor and not a guess: every run's input read once, one answer, no second turn, no retry. So it is
said when even that would have been cheaper.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

WINDOW_TOKENS = 900_000  # what one request can hold of data; more takes several
REPORT_TOKENS = 800  # an answer of about three kilobytes
FIXED_TOKENS = 2_500  # instructions and tools of a loop like ours
# English has about 4.0 bytes a token and CSV about 1.2, measured on public tokenizers: a range, where nobody measured.
UNMEASURED = (0.25, 0.86)
MICRO = 1_000_000


@dataclass(frozen=True)
class Rates:
    """Dollars for a million tokens of a model, on the day of `version`; None where its price is not known."""

    model: str
    version: str
    fresh_usd: float | None
    out_usd: float | None


@dataclass(frozen=True)
class Density:
    """Tokens a byte of this task's data: between two numbers, or one that was measured on a day."""

    low: float
    high: float
    measured_on: str = ""

    def words(self) -> str:
        if self.measured_on:
            return f"measured {self.low:.2f} tokens a byte on {self.measured_on}"
        return f"not measured: {self.low:.2f} to {self.high:.2f} tokens a byte"


def density(tokens: int, sample_bytes: int, measured_on: str) -> Density:
    """From a count of a sample; the range where there is none."""
    if not tokens or not sample_bytes:
        return Density(*UNMEASURED)
    return Density(tokens / sample_bytes, tokens / sample_bytes, measured_on)


@dataclass(frozen=True)
class Paid:
    """What a task's conversation cost. `unknown` are answers whose price is not known."""

    draft_micro_usd: int = 0
    surprise_micro_usd: int = 0
    surprises: int = 0
    tokens: int = 0
    unknown: int = 0

    @property
    def micro_usd(self) -> int:
        return self.draft_micro_usd + self.surprise_micro_usd


def summed(each: Sequence[Paid]) -> Paid:
    """What several conversations cost together."""
    return Paid(
        draft_micro_usd=sum(one.draft_micro_usd for one in each),
        surprise_micro_usd=sum(one.surprise_micro_usd for one in each),
        surprises=sum(one.surprises for one in each),
        tokens=sum(one.tokens for one in each),
        unknown=sum(one.unknown for one in each),
    )


@dataclass(frozen=True)
class RunRead:
    """One run of a slot: how much it read, and whether it halted."""

    size_bytes: int
    is_halted: bool = False


@dataclass(frozen=True)
class Bill:
    """Both ways in millionths of a dollar. The loop's are None where the price of its model is not known.

    `break_even` is the number of the run by which the loop, at its least, has cost what was paid; None where it is not
    known, or nothing was read yet.
    """

    paid: Paid
    runs: int
    halted: int
    read_bytes: int
    rates: Rates
    density: Density
    loop_low: int | None
    loop_high: int | None
    break_even: int | None

    @property
    def is_loop_cheaper(self) -> bool:
        """Whether even the least that a loop costs is less than what was paid so far."""
        return self.loop_low is not None and self.paid.unknown == 0 and self.loop_low < self.paid.micro_usd


def floor_micro_usd(size_bytes: int, tokens_a_byte: float, rates: Rates) -> int | None:
    """The cheapest loop over this much data, once: a window at a time, each with instructions and an answer."""
    if rates.fresh_usd is None or rates.out_usd is None:
        return None
    tokens = ceil(size_bytes * tokens_a_byte)
    windows = max(1, ceil(tokens / WINDOW_TOKENS))
    fixed = FIXED_TOKENS * rates.fresh_usd + REPORT_TOKENS * rates.out_usd
    return round(windows * fixed + tokens * rates.fresh_usd)


def bill_of(paid: Paid, runs: Sequence[RunRead], rates: Rates, dense: Density) -> Bill:
    """The bill of one routine. A halted run counts: a loop would have read it too."""
    low = [floor_micro_usd(run.size_bytes, dense.low, rates) for run in runs]
    high = [floor_micro_usd(run.size_bytes, dense.high, rates) for run in runs]
    return Bill(
        paid=paid,
        runs=len(runs),
        halted=sum(run.is_halted for run in runs),
        read_bytes=sum(run.size_bytes for run in runs),
        rates=rates,
        density=dense,
        loop_low=_sum(low),
        loop_high=_sum(high),
        break_even=_break_even(paid, low),
    )


def whole(bills: Sequence[Bill]) -> tuple[int, int | None, int | None]:
    """A workspace's: what was paid, and the loop's least and most; None as soon as one of them is not known."""
    return (
        sum(one.paid.micro_usd for one in bills),
        _sum([b.loop_low for b in bills]),
        _sum([b.loop_high for b in bills]),
    )


def _sum(each: Sequence[int | None]) -> int | None:
    known = [one for one in each if one is not None]
    return sum(known) if len(known) == len(each) else None


def _break_even(paid: Paid, floors: Sequence[int | None]) -> int | None:
    """By the runs as they were; beyond them, by their mean."""
    known = [one for one in floors if one is not None]
    if not known or len(known) < len(floors) or paid.unknown or not sum(known):
        return None
    left = paid.micro_usd
    for number, one in enumerate(known, 1):
        left -= one
        if left <= 0:
            return number
    return len(known) + ceil(left / (sum(known) / len(known)))
