"""Numbers compared with what earlier slots had."""

from __future__ import annotations

from .declare import metric
from .state import current
from .surprise import Surprise


def check_usual(name: str, number: float) -> None:
    """Raises Surprise("UnusualNumber") when the number leaves the band of at least four earlier slots.

    The band reaches from a third of the smallest earlier value to three times the largest, with a slack of three
    below and ten above, because small counts jump about without meaning anything. Also declares the metric.
    """
    metric(name, number)
    earlier = [past.metrics[name] for past in current().slot.history if name in past.metrics]
    current().note_check("UnusualNumber", "")
    if len(earlier) < 4:
        return
    low, high = min(earlier) / 3 - 3, max(earlier) * 3 + 10
    if not low <= float(number) <= high:
        raise Surprise(
            "UnusualNumber",
            f"{name} is {number:,}; the last {len(earlier)} runs had between {min(earlier):,} and {max(earlier):,}",
            seen=number,
            expected=f"from {max(low, 0):,.0f} to {high:,.0f}",
        )
