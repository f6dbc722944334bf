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


CHECK = 'check("FewLines", count >= LEAST, "too few lines")'
ODD = '    check("OddFile", len(lines) > 1, f"{file.name} is odd", rows=lines[:3])\n'
SURPRISE = 'if not found:\n    raise Surprise("Nothing", "nothing was found")\n'


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (CHECK, f"if count:\n    {CHECK}", "FewLines: it is asked only if `count` now"),
        (CHECK, f"try:\n    {CHECK}\nexcept Exception:\n    pass", "FewLines: what it raises is caught now"),
        (CHECK, f"report()\n{CHECK}", "FewLines: it is asked after the report now"),
        (CHECK, f"count and {CHECK}", "FewLines: it is asked only if `count` now"),
        (CHECK, f"{CHECK} if count else None", "FewLines: it is asked only if `count` now"),
        (CHECK, f"for x in rows:\n    {CHECK}", "FewLines: it is asked for each of `rows` now"),
        (CHECK, f"[{CHECK} for x in rows]", "FewLines: it is asked for each of `rows` now"),
        (CHECK, f"while count:\n    {CHECK}", "FewLines: it is asked only if `count` now"),
        (CHECK, f"if quiet:\n    exit()\n{CHECK}", "FewLines: it is asked only where `if quiet: exit()` lets"),
        (CHECK, f"def never():\n    {CHECK}", "FewLines: it is asked within never, called in 0 places now"),
        (CHECK, f"ask = lambda: {CHECK}", "FewLines: it is asked within a lambda, called in 0 places now"),
        (CHECK, f"with suppress(Exception):\n    {CHECK}", "FewLines: it is asked within with suppress(Exception):"),
        ("count >= LEAST", "fine", "FewLines: its numbers were 5 and are none"),
        ("LEAST = 5\n", "LEAST = 5\ncount = 99\n", "FewLines: its numbers were 5 and are 99, 5"),
        ("for file in files:", "for file in files[:1]:", "OddFile: it is asked for each of `files[:1]` now"),
        ("in files:", "in files:\n    if file.old:\n        continue", "only where `if file.old: continue` lets"),
        (f"for file in files:\n{ODD}", ODD.strip() + "\n", "OddFile: it is no longer asked for each of `files`"),
        ("if not found:", "if not found and late:", "Nothing: it is asked only if `not found and late` now"),
        (SURPRISE, "try:\n    x()\nexcept Odd:\n    raise Surprise('Nothing', '')\n", "the handling of an error now"),
        ('usual("lines", count)', 'usual("lines 2", count)', "UnusualNumber: its condition reads otherwise"),
        ('check_usual("lines", count)', 'check_usual("lines", 5)', "UnusualNumber: its numbers were none and are 5"),
        ("LEAST = 5", "LEAST = 5\ndef check(*a, **b): pass", "every check: check is defined by the script itself"),
        ("LEAST = 5", "LEAST = 5\ncheck = print", "every check: check is given another meaning"),
        ("LEAST = 5", "LEAST = 5\nfrom math import sin as check", "every check: check comes from elsewhere"),
        ("LEAST = 5", "LEAST = 5\nkit.check = print", "every check: .check is given another meaning"),
        ("LEAST = 5", "LEAST = 5\ngetattr(kit, x)()", "every check: getattr, whose effect the text does not show"),
        ("LEAST = 5", "LEAST = 5\ncheck(name, False, '')", "every check: a check whose name is not written out"),
    ],
)  # fmt: skip
def test_whatever_may_make_a_check_hear_less_is_named(old: str, new: str, found: str) -> None:
    assert any(found in one for one in changes(old, new)), changes(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if not found:\n    raise", "raise"),
        (ODD, ODD + '    check("Another", lines, "new")\n'),
        ("LEAST = 5", "LEAST = 5\nmetric('lines', 7)"),
    ],
)
def test_what_asks_more_often_or_other_things_is_no_loosening(old: str, new: str) -> None:
    assert changes(old, new) == ()


READS = """log = read_log(file, levels=["ERROR"])
odd = [one for one in log.lines if bad(one)]
check("Odd", not odd, "odd")
"""


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('levels=["ERROR"]', 'levels=["ERROR", "JUNK"]', "reading: read_log: its condition reads otherwise"),
        ("read_log(file", "read_json(file", "reading: read_log: asked in 0 places, before in 1 place"),
        ("if bad(one)", "if False", "Odd: what it looks at is computed otherwise"),
        ("odd = [one for one in log.lines if bad(one)]", "odd = []", "Odd: what it looks at is computed otherwise"),
    ],
)
def test_data_that_never_reaches_a_check_is_named(old: str, new: str, found: str) -> None:
    [*said] = changed_checks(READS, READS.replace(old, new), {}, {})
    assert any(found in one for one in said), said


def test_a_parameter_that_leaves_out_what_a_check_looks_at_is_named() -> None:
    script = 'files = inputs(leave_out=params["leave_out"])\nfor file in files:\n    check("Odd", file.fine, "odd")\n'
    assert changed_checks(script, script, {"leave_out": []}, {"leave_out": ["spectro-07.log"]}) == (
        "reading: inputs: its numbers were leave_out=[] and are leave_out=['spectro-07.log']",
        "Odd: what it looks at is computed otherwise, so the text does not say whether it hears as much",
    )


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
