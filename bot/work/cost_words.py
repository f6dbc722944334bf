"""The same Monday, two ways, as the command line and /standby tell it."""

from collections.abc import Mapping, Sequence

from bot.domain.bill import Bill, Paid, whole
from bot.domain.bill_words import loop_span, rungs, said, usd, verdict
from bot.domain.counts import counted
from bot.domain.views import ReportView, Table
from bot.store.tables_plans import Routine

TITLE = "The same Monday, two ways"
MOST = 40  # routines in one message
HEADS = ("way", "to begin", "quiet runs", "when it halted")


def told(found: Sequence[tuple[Routine, Bill]], once: Mapping[str, Paid] | None = None) -> str:
    """Each routine in words and as a table of rungs, then each workspace; `once` is what its one-off questions cost."""
    once = once or {}
    parts = [_routine(routine, bill) for routine, bill in found]
    parts += [] if found else ["There is no routine yet, so nothing was paid for one."]
    teams = dict.fromkeys([*(routine.team_id for routine, _ in found), *once])
    return "\n\n".join(
        [*parts, *(_workspace(team, [b for r, b in found if r.team_id == team], once.get(team)) for team in teams)]
    )


def one_view(routine: Routine, bill: Bill) -> ReportView:
    """The bill of one routine, with what each rung would have cost over the same runs."""
    table = Table("What each way would have cost over these runs", HEADS, tuple(rungs(bill)))
    return ReportView(f"{TITLE}: {routine.name}", said(bill), (table,))


def every_view(found: Sequence[tuple[Routine, Bill]], more: int = 0) -> ReportView:
    """A line for each routine, and their sum; `more` that somebody may see are not among them."""
    rows = tuple((one.name, f"{bill.runs:,}", _paid(bill), _loop(bill), _cheaper(bill)) for one, bill in found)
    rest = f"\n\n{more} more do not fit here: /standby cost NAME tells of one." if more else ""
    table = Table("By routine", ("routine", "runs", "paid", "the cheapest loop", "script cheaper"), rows)
    return ReportView(TITLE, _whole([bill for _, bill in found]) + rest, (table,))


def _loop(bill: Bill) -> str:
    if not bill.runs or bill.loop_low is None:
        return "unknown" if bill.runs else "–"
    return f"at least {loop_span(bill)}"


def _cheaper(bill: Bill) -> str:
    """`verdict` in as few words as a cell of a phone holds."""
    if not verdict(bill):
        return "–"
    if bill.is_loop_cheaper:
        return f"from run {bill.break_even} on" if bill.break_even else "not so far"
    return f"since run {bill.break_even or 1}"


def _paid(bill: Bill) -> str:
    return f"{usd(bill.paid.micro_usd)}, and some unknown" if bill.paid.unknown else usd(bill.paid.micro_usd)


def _routine(routine: Routine, bill: Bill) -> str:
    rows = [HEADS, *rungs(bill)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(HEADS))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([f"{routine.name} ({routine.state})", f"  {said(bill)}", *(f"    {line}" for line in table)])


def _workspace(team_id: str, bills: Sequence[Bill], once: Paid | None) -> str:
    words = [_whole(bills)] if bills else []
    words += [once_words(once)] if once else []
    said = " ".join(words)
    return f"Workspace {team_id}: {said[0].lower()}{said[1:]}"


def once_words(once: Paid) -> str:
    """What questions cost that are no routine."""
    return f"Paid {usd(once.micro_usd)}{_unknown(once.unknown)} for questions asked once."


def _unknown(answers: int) -> str:
    """What is not in a sum because nobody knows its price."""
    return f" (and {counted(answers, 'answer')} of an unknown price)" if answers else ""


def _whole(bills: Sequence[Bill]) -> str:
    paid, low, high = whole(bills)
    runs = sum(one.runs for one in bills)
    said = f"Paid {usd(paid)}{_unknown(sum(one.paid.unknown for one in bills))} over {counted(runs, 'run')}"
    if low is None:
        return f"{said}; what the cheapest loops would have cost is unknown, as the price of a model is."
    loop = usd(low) if usd(low) == usd(high) else f"{usd(low)} to {usd(high)}"
    return f"{said}; the cheapest loops would have cost at least {loop}."
