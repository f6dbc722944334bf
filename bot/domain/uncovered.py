"""Time that no report covers: between the newest entry of one report and the first entry of the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

# As the kit names them: days before the slot was due.
NEWEST, FIRST = "days since the newest entry", "days since the first entry"

PART_OF_WINDOW = 0.5  # a weekend between Friday's last entry and Monday's first is under half a week
MORE_THAN_USUAL = 1.25


@dataclass(frozen=True)
class Covered:
    """What a reported slot says of its entries. `metrics` are the script's, by name."""

    due_at: datetime
    metrics: Mapping[str, float]

    def at(self, name: str) -> datetime | None:
        """The moment of that metric; None where the data has no dates."""
        days = self.metrics.get(name)
        return None if days is None else self.due_at - timedelta(days=float(days))


def uncovered(reports: Sequence[Covered], window: timedelta) -> tuple[datetime, datetime] | None:
    """From when to when nothing stands in the newest of these reports, oldest first, nor in the one before it.

    None where that is less than half of a slot's window, or about as long as between the reports before: who posts one
    day's files each week has six such days every time, and knows it.
    """
    *earlier, now = [(before.at(NEWEST), after.at(FIRST)) for before, after in pairwise(reports)] or [(None, None)]
    newest, first = now
    if newest is None or first is None:
        return None
    usual = max((begin - end for end, begin in earlier if end and begin), default=timedelta())
    is_long = first - newest > max(PART_OF_WINDOW * window, MORE_THAN_USUAL * usual)
    return (newest, first) if is_long else None
