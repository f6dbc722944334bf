"""The same Monday, two ways, as the command line tells it."""

from collections.abc import Sequence

from bot.domain.bill import Bill, whole
from bot.domain.bill_words import rungs, said, usd
from bot.store.tables_plans import Routine

HEADS = ("way", "to begin", "quiet runs", "when it halted")


def told(found: Sequence[tuple[Routine, Bill]]) -> str:
    """Each routine in words and as a table of rungs, then each workspace."""
    if not found:
        return "There is no routine yet, so nothing was paid for one."
    parts = [_routine(routine, bill) for routine, bill in found]
    teams = dict.fromkeys(routine.team_id for routine, _ in found)
    return "\n\n".join([*parts, *(_workspace(team, [b for r, b in found if r.team_id == team]) for team in teams)])


def _routine(routine: Routine, bill: Bill) -> str:
    rows = [HEADS, *rungs(bill)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(HEADS))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([f"{routine.name} ({routine.state})", f"  {said(bill)}", *(f"    {line}" for line in table)])


def _workspace(team_id: str, bills: Sequence[Bill]) -> str:
    paid, low, high = whole(bills)
    loop = usd(low) if usd(low) == usd(high) else f"{usd(low)} to {usd(high)}"
    runs = sum(one.runs for one in bills)
    return (
        f"Workspace {team_id}: paid {usd(paid)} over {runs} runs; the cheapest loops would have cost at least {loop}."
    )
