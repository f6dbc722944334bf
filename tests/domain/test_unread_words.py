"""What of a request nothing read: conditions are caught, manners are not, and what could change an answer is known."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.accounted import Heard, asked_for
from bot.domain.request import read
from bot.domain.small_words import LIMITS, OPENS
from bot.domain.unread_words import above, cadence_of, not_read, unread
from library.catalog import load_catalog
from library.match import words_in
from library.named import alike

TOTALS = load_catalog()["totals-by-category"]
GOES_BY = {word for some in (*TOTALS.words, *TOTALS.also, *TOTALS.grouped) for word in some.split()}
DOES = {word for word in (*words_in(TOTALS.says), *TOTALS.does) if word not in LIMITS | OPENS | {"each", "which"}}


def heard_in(text: str, *files: str) -> Heard:
    """As the script of totals hears it, over Region, Amount, Date, Shop and Currency."""

    def among(words: set[str]) -> frozenset[str]:
        return frozenset(one for one in words_in(text) if any(alike(one.casefold(), word.casefold()) for word in words))

    return Heard(
        words=among(GOES_BY),
        does=among(DOES),
        used=("Region", "Amount"),
        unused=("Date", "Shop", "Currency"),
        values=("North", "South", "Bergen", "Nord AS", "NOK", "EUR", "Finance", "Office"),
        files=files or ("sales.csv",),
    )


CLEAN = """
Totals by region please
Could you give me the totals by region?
Hi, please make me a table with totals per Region, thanks!
Hey Standby, what are the total amounts for each region?
Please sum up the amounts in sales.csv by region
Sum of amounts per region for the attached file
Kari needs the totals by region for the board meeting
Totals by region, over all rows
I'd like an overview of totals per region as a table in this thread
add up amounts by region and email it to the finance team
Good morning! Can you please calculate the total per region? Thanks, Ola
Quick one: total by region
Could you do the totals by region as soon as possible, no rush
please run the totals by region for this week's file
<@U123> totals by region
:wave: totals by region please
Total by region. Thank you so much, you're the best!
We need the sum of all amounts by region so that Kari can put it in the deck
I want to see how much we spend in total by region
Hello, I have attached our sales, can you make the totals by region
just the totals by region
only the totals per region, nothing else
once, now: totals by region
Show me totals by region right now
Here is the file. Add up the amounts, by region.
Break down the total by region, largest first
From these 3 files, make totals by region
Give us a breakdown by region without me asking again
If possible, totals by region
As usual: totals by region, please and thank you
Totals by region, one line per region, in a table
What did we spend in each region? Just the sum
Every Monday at 7:00 add up the amounts by region
Every Monday morning at 7 sharp: totals by region, posted in #finance
every Friday at 16:00 send the totals per region to boss@example.org
Every weekday at 08:30 Oslo time post the total amount by region
Weekly totals by region, every Monday
Every Monday at 7 compile last week's data into totals by region
Can we get totals by region every first Monday of the month at 9
totals by region on the last day of every month at noon
Every day at 18:00 totals by region, skip public holidays in Norway
Every Monday wait for the file until 10:00, then totals by region
Totals by region from now on, every Tuesday
every quarter totals by region
Every Monday totals by region of the past week
Every day at 7 yesterday's totals by region
Totals by region of s3://lab/sales/*.csv, only new objects
Totals by region of s3://lab/sales/*.csv, just the new files
Totals by region because the board asked for it
Totals by region so that the finance team can see where we are, thanks, Ola
Totals by region, to be read by the team
What is the total by region?
Which of these is the total by region?
Which region has which total amount?
Tell me what the totals by region are
Which file has which total by region?
""".strip().splitlines()

CONDITIONS = {
    "totals by office": "by office",
    "totals by region, only new rows": "only new",
    "totals by region of `select * from sales`, only new files": "only new",
    "totals per department": "per department",
    "totals by region because only North was audited": "only North was audited",
    "totals by region so that December is complete": "December",
    "totals by region so that we see it without refunds": "without refunds",
    "totals by region, thanks, December": "December",
    "totals by region since 10 December": "since 10 December",
    "totals by region without north": "without north",
    "totals by month": "by month",
    "totals by region only for 2025": "only for 2025",
    "top 5 totals by region": "top 5",
    "totals by region in EUR": "in EUR",
    "totals by region excluding refunds": "excluding refunds",
    "totals for north": "for north",
    "totals by region and month": "month",
    "totals by region and shop": "shop",
    "totals by region per shop": "per shop",
    "totals by region for last month": "for last month",
    "average and total by region": "average",
    "totals by region above 1000": "above 1000",
    "totals by region where the amount is more than 500": "more than 500",
    "totals by region, not counting Bergen": "not counting Bergen",
    "only Bergen, totals by region": "only Bergen",
    "totals by region for Nord AS": "for Nord AS",
    "totals by region until 31 March": "until 31 March",
    "totals by region between January and June": "between January",
    "totals by region in thousands": "in thousands",
    "totals by region converted to dollars": "to dollars",
    "totals by region net of VAT": "of VAT",
    "year to date totals by region": "year",
    "totals by region ytd": "ytd",
    "totals by region for Q3": "for Q3",
    "totals by region, ignore negative amounts": "ignore negative amounts",
    "totals by region for the latest date": "for the latest date",
    "totals by region except the category travel": "except the category travel",
    "monthly totals by region": "monthly",
    "daily totals by region": "daily",
    "totals by region and a chart": "a chart",
    "compare totals by region with budget": "compare",
    "totals by region less returns": "less returns",
    "totals by sales person": "by sales person",
    "totals by region if the shop is open": "if the shop is open",
    "totals by region from 2024 to 2025": "from 2024",
    "totals by region for customers with at least 3 orders": "at least 3 orders",
    "totals by region for the first 10 rows": "for the first 10",
    "totals by region before Easter": "before Easter",
    "totals by region on weekdays only": "weekdays",
    "count of sales and total by region": "count",
    "the number of rows per shop, total": "per shop",
    "totals by region, rounded to whole kroner": "kroner",
    "the highest total by region": "highest",
    "totals by week": "by week",
    "totals by region adjusted for inflation": "adjusted",
    "totals by region for NOK": "for NOK",
    "totals by region, leave out Bergen": "leave out Bergen",
    "totals by region >1000": ">1000",
    "totals without expenses": "without expenses",
    "totals by account": "by account",
    "totals by region because the board meets, only since 10 December": "since 10 December",
    "totals by region so that Kari can plan, without north": "without north",
    "totals by region - December": "December",
    "May I have totals by region for May": "for May",
    "totals by region – North": "North",
    "totals by region, only those delivered": "only those delivered",
    "totals by region, without any of those delivered": "those delivered",
    "totals for Finance": "for Finance",
    "totals by region for the Finance department": "Finance",
    "totals by region, only office": "only office",
    "which branch had the total amount": "branch",
    "what machine had which total by region": "machine",
    "tell me which of the branches had the total": "branches",
    "totals by region, Finance only": "Finance only",
}


def cadence(text: str) -> str:
    return cadence_of(read(text, "07:00").when or "")


def is_once(text: str) -> bool:
    return read(text, "07:00").when is None


@pytest.mark.parametrize("asked", CLEAN)
def test_what_people_write_around_a_request_is_not_told_as_unread(asked: str) -> None:
    found = unread(asked, heard_in(asked), is_once=is_once(asked), cadence=cadence(asked))

    assert found.all == ()


@pytest.mark.parametrize("asked", sorted(CONDITIONS))
@pytest.mark.parametrize("before", ["", "Every Friday at 7 "], ids=["once", "weekly"])
def test_a_condition_that_nothing_read_could_change_the_answer(before: str, asked: str) -> None:
    text = before + asked

    found = unread(text, heard_in(text), is_once=not before, cadence=cadence(text) if before else "")

    assert any(CONDITIONS[asked] in one for one in found.changing), found


def test_the_lists_are_long_enough_to_mean_something() -> None:
    assert (len(CLEAN) >= 40, len(CONDITIONS) >= 40) == (True, True)


@settings(max_examples=15)
@given(st.sampled_from(CLEAN), st.sampled_from(sorted(CONDITIONS)), st.sampled_from([". ", ", ", "; "]))
def test_a_condition_is_caught_whatever_clean_words_stand_before_it(clean: str, asked: str, mark: str) -> None:
    text = f"{clean.rstrip('.!?')}{mark}{asked}"

    found = unread(text, heard_in(text), is_once=is_once(clean), cadence=cadence(clean))

    is_of_its_rhythm = asked.startswith(("daily", "monthly")) and not is_once(clean)
    assert is_of_its_rhythm or any(CONDITIONS[asked] in one for one in found.changing), found


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("totals by region for Norway", "for Norway"),
        ("hardware totals by region", "hardware"),
        ("totals by region, with a friendly tone", "with a friendly tone"),
        ("totals by region – Coffee", "– Coffee"),
        ("totals by region /Kari", "/Kari"),
    ],
)
def test_words_that_nobody_knows_are_told_and_no_reason_to_ask(asked: str, told: str) -> None:
    found = unread(asked, heard_in(asked), is_once=True)

    assert (found.changing, found.other) == ((), (told,))


def test_last_week_is_what_a_weekly_report_is_about_and_a_condition_in_any_other() -> None:
    asked = "totals by region for last week"

    assert unread(asked, heard_in(asked), cadence="week").all == ()
    assert unread(asked, heard_in(asked), cadence="month").changing == ("for last week",)
    assert unread(asked, heard_in(asked), is_once=True).changing == ("for last week",)
    assert unread("last week's logs, totals", heard_in("logs totals"), is_once=True).all == ()


def test_one_of_several_files_is_a_condition_and_all_of_them_are_not() -> None:
    files = ("north.csv", "south.csv")
    some, every = "totals by region for north.csv", "totals by region of north.csv and south.csv"

    assert unread(some, heard_in(some, *files), is_once=True).changing == ("for north.csv",)
    assert unread(every, heard_in(every, *files), is_once=True).all == ()
    assert unread("totals, leave out north.csv", heard_in("totals", *files), is_once=True).all == ()


def test_a_number_that_a_script_took_is_read_and_another_is_not() -> None:
    heard = Heard(words=frozenset({"top"}), phrases=("top 5",), used=("customer", "amount"))

    assert unread("top 5 customers by amount", heard, is_once=True).all == ()
    assert unread("top 5 customers by amount over 5", heard, is_once=True).changing == ("over 5",)


def test_a_word_that_only_speaks_for_the_script_may_mean_a_column_or_a_value() -> None:
    spoken = Heard(words=frozenset({"total", "sales", "costs", "expenses"}), telling=frozenset({"total"}))
    columns = replace(spoken, used=("Sales", "Region"), unused=("Costs", "Total"))

    assert unread("total sales and costs by region", columns, is_once=True).changing == ("costs",)
    assert unread("total sales by region", columns, is_once=True).all == ()
    assert unread("total for expenses", replace(spoken, values=("Expenses",)), is_once=True).changing == (
        "for expenses",
    )


def test_what_somebody_calls_ours_is_what_the_data_is_about() -> None:
    heard = Heard(words=frozenset({"coverage"}), telling=frozenset({"coverage"}), values=("weir",))

    assert unread("coverage of our gauges", heard, is_once=True).all == ()
    assert unread("coverage of our Norwegian gauges", heard, is_once=True).other == ("of our Norwegian gauges",)
    assert unread("coverage of our weir", heard, is_once=True).changing == ("of our weir",)


@pytest.mark.parametrize(
    ("when", "unit"),
    [
        ("0 7 * * mon", "week"),
        ("0 7 * * mon-fri", "day"),
        ("0 7 * * *", "day"),
        ("0 */2 * * *", "hour"),
        ("0 7 1 * *", "month"),
        ("0 7 1 jan,apr,jul,oct *", "quarter"),
        ("0 7 * * mon,thu", ""),
        ("0 7 * * mon-sat", "day"),
        ("0 7 * * mon,tue,wed,thu,fri,sat", "day"),
        ("0 7 * * mon-wed", ""),
        ("0 7 1 jan *", ""),
        ("0 7 1 jan,jul *", ""),
        ("last day of the month at 08:00", "month"),
        ("every 2 weeks on fri at 16:00", "week"),
        ("", ""),
    ],
)
def test_the_unit_in_which_a_routine_comes_back(when: str, unit: str) -> None:
    assert cadence_of(when) == unit


def test_what_is_left_is_quoted_as_it_stands_and_not_endlessly() -> None:
    many = tuple(f"by thing {number}" for number in range(7))

    assert not_read(()) == above(()) == ""
    assert above(("since 10 December",)) == (
        "Not read: “since 10 December”. This is made from all of the data, without that."
    )
    assert "“by thing 4” and 2 more. Without a model" in not_read(many)


def test_people_and_times_are_nothing_that_a_column_may_be_named_by() -> None:
    said = "Every Monday at 7 totals by region, and mail it to the team list"

    assert asked_for(said).split() == ["totals", "by", "region,", "and", "it", "the"]
