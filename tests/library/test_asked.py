"""What people ask for finds the script that does it, in its own words and in theirs; what none does finds none."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from library.catalog import Script
from library.facts import ColumnFacts, CsvFacts, FileFacts, FileKind, LogFacts
from library.match import Spoken, match


def a_table(**kinds: str) -> FileFacts:
    columns = tuple(ColumnFacts(name, kind) for name, kind in kinds.items())
    return FileFacts("a.csv", 100, FileKind.CSV, csv=CsvFacts(",", columns, 3))


LOG = FileFacts("a.log", 100, FileKind.TEXT_LOG, log=LogFacts({"INFO": 3, "ERROR": 1}, 4, "iso", 1))
SALES = a_table(Region="text", Date="date", Amount="number", Shop="text")
BOOKS = a_table(date="date", customer="text", revenue="number", costs="number")
ITEMS = a_table(opened="date", ticket="text", owner="text", amount="number")
READINGS = a_table(time="date", sensor="text", celsius="number")
STATIONS = a_table(time="date", station="text", flow="number")
BOOKED = a_table(date="date", invoice="text", amount="number")
HOURS = a_table(date="date", machine="text", hours="number")
PINGS = a_table(time="date", host="text", status="text", ms="number")
PRODUCTS = a_table(date="date", product="text", amount="number")

ASKED: Mapping[str, tuple[FileFacts, tuple[str, ...]]] = {
    "totals-by-category": (
        SALES,
        (
            "Every Monday add up the amounts by region",
            "totals per region please",
            "What is the sum of the amounts in each shop?",
            "How much did we spend per shop?",
            "amounts by region",
            "Sales by region, every Friday at 16:00",
            "Give me a breakdown of our spending by shop",
            "Please sum up revenue per Region",
        ),
    ),
    "top-list": (
        HOURS,
        (
            "Which machines ran the most hours?",
            "top 5 machines by hours",
            "Rank names by their sum",
            "the machines with most hours, every Monday",
            "Our 3 biggest machines by hours",
        ),
    ),
    "ranked-margin": (
        BOOKS,
        (
            "Compute the net margin of each subsidiary and rank them",
            "Which of our shops are profitable?",
            "profit of each table, best first",
            "Work out revenue minus costs for every file",
            "margins, every first Monday of the month",
        ),
    ),
    "week-over-week": (
        PRODUCTS,
        (
            "What rose and what fell?",
            "Compare each product with the report before",
            "growth per product since last week",
            "Every Monday show the trend of sales per product",
            "Which products increased and which decreased?",
        ),
    ),
    "ageing-of-open-items": (
        ITEMS,
        (
            "Sort the open items by how long they have been open",
            "overdue tickets per owner",
            "Which tickets have been open longest?",
            "How old are our open invoices?",
            "the backlog by owner, on Mondays",
        ),
    ),
    "coverage-and-gaps": (
        STATIONS,
        (
            "Where are the gaps of each station?",
            "How much of the time did each station deliver values?",
            "Are values missing at a station?",
            "coverage of our gauges",
            "Is the flow data complete?",
        ),
    ),
    "duplicate-entries": (
        BOOKED,
        (
            "Find entries whose key comes more than once",
            "which invoices were booked twice?",
            "Any duplicates in here?",
            "duplicated invoices, each Monday",
            "Which orders are repeated, as they were booked again?",
        ),
    ),
    "readings-out-of-range": (
        READINGS,
        (
            "List the readings above 25 or below 18",
            "Alarm when a sensor exceeds 30",
            "Which temperatures were out of range?",
            "readings over the limit",
            "Was any sensor too hot?",
        ),
    ),
    "reconcile-two-files": (
        BOOKED,
        (
            "Reconcile these two files",
            "Compare the bank with the ledger",
            "Where do the amounts differ between bank and ledger?",
            "mismatches between the two exports",
            "Which entries are only in one of them?",
        ),
    ),
    "uptime-from-pings": (
        PINGS,
        (
            "weekly uptime of our hosts",
            "the longest outage of each host",
            "How available were the servers?",
            "Which services had downtime?",
            "pings that were not answered, per host",
        ),
    ),
    "log-error-summary": (
        LOG,
        (
            "Every Monday compile last week's instrument logs into an error summary",
            "Count the errors of each log file",
            "Summarise the failures",
            "the most frequent error messages",
            "How many warnings and errors were there?",
        ),
    ),
    "error-spikes": (
        LOG,
        (
            "Which days stand out for errors?",
            "errors per day",
            "Tell us of new kinds of error",
            "Were there any error peaks?",
            "unusual errors in the logs",
        ),
    ),
}
UNRELATED = (
    ("Write a poem about the sea", SALES),
    ("What is the weather in Bergen?", SALES),
    ("Please remind us of the meeting every Monday", SALES),
    ("Translate this file into Norwegian", SALES),
    ("Who made this file?", LOG),
    ("Every Monday post the mean value of each sensor of last week", READINGS),
    ("How many parcels of each carrier came after they were due?", a_table(carrier="text", due="date", came="number")),
    ("Turn this into a workbook", BOOKS),
    ("List the customers", BOOKS),
    ("What does each customer (kunde) owe in all (belop)?", a_table(kunde="text", belop="number")),
    ("Forecast next month", PRODUCTS),
    ("Please clean up the addresses", a_table(address="text", number="number")),
    ("Which device was silent longest last week?", LOG),
    ("What is the mean value of each sensor?", READINGS),
)


def test_every_script_of_the_library_is_asked_for(catalog: Mapping[str, Script]) -> None:
    assert set(ASKED) == set(catalog)
    assert all(len(requests) >= 5 for _, requests in ASKED.values())


@pytest.mark.parametrize("name", sorted(ASKED))
def test_natural_requests_find_their_script(
    spoken: Callable[[str], Spoken], catalog: Mapping[str, Script], name: str
) -> None:
    facts, requests = ASKED[name]

    picks = {one: next((m.script.name for m in match(spoken(one), [facts], catalog)), "none") for one in requests}

    assert {one: pick for one, pick in picks.items() if pick != name} == {}


def test_each_script_is_found_by_its_own_description(
    spoken: Callable[[str], Spoken], catalog: Mapping[str, Script]
) -> None:
    found = {name: match(spoken(catalog[name].says), [facts], catalog) for name, (facts, _) in ASKED.items()}

    assert {name: matches[0].script.name for name, matches in found.items()} == {name: name for name in ASKED}


def test_what_no_script_does_finds_none(spoken: Callable[[str], Spoken], catalog: Mapping[str, Script]) -> None:
    assert {asked: match(spoken(asked), [facts], catalog) for asked, facts in UNRELATED} == {
        asked: [] for asked, _ in UNRELATED
    }
