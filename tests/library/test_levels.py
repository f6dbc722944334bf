"""Level names: well-known synonyms are known, everything else is not guessed."""

import pytest

from library.levels import admitted_levels, known_levels


@pytest.mark.parametrize(
    ("seen", "known"),
    [
        (["ERROR", "Warn", "inf"], {"ERROR": "ERROR", "Warn": "WARNING", "inf": "INFO"}),
        (["SEVERE", "FINE", "INFO"], {"SEVERE": "ERROR", "FINE": "DEBUG", "INFO": "INFO"}),
        (["I", "W", "E"], {"I": "INFO", "W": "WARNING", "E": "ERROR"}),
        (["30", "50"], {"30": "INFO", "50": "ERROR"}),
        (["3", "6"], {}),
        (["E", "INFO"], {"INFO": "INFO"}),
        (["ODDISH", "ERRORS"], {}),
    ],
)
def test_only_well_known_names_have_a_level(seen, known):
    assert known_levels(seen) == known


def test_a_level_not_seen_yet_is_admitted_in_the_same_case():
    assert admitted_levels(["info", "error"])["critical"] == "CRITICAL"
    assert "CRITICAL" not in admitted_levels(["info", "error"])


def test_a_second_name_for_a_level_that_has_one_is_not_admitted():
    assert "WARNING" not in admitted_levels(["INFO", "WARN"])
    assert {"WARN", "WARNING"} <= set(admitted_levels(["INFO"]))


def test_letters_and_numbers_admit_only_what_was_seen():
    assert set(admitted_levels(["I", "E"])) == {"I", "E"}
