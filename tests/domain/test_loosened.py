"""What a new version did to the checks it kept: found by comparing two scripts, never by running them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.loosened import TOO_DEEP, Loosened, loosened

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


def changes(old: str = "", new: str = "", parameters: dict[str, Any] | None = None) -> Loosened:
    """What is found where `old` of the script above reads `new`, and some parameters are others."""
    assert old in OLD
    return loosened(OLD, OLD.replace(old, new) if old else OLD, PARAMETERS, PARAMETERS | (parameters or {}))


CHECK = 'check("FewLines", count >= LEAST, "too few lines")'
ODD = '    check("OddFile", len(lines) > 1, f"{file.name} is odd", rows=lines[:3])\n'
SURPRISE = 'if not found:\n    raise Surprise("Nothing", "nothing was found")\n'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("for file in files:", "for file in sorted(files):"),
        ('"too few lines"', '"there are too few lines"'),
        ("lines[:3]", "lines[:2]"),
        ("len(lines) > 1", "len(lines) >= 2"),
        ("len(lines) > 1", "len(lines) > 2"),
        ("len(lines) > 1", "len(lines) > 1 and file.fine"),
        ("LEAST = 5", "LEAST = 50"),
        ("LEAST = 5", "FEWEST = 5\nLEAST = FEWEST"),
        ("count >= LEAST", "5 <= count"),
        ("LIMIT * 2", "LIMIT * 1.5"),
        (SURPRISE, 'check("Nothing", found, "nothing was found")\n'),
        (SURPRISE, 'check("Nothing", bool(found), "nothing was found")\n'),
        ("if not found:\n    raise", "raise"),
        ("if not found:", "if not found or late:"),
        (ODD, ODD + '    check("Another", lines, "new")\n'),
        ("LEAST = 5", "LEAST = 5\nmetric('lines', 7)"),
        (CHECK, f"def ask():\n    {CHECK}\nask()"),
        (CHECK, f"try:\n    {CHECK}\nexcept ValueError:\n    pass"),
        (CHECK, f"try:\n    {CHECK}\nexcept Exception:\n    raise"),
        (CHECK, f"report()\n{CHECK}"),
        (CHECK, f"for line in lines:\n    if not line:\n        continue\n{CHECK}"),
    ],
)
def test_a_check_that_is_as_strict_or_stricter_asks_for_nothing(old: str, new: str) -> None:
    assert changes(old, new).weaker == ()


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("len(lines) > 1", "len(lines) > 0", "OddFile: its condition was `len(lines) > 1` and is `len(lines) > 0`"),
        ("len(lines) > 1", "len(lines) > 1 or fine", "OddFile: its condition was `len(lines) > 1` and is"),
        ("len(lines) > 1", "True", "OddFile: its condition always holds now"),
        ("len(lines) > 1", "len(lines) > 1 or True", "OddFile: its condition always holds now"),
        ("len(lines) > 1", "not False", "OddFile: its condition always holds now"),
        ("len(lines) > 1", "lines or old", "OddFile: its condition was `len(lines) > 1` and is `lines or old`"),
        ("LEAST = 5", "LEAST = 1", "FewLines: its condition was `count >= 5` and is `count >= 1`"),
        ("LEAST = 5\n", "LEAST = 5\ncount = 99\n", "FewLines: its condition always holds now"),
        ("LIMIT * 2", "LIMIT * 20", "TooMany: its condition was `count < 200` and is `count < 2000`"),
        ('check("TooMany", errors < params["errors"], "too many errors")\n', "", "TooMany: asked in 1 place, before"),
        (CHECK, f"if count:\n    {CHECK}", "FewLines: it is asked only if `count` now"),
        (CHECK, f"try:\n    {CHECK}\nexcept Exception:\n    pass", "FewLines: what it raises is caught now"),
        (CHECK, f"try:\n    {CHECK}\nexcept Surprise:\n    pass", "FewLines: what it raises is caught now"),
        (CHECK, f"try:\n    {CHECK}\nexcept (KeyError, kit.Surprise):\n    pass", "FewLines: what it raises is caught"),
        (CHECK, f"def ask():\n    {CHECK}\ntry:\n    ask()\nexcept:\n    pass", "FewLines: what it raises is caught"),
        (CHECK, f"count and {CHECK}", "FewLines: it is asked only if `count` now"),
        (CHECK, f"{CHECK} if count else None", "FewLines: it is asked only if `count` now"),
        (CHECK, f"for x in rows:\n    {CHECK}", "FewLines: it is asked for each of `rows` now"),
        (CHECK, f"[{CHECK} for x in rows]", "FewLines: it is asked for each of `rows` now"),
        (CHECK, f"while count:\n    {CHECK}", "FewLines: it is asked only if `count` now"),
        (CHECK, f"if quiet:\n    exit()\n{CHECK}", "FewLines: it is asked only where `if quiet: exit()` lets"),
        (CHECK, f"def never():\n    {CHECK}", "FewLines: it is asked within never, which is called nowhere"),
        (CHECK, f"ask = lambda: {CHECK}", "FewLines: it is asked within a lambda, which is called nowhere"),
        (CHECK, f"with suppress(Exception):\n    {CHECK}", "FewLines: it is asked within with suppress(Exception):"),
        ("count >= LEAST", "fine", "FewLines: its condition was `count >= 5` and is `fine`"),
        ("for file in files:", "for file in files[:1]:", "OddFile: it is asked for each of `files[:1]` now"),
        ("in files:", "in files:\n    if file.old:\n        continue", "only where `if file.old: continue` lets"),
        (f"for file in files:\n{ODD}", ODD.strip() + "\n", "OddFile: it is no longer asked for each of `files`"),
        ("if not found:", "if not found and late:", "Nothing: it is asked only if `not found and late` now"),
        (SURPRISE, "try:\n    x()\nexcept Odd:\n    raise Surprise('Nothing', '')\n", "the handling of an error now"),
        ('usual("lines", count)', 'usual("lines 2", count)', "UnusualNumber: it is asked of “lines 2”, before of"),
        ('check_usual("lines", count)', 'check_usual("lines", 5)', "UnusualNumber: it is asked of 5, whatever"),
        ("LEAST = 5", "LEAST = 5\ndef check(*a, **b): pass", "every check: check is defined by the script itself"),
        ("LEAST = 5", "LEAST = 5\ncheck = print", "every check: check is given another meaning"),
        ("LEAST = 5", "LEAST = 5\nfrom math import sin as check", "every check: check comes from elsewhere"),
        ("LEAST = 5", "LEAST = 5\nkit.check = print", "every check: .check is given another meaning"),
        ("LEAST = 5", "LEAST = 5\ngetattr(kit, x)()", "every check: getattr, whose effect the text does not show"),
        ("LEAST = 5", "LEAST = 5\ncheck(name, False, '')", "every check: a check whose name is not written out"),
    ],
)  # fmt: skip
def test_a_check_that_hears_less_is_named_with_what_makes_it(old: str, new: str, found: str) -> None:
    assert any(found in one for one in changes(old, new).weaker), changes(old, new)


READS = """KNOWN = ("C", "F")
log = read_log(file)
odd, lines = [], 0
for line in log.lines:
    lines += 1
    if line.unit not in KNOWN:
        odd.append(line)
    elif line.bad:
        odd.append(line)
times = [stamp(one) for one in log.lines]
check("Odd", not odd, "odd")
check("NoTimes", len(times) > 1, "no times")
check("OddUnit", log.unit in KNOWN, "odd unit")
"""


@pytest.mark.parametrize(
    ("old", "new", "otherwise"),
    [
        ("stamp(one)", "stamp(one.removesuffix('Z'))", ("NoTimes",)),
        ("stamp(one) for", 'json.loads(one)["ts"] if one.startswith("{") else stamp(one) for', ("NoTimes",)),
        ("line.bad", "line.bad and not line.is_json", ("Odd",)),
        ("read_log(file)", "read_json(file)", ("Odd", "NoTimes", "OddUnit")),
        ("lines += 1", "lines += bool(line)", ()),
    ],
)  # fmt: skip
def test_what_a_check_counts_computed_otherwise_is_said_and_asks_for_no_second_press(
    old: str, new: str, otherwise: tuple[str, ...]
) -> None:
    assert loosened(READS, READS.replace(old, new), {}, {}) == Loosened((), otherwise)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('KNOWN = ("C", "F")', 'KNOWN = ("C", "F", "°C")', "OddUnit: its condition was `log.unit in ('C', 'F')` and"),
        ("read_log(file)", "[]", "read_log(): called in 0 places, before in 1 place"),
        ("    elif line.bad:\n        odd.append(line)\n", "", "Odd: `odd` is added to in 1 place, before in 2 places"),
        ("check(\"Odd\"", "odd.clear()\ncheck(\"Odd\"", "Odd: something is taken out of `odd` now"),
        ("times = [stamp(one) for one in log.lines]", "times = [1, 2]", "NoTimes: its condition always holds now"),
        ("for one in log.lines]", "for one in log.lines if False]", "NoTimes: what it looks at stands behind a test"),
        ("not odd,", "not odd or len(odd) < 3,", "Odd: its condition was `not odd` and is `not odd or len(odd) < 3`"),
    ],
)  # fmt: skip
def test_another_spelling_that_passes_and_what_never_reaches_a_check_is_weaker(old: str, new: str, found: str) -> None:
    said = loosened(READS, READS.replace(old, new), {}, {}).weaker
    assert any(found in one for one in said), said


STEADY = 'for file in agreed_files():\n    check_steady(file, rows, numbers=["amount", "tax"], equal_share=0.05)\n'


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('["amount", "tax"]', '["amount"]', ("check_steady(): numbers no longer asks for tax",)),
        ("equal_share=0.05", "equal_share=0.5", ("check_steady(): equal_share was 0.05 and is 0.5",)),
        ("equal_share=0.05", "any_age=True", ("check_steady(): any_age is on now",)),
        ("equal_share=0.05", "equal_share=0.01", ()),
        ('["amount", "tax"]', '["amount", "tax", "net"]', ()),
        ("    check_steady", "    pass  # ", ("check_steady(): called in 0 places, before in 1 place",)),
    ],
)  # fmt: skip
def test_what_the_kit_is_told_is_weaker_only_where_it_admits_more(old: str, new: str, found: tuple[str, ...]) -> None:
    assert loosened(STEADY, STEADY.replace(old, new), {}, {}).weaker == found


TEXT = {"format": "text", "levels": {"ERROR": "ERROR"}, "stamp": "iso", "final_newline": True}
READERS = {"expected_files": {"a.log": 1, "b-[0-9].log": 7}, "dates": {"late_days": 2}, "readers": {"default": TEXT}}


@pytest.mark.parametrize(
    ("changed", "weaker", "otherwise"),
    [
        ({}, (), ()),
        ({"leave_out": ["c.log"]}, ("parameters: leave_out lets c.log pass now",), ()),
        (
            {"expected_files": {"b-[0-9].log": 6}},
            ("parameters: expected_files no longer asks for a.log, b-[0-9].log (7)",), (),
        ),
        ({"dates": {"late_days": 30}}, ("parameters: late_days was 2 and is 30",), ()),
        ({"dates": {"late_days": 1}}, (), ()),
        (
            {"readers": {"default": TEXT | {"levels": {"ERROR": "ERROR", "Error": "ERROR"}}}},
            ("parameters: default: levels lets Error pass now",), ("how default is read",),
        ),
        (
            {"readers": {"default": TEXT, "a.log": TEXT | {"final_newline": False}}},
            ("parameters: a.log: final_newline is off now",), ("how a.log is read",),
        ),
        ({"readers": {"default": TEXT | {"stamp": "syslog"}}}, (), ("how default is read",)),
        (
            {"readers": {"default": TEXT, "a.log": {"format": "json", "levels": {"error": "ERROR"}, "level_key": "l"}}},
            (), ("how a.log is read",),
        ),
    ],
)  # fmt: skip
def test_parameters_that_admit_more_are_weaker_and_another_form_is_said(
    changed: dict[str, Any], weaker: tuple[str, ...], otherwise: tuple[str, ...]
) -> None:
    script = 'for file in inputs():\n    check("Odd", read_log(file).records > 0, "odd")\n'
    assert loosened(script, script, READERS, READERS | changed) == Loosened(weaker, otherwise)


def test_a_parameter_that_leaves_files_out_is_named_once() -> None:
    script = 'files = inputs(leave_out=params["leave_out"])\nfor file in files:\n    check("Odd", file.fine, "odd")\n'
    assert loosened(script, script, {"leave_out": []}, {"leave_out": ["spectro-07.log"]}).weaker == (
        "inputs(): leave_out lets spectro-07.log pass now",
    )


def test_a_parameter_that_a_check_compares_with_counts_as_its_number() -> None:
    assert changes(parameters={"errors": 700}).weaker == (
        "TooMany: its condition was `errors < 7` and is `errors < 700`",
    )
    assert changes(parameters={"limit": 900}).weaker == (
        "TooMany: its condition was `count < 200` and is `count < 1800`",
    )
    assert changes(parameters={"limit": 90, "errors": 6}) == Loosened()


def test_a_check_that_is_gone_is_for_others_to_name() -> None:
    assert changes('check("FewLines", count >= LEAST, "too few lines")\n', "") == Loosened()


def test_a_check_that_only_the_kit_still_asks_is_named() -> None:
    before = 'rows = read_csv(file)\ncheck("OddNumber", rows.total > 0, "no total")\n'
    assert loosened(before, "rows = read_csv(file)\n", {}, {}).weaker == (
        "OddNumber: the script no longer asks it, only the kit does",
    )


def test_a_name_that_stands_for_itself_ends_the_search() -> None:
    script = 'A = B + 1\nB = A + 1\ncheck("Odd", x > A, "odd")\n'
    assert loosened(script, script, {}, {}) == Loosened()


DOUBLED = "".join(f"A{n + 1} = A{n} {{0}} A{n}\n" for n in range(40))


@pytest.mark.parametrize(
    "script",
    [
        "A0 = 3\n" + DOUBLED.format("+") + 'check("Odd", x > A40, "odd")\n',
        "A0 = 3\n" + DOUBLED.format("*") + 'check("Odd", x > A40, "odd")\n',
        "A0 = [1]\n" + "".join(f"A{n + 1} = [A{n}, A{n}]\n" for n in range(40)) + 'check("Odd", x in A40, "odd")\n',
        f'A = {"9" * 180}\nB = A * A\nC = B / 3\ncheck("Odd", x > C, "odd")\n',
        'check("Odd", len(5) > x, "odd")\n',
    ],
)
def test_a_script_cannot_make_the_comparison_work_without_end_or_break_it(script: str) -> None:
    assert loosened(script, script, {}, {}) == Loosened()


TANGLED = 'def f0():\n    check("Odd", x > 1, "odd")\n' + "".join(
    f"def f{n + 1}():\n" + "".join(f"    if y{each}:\n        f{n}()\n" for each in range(40)) for n in range(4)
)


@pytest.mark.parametrize("script", [f'check("Odd", x > {"1 + " * 3_000}1, "odd")\n', TANGLED])
def test_a_script_that_cannot_be_followed_is_said_to_hear_less(script: str) -> None:
    assert loosened(script, script, {}, {}) == Loosened((f"every check: {TOO_DEEP}",))


SIGNS = ("<", "<=", ">", ">=", "==", "!=")
_atoms = st.builds("{} {} {}".format, st.sampled_from("ab"), st.sampled_from(SIGNS), st.integers(-2, 2)) | st.builds(
    "{} {} {}".format,
    st.sampled_from("ab"),
    st.sampled_from(("in", "not in")),
    st.sampled_from(("(0, 1)", "(1,)", "[2]")),
)
_conditions = st.recursive(
    _atoms | st.sampled_from(("a", "not b", "True", "0 < a < 2")),
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from(("and", "or")), inner) | inner.map("not ({})".format)
    ),
    max_leaves=5,
)


@given(_conditions, _conditions)
def test_whatever_a_check_heard_it_hears_where_nothing_is_said(old: str, new: str) -> None:
    before, after = (f'check("Odd", {one}, "odd")\n' for one in (old, new))
    if not loosened(before, after, {}, {}).weaker:
        values = [-3, -2, -1, 0, 1, 2, 3, 0.5, 1.5]
        assert all(eval(old, {"a": a, "b": b}) or not eval(new, {"a": a, "b": b}) for a in values for b in values)
