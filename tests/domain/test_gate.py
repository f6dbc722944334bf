"""What a person reads on the card is what Python reads: everything that could make a difference is refused by name."""

import sys
import unicodedata
from collections.abc import Iterator

import pytest

from bot.domain.gate import LONGEST_BLANK, LONGEST_LINE, source_problems

GOOD = b"""\
from kit import check, inputs

total = 0
for one in inputs():
    check("OddFile", one.size > 0, "empty")
"""


def with_line(line: str) -> bytes:
    """A good script with one more line, its fifth but one."""
    return GOOD + line.encode("utf-8", "surrogatepass") + b"\n"


def code_points(*categories: str) -> Iterator[int]:
    return (n for n in range(sys.maxunicode + 1) if unicodedata.category(chr(n)) in categories)


def refused(points: Iterator[int] | list[int]) -> bool:
    """Every one of these, alone in a comment, is refused and told by its number."""
    for point in points:
        problems = source_problems(with_line(f"# a{chr(point)}b"))
        assert problems, f"U+{point:04X} passes"
        assert 0xD800 <= point <= 0xDFFF or f"U+{point:04X}" in problems[0], problems
    return True


def test_an_ordinary_script_passes():
    assert source_problems(GOOD) == ()


@pytest.mark.parametrize(
    "line", ["# Größe, 数, é̂", 'title = "Übersicht – 12 €"', 'x = f"{total} Stück für {total:>5}"']
)
def test_letters_of_any_language_may_stand_in_text_and_comments(line: str):
    assert source_problems(with_line(line)) == ()


def test_format_characters_are_refused():
    """Bidirectional overrides, zero-width joiners, soft hyphens, tags."""
    assert refused(code_points("Cf"))


def test_control_characters_are_refused():
    """Among them carriage return, form feed, tab and NUL."""
    assert refused(n for n in code_points("Cc") if chr(n) != "\n")


def test_surrogates_are_refused():
    assert refused([0xD800, 0xDBFF, 0xDC00, 0xDFFF])


def test_private_characters_are_refused():
    assert refused([*range(0xE000, 0xF900, 37), 0xF8FF, 0xF0000, 0x10FFFD])


def test_unassigned_code_points_are_refused():
    points = list(code_points("Cn"))
    assert refused(points[:200] + points[:: len(points) // 500])


def test_line_and_paragraph_separators_are_refused():
    assert refused(code_points("Zl", "Zp"))


def test_blanks_that_are_no_space_are_refused():
    assert refused(n for n in code_points("Zs") if chr(n) != " ")


def test_variation_selectors_are_refused():
    assert refused([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), 0x180B, 0x180C, 0x180D, 0x180F])


def test_fillers_are_refused():
    assert refused([0x3164, 0xFFA0, 0x115F, 0x1160, 0x2800, 0x034F, 0x17B4, 0x17B5, 0x1D159, 0x16FE4])


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (b"\xef\xbb\xbf" + GOOD, "line 1 begins with a byte order mark"),
        (b"# coding: latin-1\n" + GOOD, "line 1 declares an encoding"),
        (b"#!/usr/bin/python\n# -*- coding: utf-7 -*-\n" + GOOD, "line 2 declares an encoding"),
        (b"  \t# vim: set fileencoding=utf_7 :\n" + GOOD, "line 1 declares an encoding"),
        (b"x = '\xff'\n", "byte 5 is not UTF-8"),
        (b"x = '\xc0\xaf'\n", "byte 5 is not UTF-8"),
        (b"# harmless\rimport os\n", "U+000D"),
        (GOOD.replace(b"\n", b"\r\n"), "U+000D"),
        (GOOD + b"x = 1", "the last line does not end"),
        (GOOD + b"\x00\n", "U+0000"),
    ],
)
def test_bytes_that_read_otherwise_than_they_look_are_refused(source: bytes, says: str):
    assert any(says in problem for problem in source_problems(source)), source_problems(source)


def test_an_encoding_told_further_down_is_only_a_comment():
    assert source_problems(b"x = 1\ny = 2\n# coding: latin-1\n") == ()


@pytest.mark.parametrize(
    "line",
    [
        "\u0430ll = 1",  # Cyrillic a
        "\uff45\uff56\uff41\uff4c('1')",  # full width, which Python folds into eval
        "x = total.\u0435ncode",
        "def caf\u00e9(): ...",
        "f(\u0445=1)",
        "\u2118 = 1",  # a symbol that may begin a name
        "a\u00b7b = 1",  # a dot that may go on in one
        "x\u0301 = 1",  # a combining accent
        'x = f"{\u0430}"',
        "x = f\"{'}' + \uff45\uff56\uff41\uff4c('1')}\"",
        "x = f\"\\uff45{\uff45val('1')}\"",
        'x = f"{total:{\u0430}}"',
        'x = rf"{\u0430!r}"',
    ],
)
def test_letters_outside_ascii_are_refused_where_python_reads_a_name(line: str):
    assert any("has letters outside ASCII" in problem for problem in source_problems(with_line(line)))


ALEF, BET, ARABIC = "\u05d0", "\u05d1", "\u0627"


@pytest.mark.parametrize(
    "line",
    [
        f'most = {{"{ALEF}": 1, "{BET}": 900}}',  # shown as: most = {"b": 1, "a": 900}
        f'x = "{ALEF}" + 12 - 3',
        f'x = ["{ARABIC}", "{ALEF}"]',
        f'x = "{ALEF}"  # {BET}',
        f'x = f("{ALEF}", 5)',
    ],
)
def test_code_between_letters_written_leftward_is_refused_because_it_is_shown_in_another_order(line: str):
    problems = source_problems(with_line(line))
    assert any("change the order" in problem and "line 6" in problem for problem in problems), problems


@pytest.mark.parametrize(
    "line",
    [f'x = "{ALEF * 3} {BET} 7 {ARABIC}"', f'x = f("{ALEF}", rest)', f'x = 5 + len("{ALEF}")', f"# {ALEF} {BET}",
     f'x = "{ALEF}",'],
)  # fmt: skip
def test_letters_written_leftward_may_stand_in_a_text(line: str):
    assert source_problems(with_line(line)) == ()


def test_marks_that_reach_into_other_lines_are_refused():
    assert source_problems(with_line("# a" + "\u0301" * 4 + " e\u0323\u0302")) == ()
    assert "line 6 has more than 4 marks upon one letter" in source_problems(with_line("# a" + "\u0301" * 5))
    assert "line 6 has more than 4 marks upon one letter" in source_problems(with_line("# a" + "\u20dd" * 40))


def test_code_pushed_out_of_view_is_refused():
    far = with_line("x = 1" + " " * LONGEST_LINE + "; import os")
    assert source_problems(far) == (f"line 6 has {LONGEST_LINE + 16} characters, more than {LONGEST_LINE}",)


def test_both_sides_of_the_longest_line():
    assert source_problems(with_line("#" * LONGEST_LINE)) == ()
    assert source_problems(with_line("#" * (LONGEST_LINE + 1))) != ()


@pytest.mark.parametrize("blank", [b"\n", b"    \n"])
def test_both_sides_of_the_longest_gap(blank: bytes):
    assert source_problems(GOOD + blank * LONGEST_BLANK + b"x = 1\n") == ()
    assert "blank lines stand in a row" in source_problems(GOOD + blank * (LONGEST_BLANK + 1) + b"x = 1\n")[0]


@pytest.mark.parametrize(
    "line", ["def (", "x = 'unclosed", "  x = 1", 'y = """', "x = (", "x" + "(" * 199, "-" * 199, "if True:\n  x\n y"]
)
def test_what_is_not_python_is_said(line: str):
    assert any("it is not Python" in problem for problem in source_problems(with_line(line)))


def test_what_python_cannot_take_in_is_said_and_breaks_nothing():
    deep = b"x = (" + b"\n-" * 200_000 + b"1)\n"
    assert any("it is not Python" in problem for problem in source_problems(deep))


def test_in_other_files_of_a_plan_only_what_cannot_be_seen_counts():
    long_text = ("Errors of the week: {errors} – Größe " * 20 + "\n").encode()
    assert source_problems(long_text, is_python=False) == ()
    assert "U+202E" in source_problems("a\u202eb\n".encode(), is_python=False)[0]
    assert source_problems(b"\xff", is_python=False) == ("byte 0 is not UTF-8",)
