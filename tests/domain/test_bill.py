"""The same Monday, two ways: a floor for the loop, what was paid, and the plain truth where the loop was cheaper."""

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.bill import MICRO, UNMEASURED, Paid, Rates, RunRead, bill_of, density, floor_micro_usd, whole
from bot.domain.bill_words import card_words, paid_words, rungs, said, usd, verdict

SONNET = Rates("claude-sonnet-5-5", "2026-11-30", 2.0, 10.0)
UNKNOWN = Rates("my-own-model", "2026-11-30", None, None)
HALF = density(500, 1_000, "2026-11-30")
DRAFT = Paid(draft_micro_usd=85_000, tokens=40_000)
WEEK_KB = 20_000


def test_the_floor_reads_each_run_once_a_window_at_a_time() -> None:
    # 10,000 tokens at $2 a million, the instructions once, and one answer at $10 a million
    assert floor_micro_usd(WEEK_KB, 0.5, SONNET) == 10_000 * 2 + 2_500 * 2 + 800 * 10
    assert floor_micro_usd(4_000_000, 0.5, SONNET) == 2_000_000 * 2 + 3 * (2_500 * 2 + 800 * 10)
    assert floor_micro_usd(WEEK_KB, 0.5, UNKNOWN) is None


def test_a_small_week_says_that_the_loop_was_cheaper_and_when_that_ends() -> None:
    bill = bill_of(DRAFT, [RunRead(WEEK_KB)] * 2, SONNET, HALF)

    assert bill.is_loop_cheaper
    assert bill.break_even == 3
    assert "the loop would have been cheaper by $0.0190; break-even is at run 3" in said(bill)


def test_after_break_even_the_script_is_cheaper_since_then() -> None:
    bill = bill_of(DRAFT, [RunRead(WEEK_KB)] * 52, SONNET, HALF)

    assert verdict(bill) == "The script has been cheaper since run 3."
    assert "52 runs: 0 tokens" in said(bill)
    assert "measured 0.50 tokens a byte on 2026-11-30; claude-sonnet-5-5, prices of 2026-11-30" in said(bill)


def test_without_a_count_a_range_is_said_to_be_one() -> None:
    bill = bill_of(Paid(), [RunRead(200_000)], SONNET, density(0, 0, ""))

    assert (bill.density.low, bill.density.high) == UNMEASURED
    assert "not measured: 0.25 to 0.86 tokens a byte" in said(bill)
    assert "Paid: nothing, no model was asked." in said(bill)
    assert bill.break_even == 1


def test_what_is_unknown_is_said_to_be_unknown_and_never_taken_for_nothing() -> None:
    bill = bill_of(Paid(draft_micro_usd=0, tokens=10, unknown=2), [RunRead(1_000)], UNKNOWN, HALF)

    assert "the price of 2 answers is unknown" in paid_words(bill)
    assert "the price of my-own-model is unknown" in said(bill)
    assert verdict(bill) == ""
    assert bill.break_even is None
    assert "unknown" in card_words(bill)
    assert whole([bill, bill_of(DRAFT, [RunRead(1)], SONNET, HALF)]) == (85_000, None, None)


def test_the_card_says_it_before_the_first_run() -> None:
    words = card_words(bill_of(DRAFT, [RunRead(WEEK_KB)], SONNET, HALF))

    assert words == (
        "Paid: $0.0850 for the draft. Each run costs no tokens, the cheapest loop at least $0.0330 "
        "(measured 0.50 tokens a byte on 2026-11-30). Break-even at run 3."
    )


def test_each_rung_over_quiet_weeks_and_on_the_day_of_the_surprise() -> None:
    paid = Paid(draft_micro_usd=85_000, surprise_micro_usd=61_000, surprises=1, tokens=90_000)
    runs = [*[RunRead(WEEK_KB)] * 3, RunRead(WEEK_KB, is_halted=True)]

    rows = {row[0]: row[1:] for row in rungs(bill_of(paid, runs, SONNET, HALF))}

    assert rows["loop, each time"] == ("$0", "at least $0.0990", "at least $0.0330")
    assert rows["ad hoc or plan first, asked anew each time"] == ("$0", "$0.2550", "$0.0850")
    assert rows["plan as code"] == ("$0.0850", "$0", "$0.0610")
    assert rows["existing script"] == ("$0", "$0", "$0")


@given(
    st.integers(0, 50 * MICRO),
    st.lists(st.integers(0, 10**12), max_size=40),
    st.integers(1, 10**6),
    st.integers(1, 10**6),
)
def test_break_even_is_the_first_run_at_which_the_loop_costs_as_much(
    paid: int, sizes: list[int], tokens: int, sample_bytes: int
) -> None:
    dense = density(tokens, sample_bytes, "2026-11-30")
    bill = bill_of(Paid(draft_micro_usd=paid, tokens=1), [RunRead(size) for size in sizes], SONNET, dense)

    if bill.break_even is not None and bill.break_even <= len(sizes):
        floors = [floor_micro_usd(size, dense.low, SONNET) or 0 for size in sizes]
        assert sum(floors[: bill.break_even]) >= paid
        assert sum(floors[: bill.break_even - 1]) < paid or bill.break_even == 1
        assert not bill.is_loop_cheaper
    assert bill.is_loop_cheaper == (bool(sizes or paid) and (bill.loop_low or 0) < paid)


def test_money_is_written_with_the_digits_that_it_needs() -> None:
    assert [usd(0), usd(85_000), usd(10_840_000), usd(None)] == ["$0", "$0.0850", "$10.84", "unknown"]
