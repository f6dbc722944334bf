"""A bill in plain words: for the card, the command line, and a table of what each rung would have cost."""

from bot.domain.bill import MICRO, Bill
from bot.domain.counts import counted

Row = tuple[str, str, str, str]


def usd(micro: int | None) -> str:
    """Dollars, with as many digits as a small sum needs; unknown where it is not known."""
    if micro is None:
        return "unknown"
    return f"${micro / MICRO:,.2f}" if micro >= MICRO else f"${micro / MICRO:.4f}" if micro else "$0"


def paid_words(bill: Bill) -> str:
    paid = bill.paid
    if not paid.tokens and not paid.unknown:
        return "Paid: nothing, no model was asked."
    surprises = (
        f" and {usd(paid.surprise_micro_usd)} for {counted(paid.surprises, 'surprise')}" if paid.surprises else ""
    )
    unknown = f"; the price of {counted(paid.unknown, 'answer')} is unknown" if paid.unknown else ""
    return f"Paid: {usd(paid.draft_micro_usd)} for the draft{surprises}{unknown}."


def loop_words(bill: Bill) -> str:
    """The least of a loop, and where the number comes from."""
    base = f"({bill.density.words()}; {bill.rates.model}, prices of {bill.rates.version}; read once, no second turn)"
    if bill.loop_low is None:
        return f"A loop would have read the same {bill.read_bytes:,} bytes; the price of {bill.rates.model} is unknown."
    return f"A loop would have cost at least {_span(bill.loop_low, bill.loop_high)} {base}."


def verdict(bill: Bill) -> str:
    """Who was cheaper so far, said plainly either way; empty where it is not known."""
    if bill.loop_low is None or bill.paid.unknown or not bill.runs:
        return ""
    even = f"; break-even is at run {bill.break_even}" if bill.break_even else ""
    if bill.is_loop_cheaper:
        return f"So far the loop would have been cheaper by {usd(bill.paid.micro_usd - bill.loop_low)}{even}."
    return f"The script has been cheaper since run {bill.break_even or 1}."


def said(bill: Bill) -> str:
    """All of it for one routine."""
    halted = (", halted" if bill.runs == 1 else f", {bill.halted} of them halted") if bill.halted else ""
    runs = f"{counted(bill.runs, 'run')}{halted}: 0 tokens."
    return " ".join(filter(None, [paid_words(bill), runs, loop_words(bill) if bill.runs else "", verdict(bill)]))


def glance_words(bill: Bill) -> str:
    """In one line, for where many routines stand below each other; empty before the first run of one without a bill."""
    is_paid = bool(bill.paid.tokens or bill.paid.unknown)
    if not bill.runs:
        return f"{usd(bill.paid.micro_usd)} paid for the draft" if is_paid else ""
    paid = f"{usd(bill.paid.micro_usd)} paid" if is_paid else "nothing paid"
    loop = f"at least {loop_span(bill)}" if bill.loop_low is not None else "nobody knows what"
    unknown = ", and answers of an unknown price" if bill.paid.unknown else ""
    return f"{paid}{unknown}; {counted(bill.runs, 'run')} at 0 tokens, for which a loop would have cost {loop}"


def loop_span(bill: Bill) -> str:
    """The least of a loop, or the range where nobody measured."""
    return "unknown" if bill.loop_low is None else _span(bill.loop_low, bill.loop_high)


def card_words(bill: Bill) -> str:
    """Before the first run: `bill` is over one pretended run of the attached data."""
    if bill.loop_low is None:
        return f"{paid_words(bill)} Each run costs no tokens; the price of {bill.rates.model} is unknown."
    loop = f"the cheapest loop at least {_span(bill.loop_low, bill.loop_high)} ({bill.density.words()})"
    even = f" Break-even at run {bill.break_even}." if bill.break_even else ""
    return f"{paid_words(bill)} Each run costs no tokens, {loop}.{even}"


def rungs(bill: Bill) -> list[Row]:
    """What each way would have cost over these runs: to begin with, in quiet weeks, and when it halted."""
    each = None if bill.loop_low is None or not bill.runs else bill.loop_low // bill.runs
    quiet = bill.runs - bill.halted
    drafted = bill.paid.draft_micro_usd if bill.paid.tokens else None
    anew = None if drafted is None else drafted * quiet
    return [
        ("loop, each time", "$0", _least(_times(each, quiet)), _least(_times(each, bill.halted))),
        ("ad hoc or plan first, asked anew each time", "$0", usd(anew), usd(_times(drafted, bill.halted))),
        ("plan as code", usd(drafted), "$0", usd(bill.paid.surprise_micro_usd)),
        ("existing script", "$0", "$0", "$0"),
    ]


def _times(each: int | None, number: int) -> int | None:
    return None if each is None else each * number


def _least(micro: int | None) -> str:
    return usd(micro) if micro is None else f"at least {usd(micro)}"


def _span(low: int, high: int | None) -> str:
    return usd(low) if high is None or usd(high) == usd(low) else f"{usd(low)} to {usd(high)}"
