"""Numbers compared with what earlier slots had."""

from __future__ import annotations

from decimal import Decimal

from .declare import metric
from .given import Input, inputs
from .state import current
from .surprise import Surprise

ENOUGH = 4  # earlier slots from which something may be called usual
COUNTS = (3, 10)  # what a number of things may jump about
FILES = 20  # whose numbers are compared one by one; of more, only what a script compares over all of them


def check_usual(
    name: str, number: float | Decimal, file: Input | None = None, *, slack: tuple[float, float] = COUNTS
) -> None:
    """Raises Surprise("UnusualNumber") when the number leaves the band of at least four earlier slots.

    The band reaches from a third of the smallest earlier value to three times the largest (of those below zero the
    other way round), with `slack` below and above: small counts jump about without meaning anything, shares do not.
    Also declares the metric. A number of one `file` is compared where there are at most 20 of them.
    """
    current().note_check("UnusualNumber", file.name if file else "")
    if file is not None:
        if not are_few():
            return
        name = f"{name} of {file.name}"
    metric(name, number)
    earlier = earlier_of(name)
    if len(earlier) < ENOUGH:
        return
    least, most = min(earlier), max(earlier)
    low, high = least / 3 if least > 0 else least * 3, most * 3 if most > 0 else most / 3
    low, high = low - slack[0], high + slack[1]
    if not low <= float(number) <= high:
        raise Surprise(
            "UnusualNumber",
            f"{name} is {number:,}; the last {len(earlier)} runs had between {least:,} and {most:,}",
            seen=number,
            expected=f"from {low:,.0f} to {high:,.0f}",
            file=file.name if file else "",
        )


def are_few() -> bool:
    """Whether the slot has so few files that each may have metrics of its own."""
    return len(inputs()) <= FILES


def earlier_of(name: str) -> list[float]:
    """What earlier slots had as this metric."""
    return [past.metrics[name] for past in current().slot.history if name in past.metrics]
