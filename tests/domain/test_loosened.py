"""What a new version did to the checks it kept: found by comparing two scripts, never by running them."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.loosened import changed_checks

OLD = """from kit import Surprise, check, check_usual, params
LEAST = 5
LIMIT = params["limit"]
for file in files:
    check("OddFile", len(lines) > 1, f"{file.name} is odd", rows=lines[:3])
check("FewLines", count >= LEAST, "too few lines")
check("TooMany", count < LIMIT * 2, "too many lines")
check("TooMany", errors < params["errors"], "too many errors")
if not found:
    raise Surprise("Nothing", "nothing was found")
check_usual("lines", count)
"""
PARAMETERS = {"limit": 100, "errors": 7}


def changes(old: str = "", new: str = "", parameters: dict[str, Any] | None = None) -> tuple[str, ...]:
    """What is found where `old` of the script above reads `new`, and some parameters are others."""
    assert old in OLD
    return changed_checks(OLD, OLD.replace(old, new) if old else OLD, PARAMETERS, PARAMETERS | (parameters or {}))


def test_the_same_checks_around_other_code_are_no_change() -> None:
    assert changes() == ()
    assert changes("for file in files:", "for file in sorted(files):") == ()
    assert changes('"too few lines"', '"there are too few lines"') == ()
    assert changes("lines[:3]", "lines[:2]") == ()


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("len(lines) > 1", "len(lines) > 0", "OddFile: its numbers were 1 and are 0"),
        ("len(lines) > 1", "True", "OddFile: its condition always holds now"),
        ("len(lines) > 1", "len(lines) > 1 or True", "OddFile: its condition always holds now"),
        ("len(lines) > 1", "not False", "OddFile: its condition always holds now"),
        ("len(lines) > 1", "len(lines) >= 1", "OddFile: its condition reads otherwise"),
        ("LEAST = 5", "LEAST = 1", "FewLines: its numbers were 5 and are 1"),
        ("LIMIT * 2", "LIMIT * 20", "TooMany: its numbers were limit=100, 2 and are limit=100, 20"),
        (
            'check("TooMany", errors < params["errors"], "too many errors")\n', "",
            "TooMany: asked in 1 place, before in 2 places",
        ),
    ],
)  # fmt: skip
def test_a_check_that_asks_otherwise_is_named_with_what_changed(old: str, new: str, found: str) -> None:
    assert changes(old, new) == (found,)


def test_a_parameter_that_a_check_compares_with_counts_as_its_number() -> None:
    assert changes(parameters={"errors": 700}) == ("TooMany: its numbers were errors=7 and are errors=700",)
    assert changes(parameters={"limit": 900}) == ("TooMany: its numbers were limit=100, 2 and are limit=900, 2",)


def test_a_stricter_number_is_named_too_because_the_text_alone_does_not_say_which_way_is_stricter() -> None:
    assert changes("count >= LEAST", "count >= 50") == ("FewLines: its numbers were 5 and are 50",)


def test_a_check_that_is_gone_is_for_others_to_name() -> None:
    assert changes('check("FewLines", count >= LEAST, "too few lines")\n', "") == ()


def test_a_name_that_stands_for_itself_ends_the_search() -> None:
    script = 'A = B + 1\nB = A + 1\ncheck("Odd", x > A, "odd")\n'
    assert changed_checks(script, script, {}, {}) == ()
