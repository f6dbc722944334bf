"""Numbers compared with what earlier slots had."""

from __future__ import annotations

from decimal import Decimal

from .declare import metric
from .state import current
from .surprise import Surprise


def check_usual(name: str, number: float | Decimal) -> None:
    """Raises Surprise("UnusualNumber") when the number leaves the band of at least four earlier slots.

    The band reaches from a third of the smallest earlier value to three times the largest (of those below zero the
    other way round), with a slack of three below and ten above, because small counts jump about without meaning
    anything. Also declares the metric.
    """
    metric(name, number)
    earlier = [past.metrics[name] for past in current().slot.history if name in past.metrics]
    current().note_check("UnusualNumber", "")
    if len(earlier) < 4:
        return
    least, most = min(earlier), max(earlier)
    low, high = least / 3 if least > 0 else least * 3, most * 3 if most > 0 else most / 3
    low, high = low - 3, high + 10
    if not low <= float(number) <= high:
        raise Surprise(
            "UnusualNumber",
            f"{name} is {number:,}; the last {len(earlier)} runs had between {least:,} and {most:,}",
            seen=number,
            expected=f"from {low:,.0f} to {high:,.0f}",
        )
