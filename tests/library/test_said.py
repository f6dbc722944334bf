"""Numbers in the words of a request: read where a parameter's own words say how, asked where they do not decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from library.catalog import Script, load_catalog
from library.facts import ColumnFacts, CsvFacts, FileFacts, FileKind
from library.fill import fill
from library.match import Spoken, match
from library.said import said_number

PH = FileFacts(
    "ph.csv",
    100,
    FileKind.CSV,
    csv=CsvFacts(
        ",",
        (
            ColumnFacts("time", "date", ("%Y-%m-%d",)),
            ColumnFacts("sensor", "text"),
            ColumnFacts("ph", "number"),
            ColumnFacts("celsius_in", "number"),
        ),
        3,
    ),
)


@pytest.mark.parametrize(
    ("said", "low", "high"),
    [
        ("list readings below 6.9 or above 7.3", 6.9, 7.3),
        ("readings under 6,9 and those over the limit of 7,3", 6.9, 7.3),
        ("alarm if pH < 6.9 or pH>7.3", 6.9, 7.3),
        ("readings outside 6.9 to 7.3, please", 6.9, 7.3),
        ("readings outside 6.9-7.3", 6.9, 7.3),
        ("it must be between -80 and −60 degrees", -80, -60),
        ("below ph 6.9 or higher than ph 7", 6.9, 7),
    ],
)
def test_limits_in_words_are_read_and_said(said: str, low: float, high: float) -> None:
    filled = fill(load_catalog()["readings-out-of-range"], [PH], said=said)

    assert (filled.parameters.get("low"), filled.parameters.get("high")) == (low, high)
    assert len(filled.taken) == 2 and filled.taken[0].startswith(f"low is {low:g} (“")
    assert not {"low", "high"} & {question.key for question in filled.questions}


@pytest.mark.parametrize(
    "said",
    [
        "readings below 6.9, and below 4 for conductivity",  # which of the two?
        "readings below 1,234",  # a thousand, or a decimal comma
        "readings between 6.9 and 7.3",  # those, or all others?
        "sensors silent for less than 3 days",
        "posted before 07:30, under 07:30",
        "below average",
    ],
)
def test_what_words_leave_open_is_asked(said: str) -> None:
    filled = fill(load_catalog()["readings-out-of-range"], [PH], said=said)

    assert "low" in {question.key for question in filled.questions}
    assert "low" not in filled.parameters


def test_a_form_and_an_earlier_version_outrank_the_words() -> None:
    script, said = load_catalog()["readings-out-of-range"], "readings below 6.9 or above 7.3"

    answered = fill(script, [PH], {"low": "5"}, said=said)
    repaired = fill(script, [PH], {"low": "5", "high": "9"}, {"low": 5, "high": 9}, said=said)

    assert (answered.parameters["low"], answered.parameters["high"]) == (5, 7.3)
    assert (repaired.parameters["low"], repaired.parameters["high"], repaired.taken) == (5, 9, ())


def test_a_list_is_as_long_as_the_request_says_else_as_usual() -> None:
    script = load_catalog()["top-list"]

    assert fill(script, [PH], said="the top 5 customers").parameters["top"] == 5
    assert fill(script, [PH], said="the 7 largest customers").parameters["top"] == 7
    assert fill(script, [PH], said="the largest customers").parameters["top"] == 10


def test_a_column_that_the_request_names_is_the_one() -> None:
    script = load_catalog()["readings-out-of-range"]

    named = fill(script, [PH], said="readings of pH below 6.9 or above 7.3")
    usual = fill(script, [PH], said="readings below 6.9 or above 7.3")

    assert named.parameters["readers"]["default"]["columns"]["value"] == "ph"
    assert usual.parameters["readers"]["default"]["columns"]["value"] == "celsius_in"


def test_a_request_that_gives_every_limit_finds_the_script_without_its_telling_words(
    spoken: Callable[[str], Spoken], catalog: Mapping[str, Script]
) -> None:
    asked = spoken("Every Monday list the readings of ph below 6.9 or above 7.3")

    found = match(asked, [PH], catalog)

    assert found[0].script.name == "readings-out-of-range"
    assert found[0].reason.endswith("and the file is a CSV table.")
    assert said_number(("below #",), "nothing of the kind") == ("", "")
