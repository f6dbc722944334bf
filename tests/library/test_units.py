"""Currencies and units of a sample: one is agreed, several are asked about before anything is added up."""

from __future__ import annotations

import importlib

import pytest

from library import fill_units
from library.catalog import load_catalog
from library.fill import fill
from library.kit_parameters import kit_parameters
from sandbox.outcome import Report, Surprised
from tests import inside
from tests.library.conftest import WINDOW, Lab

TOTALS, MARGIN = load_catalog()["totals-by-category"], load_catalog()["ranked-margin"]
READINGS, COVERAGE = load_catalog()["readings-out-of-range"], load_catalog()["coverage-and-gaps"]


def sales(*currencies: str, by: str = "Currency", first: int = 100) -> bytes:
    lines = [
        f"2026-09-0{1 + number % 6},region {number % 3},{first + number}.50,{currencies[number % len(currencies)]}"
        for number in range(40)
    ]
    return "\n".join([f"Date,Region,Amount,{by}", *lines, ""]).encode()


def test_the_one_currency_of_a_sample_is_agreed_and_another_one_halts_later(lab: Lab) -> None:
    filled = fill(TOTALS, lab.put({"a.csv": sales("NOK")}), said="totals by region")

    assert filled.questions == ()
    assert filled.parameters["readers"]["default"]["units"] == {"Currency": ["NOK"]}
    assert isinstance(lab.run(TOTALS, filled.parameters), Report)

    lab.put({"a.csv": sales("EUR", first=200)})
    halted = lab.run(TOTALS, filled.parameters)

    assert isinstance(halted, Surprised) and halted.name == "MixedUnits"
    repaired = fill(TOTALS, lab.put({"a.csv": sales("EUR", "NOK")}), before=filled.parameters)
    assert [question.key for question in repaired.questions] == ["units:Currency"]


@pytest.mark.parametrize(
    "files",
    [
        {"a.csv": sales("NOK", "EUR")},
        {"a.csv": sales("NOK", "EUR", by="place")},
        {"a.csv": sales("kg", "lb", by="unit")},
        {"a.csv": sales("NOK"), "b.csv": sales("EUR", first=300)},
        {"a.csv": sales("NOK"), "b.csv": sales("EUR", by="currency", first=300)},
        {"a.csv": sales("NOK"), "b.csv": sales("EUR", by="valuta", first=300)},
        {"a.csv": sales("", by="Note").replace(b"Amount", b"Amount nok"), "b.csv": sales("EUR", first=300)},
    ],
    ids=["one column", "by its values", "units", "a file each", "another case", "another name", "in a name"],
)
def test_several_are_asked_about_and_added_up_only_where_a_person_says_so(lab: Lab, files: dict[str, bytes]) -> None:
    facts = lab.put(files)

    [question] = fill(TOTALS, facts, said="totals by region").questions

    assert "a sum over several means nothing by itself" in question.ask
    nothing, add_up = [choice.value for choice in question.choices]
    refused = fill(TOTALS, facts, {question.key: nothing}, said="totals by region")
    assert "so nothing was computed" in refused.problems[0]
    admitted = fill(TOTALS, facts, {question.key: add_up}, said="totals by region")
    assert admitted.questions == ()
    assert isinstance(lab.run(TOTALS, admitted.parameters), Report)


def test_one_currency_under_two_names_is_agreed_and_asked_nothing(lab: Lab) -> None:
    facts = lab.put({"a.csv": sales("NOK"), "b.csv": sales("NOK", by="valuta", first=300)})
    filled = fill(TOTALS, facts, said="totals by region")

    assert filled.questions == ()
    assert isinstance(lab.run(TOTALS, filled.parameters), Report)

    in_a_name = sales("", by="Note").replace(b"Amount", b"Amount nok")
    named = fill(TOTALS, lab.put({"a.csv": in_a_name, "b.csv": sales("NOK", first=300)}), said="totals by region")
    assert named.questions == ()
    assert isinstance(lab.run(TOTALS, named.parameters), Report)


def test_readers_that_agreed_to_one_each_under_two_names_are_asked_about_in_a_repair(lab: Lab) -> None:
    healthy = {"a.csv": sales("NOK"), "b.csv": sales("NOK", by="valuta", first=300)}
    filled = fill(TOTALS, lab.put(healthy), said="totals by region")
    mixed = lab.put({"a.csv": sales("NOK"), "b.csv": sales("EUR", by="valuta", first=300)})

    assert isinstance(lab.run(TOTALS, filled.parameters), Surprised)
    [question] = fill(TOTALS, mixed, before=filled.parameters).questions
    admitted = fill(TOTALS, mixed, {question.key: "add them up"}, before=filled.parameters)
    assert isinstance(lab.run(TOTALS, admitted.parameters), Report)
    assert fill(TOTALS, mixed, before=admitted.parameters).questions == ()


def test_columns_whose_names_say_different_currencies_are_asked_about(lab: Lab) -> None:
    def books(code: str, first: int) -> bytes:
        lines = [f"2026-09-0{1 + n % 6},c{n},{first + n}.50,{first // 2 + n}.25" for n in range(20)]
        return "\n".join([f"date,customer,revenue_{code},costs_{code}", *lines, ""]).encode()

    same = fill(MARGIN, lab.put({"a.csv": books("eur", 100), "b.csv": books("eur", 300)}))
    other = fill(MARGIN, lab.put({"a.csv": books("eur", 100), "b.csv": books("nok", 300)}))

    assert same.questions == ()
    assert [question.key for question in other.questions] == ["units in names"]


def test_a_form_and_the_kit_know_the_same_currencies_in_names() -> None:
    inside.kit()
    in_kit = importlib.import_module("kit.units").IN_NAMES

    assert {code.upper() for code in fill_units.IN_NAMES} == in_kit


def test_readings_in_several_units_are_asked_about_and_mere_coverage_is_not(lab: Lab) -> None:
    lines = [f"2026-09-0{1 + n % 6} {n % 24:02}:00:00,s{n % 2},{20 + n}.5,{('bar', 'C')[n % 2]}" for n in range(40)]
    facts = lab.put({"a.csv": "\n".join(["time,sensor,value,unit", *lines, ""]).encode()})

    assert "units:unit" in [question.key for question in fill(READINGS, facts, said="below 5 or above 90").questions]
    covered = fill(COVERAGE, facts)
    assert covered.questions == ()
    assert "units" not in covered.parameters["readers"]["default"]


def test_a_script_of_somebodys_own_is_asked_nothing_and_the_kit_halts_it_unless_it_says_that_it_may(lab: Lab) -> None:
    source = "for file in agreed_files():\n    check_steady(file, read_table(file), numbers=['Amount'])\n"

    mixed = kit_parameters(source, lab.put({"a.csv": sales("NOK", "EUR")}), {}, window=WINDOW)
    one = kit_parameters(source, lab.put({"a.csv": sales("NOK")}), {}, window=WINDOW)

    assert (mixed.questions, one.questions) == ((), ())
    assert "units" not in mixed.parameters["readers"]["default"]
    assert one.parameters["readers"]["default"]["units"] == {"Currency": ["NOK"]}
