"""Columns of names and dates: found by their usual names, asked where that does not decide."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from library.catalog import load_catalog
from library.facts import ColumnFacts, CsvFacts, FileFacts, FileKind
from library.fill import fill
from library.match import Spoken, match

DAY = ("%Y-%m-%d",)


def a_table(*columns: tuple[str, str], dates: tuple[str, ...] = DAY, name: str = "a.csv") -> FileFacts:
    facts = tuple(ColumnFacts(one, kind, dates if kind == "date" else ()) for one, kind in columns)
    return FileFacts(name, 100, FileKind.CSV, csv=CsvFacts(",", facts, 3))


def test_roles_and_dates_are_found_by_their_usual_names() -> None:
    facts = [a_table(("booked", "date"), ("Cost center", "text"), ("amount_nok", "number"), ("note", "text"))]

    filled = fill(load_catalog()["totals-by-category"], facts)

    assert filled.questions == ()
    reader = filled.parameters["readers"]["default"]
    assert reader["columns"] == {"amount": "amount_nok", "category": "Cost center"}
    assert reader["dates"] == {"booked": "%Y-%m-%d"}


def test_what_several_columns_could_be_is_asked_and_never_guessed() -> None:
    facts = [a_table(("from", "date"), ("to", "date"), ("left", "text"), ("right", "text"), ("amount", "number"))]

    asked = fill(load_catalog()["totals-by-category"], facts)
    keys = [question.key for question in asked.questions]
    answered = fill(load_catalog()["totals-by-category"], facts, dict(zip(keys, ("right", "to"), strict=True)))

    assert [question.ask for question in asked.questions] == [
        "Which column of a.csv holds the category?",
        "Which column of a.csv says when an entry was?",
    ]
    assert answered.parameters["readers"]["default"]["columns"]["category"] == "right"
    assert answered.parameters["readers"]["default"]["dates"] == {"to": "%Y-%m-%d"}


def test_dates_that_read_two_ways_are_asked_about() -> None:
    facts = [a_table(("date", "date"), ("category", "text"), ("amount", "number"), dates=("%d/%m/%Y", "%m/%d/%Y"))]

    [question] = fill(load_catalog()["totals-by-category"], facts).questions

    assert [choice.label for choice in question.choices] == ["day/month/year", "month/day/year"]


def test_limits_nobody_named_are_asked() -> None:
    facts = [a_table(("time", "date"), ("sensor", "text"), ("celsius", "number"))]

    asked = fill(load_catalog()["readings-out-of-range"], facts)

    assert {question.key for question in asked.questions} == {"low", "high"}


@pytest.mark.parametrize(
    ("words", "columns", "picked"),
    [
        ("total spend per category, every Monday", (("category", "text"), ("amount", "number")), "totals-by-category"),
        ("list the top machines by hours", (("machine", "text"), ("hours", "number")), "top-list"),
        ("which invoices are booked twice?", (("invoice", "text"), ("amount", "number")), "duplicate-entries"),
        ("weekly uptime of our hosts", (("host", "text"), ("status", "text"), ("ms", "number")), "uptime-from-pings"),
        ("readings above the limit", (("sensor", "text"), ("value", "number")), "readings-out-of-range"),
        ("reconcile the bank with our ledger", (("reference", "text"), ("amount", "number")), "reconcile-two-files"),
        (
            "ageing of unpaid invoices",
            (("invoice", "text"), ("owner", "text"), ("due", "number")),
            "ageing-of-open-items",
        ),
        ("coverage of the stations and their gaps", (("station", "text"), ("value", "number")), "coverage-and-gaps"),
        ("growth per product since last week", (("product", "text"), ("amount", "number")), "week-over-week"),
    ],
)
def test_a_request_finds_its_script(
    spoken: Callable[[str], Spoken], words: str, columns: tuple[tuple[str, str], ...], picked: str
) -> None:
    assert match(spoken(words), [a_table(*columns)], load_catalog())[0].script.name == picked


def test_the_mean_of_each_sensor_is_no_script_of_ours(spoken: Callable[[str], Spoken]) -> None:
    facts = [a_table(("sensor", "text"), ("value", "number"))]

    asked = spoken("Every Monday post the mean value of each sensor of last week")

    assert match(asked, facts, load_catalog()) == []


@pytest.mark.parametrize(
    ("written", "value"), [("6,9", 6.9), ("6.9", 6.9), ("-12", -12), ("−0,5", -0.5), ("1 200", 1200), ("0,125", 0.125)]
)
def test_a_limit_is_read_as_people_write_it(written: str, value: float) -> None:
    facts = [a_table(("time", "date"), ("sensor", "text"), ("celsius", "number"))]

    filled = fill(load_catalog()["readings-out-of-range"], facts, {"low": written, "high": "7000"})

    assert (filled.parameters["low"], filled.questions) == (value, ())


@pytest.mark.parametrize("written", ["below 6.9", "1,234", "inf", "1e400", "6,9,1", "٣"])
def test_what_is_no_plain_number_is_asked_again_and_never_guessed(written: str) -> None:
    facts = [a_table(("time", "date"), ("sensor", "text"), ("celsius", "number"))]

    [asked] = fill(load_catalog()["readings-out-of-range"], facts, {"low": written, "high": "7"}).questions

    assert (asked.key, f"“{written}” is no number" in asked.ask) == ("low", True)


REGIONS = a_table(
    ("Date", "date"), ("Region", "text"), ("Cost_Center", "text"), ("Team", "text"), ("Amount", "number"), name="s.csv"
)


@pytest.mark.parametrize(
    ("said", "column"),
    [
        ("add up the amounts by region", "Region"),
        ("totals per Region", "Region"),
        ("the total of each of the REGIONS", "Region"),
        ("the total for each region", "Region"),
        ("totals by cost centers", "Cost_Center"),
        ("totals nach Region", "Region"),
        ("region totals", "Region"),
        ("totals by team", "Team"),
    ],
)
def test_the_column_that_a_request_goes_by_is_the_category(said: str, column: str) -> None:
    filled = fill(load_catalog()["totals-by-category"], [REGIONS], said=said)

    assert filled.questions == ()
    assert filled.parameters["readers"]["default"]["columns"] == {"amount": "Amount", "category": column}


def test_a_named_column_goes_before_one_of_a_usual_name() -> None:
    facts = [a_table(("category", "text"), ("region", "text"), ("amount", "number"), ("net amount", "number"))]

    usual = fill(load_catalog()["totals-by-category"], facts, said="totals")
    named = fill(load_catalog()["totals-by-category"], facts, said="totals of the net amount by region")

    assert usual.parameters["readers"]["default"]["columns"] == {"amount": "amount", "category": "category"}
    assert named.parameters["readers"]["default"]["columns"] == {"amount": "net amount", "category": "region"}


def test_two_columns_to_go_by_are_asked_about() -> None:
    filled = fill(load_catalog()["totals-by-category"], [REGIONS], said="totals by region and by team")

    [question] = filled.questions
    assert [choice.value for choice in question.choices] == ["Region", "Team"]


def test_every_month_is_a_schedule_and_no_column() -> None:
    facts = [a_table(("Month", "text"), ("Category", "text"), ("Amount", "number"))]

    filled = fill(load_catalog()["totals-by-category"], facts, said="every month totals")

    assert filled.parameters["readers"]["default"]["columns"]["category"] == "Category"


def test_what_a_list_is_ranked_by_is_no_name_in_it() -> None:
    facts = [a_table(("Region", "text"), ("Date", "date"), ("Amount", "number"))]

    filled = fill(load_catalog()["top-list"], facts, said="top 5 regions by amount")

    assert filled.parameters["readers"]["default"]["columns"] == {"amount": "Amount", "name": "Region"}


def test_a_file_of_other_columns_may_be_left_out_of_what_is_asked_about_it() -> None:
    sales = a_table(("date", "date"), ("region", "text"), ("amount", "number"), name="sales.csv")
    people = a_table(("name", "text"), ("team", "text"), ("desk", "number"), ("floor", "number"), name="people.csv")
    script = load_catalog()["totals-by-category"]

    asked = fill(script, [sales, people]).questions
    left = fill(script, [sales, people], {asked[0].key: "leave it out"})

    assert {one.ask for one in asked} >= {"Which column of people.csv holds the amount?"}
    assert [one.choices[-1].label for one in asked] == ["Leave people.csv out every time"] * len(asked)
    assert left.questions == ()
    assert left.parameters["leave_out"] == ["people.csv"]
    assert list(left.parameters["expected_files"]) == ["sales.csv"]
    # Where it is all there is, there is nothing to leave it out of
    assert "Leave" not in str([one.choices for one in fill(script, [people]).questions])
