"""The kit's readers: what is written in an admitted form is read back equal, anything else raises; never a guess."""

import bz2
import csv
import gzip
import io
import lzma
import re
import sys
import zipfile
from decimal import Decimal

import pytest
from backports import zstd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.inside_files import INSIDE
from tests import inside


@pytest.fixture
def kit():
    return inside.kit()


@pytest.fixture
def given_files(kit, tmp_path):
    """Makes a run's state with one file and a reader for it."""

    def give(name: str, data: bytes, reader: dict):
        inside.begin(tmp_path, {"readers": {"default": reader}})
        (tmp_path / name).write_bytes(data)
        return kit.inputs()[0]

    return give


LOG = {"format": "text", "stamp": "iso", "level_word": 1, "levels": {"INFO": "INFO", "ERROR": "ERROR"}, "empty": True}
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=20)
same_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)


@same_folder
@given(st.lists(st.tuples(st.sampled_from(["INFO", "ERROR"]), words, st.integers(0, 3)), max_size=20), st.booleans())
def test_any_log_of_the_agreed_form_is_counted_exactly(kit, given_files, records, packed):
    lines = []
    for level, text, traces in records:
        lines.append(f"2026-09-07 03:12:44,123 {level} {text}")
        lines += [f"\tat a.b(C.java:{n})" for n in range(traces)]
    data = "".join(f"{line}\n" for line in lines).encode()
    reader = {**LOG, "compression": "gzip"} if packed else LOG
    log = kit.read_log(given_files("a.log", gzip.compress(data, mtime=0) if packed and data else data, reader))

    read = list(log)

    assert [record.level for record in read] == [level for level, _, _ in records]
    assert log.lines == len(lines)
    assert log.continuation_lines == sum(traces for _, _, traces in records)
    assert log.unexplained_lines == 0 and not log.unknown_levels


@same_folder
@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1, max_size=12))
def test_a_word_that_is_no_agreed_level_is_never_counted_as_one(kit, given_files, word):
    log = kit.read_log(given_files("a.log", f"2026-09-07 03:12:44 {word} ERROR text\n".encode(), LOG))

    read = list(log)

    # A zone behind the time belongs to the time, also one with a space before it.
    word = re.sub(r"^(Z|[+-]\d\d:?\d\d)(?=[\s|,;:\]]|$)", "", word)
    shown = [*word.replace("|", " ").split(), "ERROR"]
    bare = shown[0].lstrip("[({<\"'").rstrip("])}>:;,\"'")
    assert [record.level for record in read] == ([bare] if bare in LOG["levels"] else [])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("2026-09-07 03:12:44 INFO 0 ERRORs found", "the word in a message"),
        ("2026-09-07 03:12:44 INFO [ERROR_RATE] ok", "the word in a name"),
    ],
)
def test_an_error_in_the_text_is_no_error(kit, given_files, line, why):
    log = kit.read_log(given_files("a.log", f"{line}\n".encode(), LOG))

    assert [record.level for record in log] == ["INFO"], why


@pytest.mark.parametrize(
    ("data", "reader", "name", "admits"),
    [
        (gzip.compress(b"x", mtime=0), LOG, "PackedFile", '"compression"'),
        (b"plain", {**LOG, "compression": "gzip"}, "PackedFile", '"compression"'),
        (gzip.compress(b"x" * 100_000, mtime=0)[:-20], {**LOG, "compression": "gzip"}, "TornArchive", "gzip"),
        (b"2026-09-07 03:12:44 INFO bl\xe5\n", LOG, "OddEncoding", '"encoding"'),
        (b"\xef\xbb\xbf2026-09-07 03:12:44 INFO x\n", LOG, "OddEncoding", "utf-8-sig"),
        ("2026-09-07 03:12:44 INFO x\n".encode("utf-16"), LOG, "OddEncoding", '"encoding"'),
        (b"2026-09-07 03:12:44 INFO x\n\0\0\0\n", LOG, "NulBytes", "text"),
        (b"x" * 1_100_000, LOG, "EndlessLine", "lines"),
    ],
)
def test_bytes_that_are_not_as_agreed_raise_by_name(kit, given_files, data, reader, name, admits):
    log = kit.read_log(given_files("a.log", data, reader))

    with pytest.raises(kit.Surprise) as raised:
        list(log)

    assert raised.value.name == name
    assert raised.value.file == "a.log"
    assert admits in raised.value.expected


cells = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="\0\r\ufeff"), max_size=8)


@same_folder
@given(
    st.lists(st.lists(cells, min_size=3, max_size=3), max_size=8),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_any_table_in_an_agreed_dialect_is_read_back_equal(kit, given_files, rows, delimiter, end):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows([["a", "b", "c"], *rows])
    # Any text may be there, one of the words for totals too.
    reader = {"header": ["a", "b", "c"], "delimiter": delimiter, "multiline": True, "single_quotes": True}
    reader |= {"totals": "keep", "empty": True, "garbled": True}
    table = kit.read_csv(given_files("a.csv", out.getvalue().encode(), reader))

    assert [row.cells for row in table] == rows


dialects = st.fixed_dictionaries(
    {
        "delimiter": st.sampled_from([",", ";", "\t", "|", ", ", "||", "~"]),
        "quote": st.sampled_from(['"', "'"]),
        "escape": st.sampled_from(["", "\\"]),
        "line_end": st.sampled_from(["lf", "cr"]),
        "encoding": st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
        "compression": st.sampled_from(["none", "gzip", "bzip2", "xz", "zip", "zstd"]),
        "skip_lines": st.integers(0, 2),
        "final_newline": st.booleans(),
    }
)


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.csv", data)
    return out.getvalue()


PACKERS = {
    "none": bytes,
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zip": zipped,
    "zstd": zstd.compress,
}


def written(rows: list[list[str]], form: dict) -> bytes:
    """An independent writer: every cell in quotes, in this form."""
    quote, escape = form["quote"], form["escape"]
    end = "\r" if form["line_end"] == "cr" else "\n"

    def cell(text: str) -> str:
        text = text.replace(escape, escape * 2) if escape else text
        return f"{quote}{text.replace(quote, (escape or quote) + quote)}{quote}"

    lines = ["preamble"] * form["skip_lines"] + [form["delimiter"].join(map(cell, row)) for row in rows]
    text = end.join(lines) + (end if form["final_newline"] else "")
    return PACKERS[form["compression"]](text.encode(form["encoding"]))


@same_folder
@given(st.lists(st.lists(cells, min_size=2, max_size=2), max_size=5), dialects)
def test_any_table_in_any_admitted_form_is_read_back_equal(kit, given_files, rows, form):
    reader = {"header": ["a b", "c"], "multiline": True, "single_quotes": True, "totals": "keep", "empty": True}
    reader |= {"garbled": True, **form}
    if form["line_end"] == "cr":
        rows = [[cell.replace("\n", " ") for cell in row] for row in rows]
    table = kit.read_csv(given_files("a.csv", written([["a b", "c"], *rows], form), reader))

    assert [row.cells for row in table] == rows


@same_folder
@given(st.integers(0, 200), st.binary(min_size=1, max_size=3))
def test_a_table_with_bytes_put_in_anywhere_is_equal_in_all_rows_or_raises(kit, given_files, place, more):
    healthy = b"name,revenue\n" + b"".join(b"n%d,%d.5\n" % (n, n) for n in range(20))
    place = min(place, len(healthy))
    table = kit.read_csv(
        given_files("a.csv", healthy[:place] + more + healthy[place:], {"header": ["name", "revenue"]})
    )
    try:
        read = [(row.text("name"), row.number("revenue")) for row in table]
    except kit.Surprise as surprise:
        assert surprise.file == "a.csv"
    else:
        # What remains is a change of one cell that is still text or still a number: no reader can know better.
        expected = [(f"n{n}", Decimal(f"{n}.5")) for n in range(20)]
        assert len(read) in (20, 21)
        assert sum(one != other for one, other in zip(read, expected, strict=False)) <= 20


@pytest.mark.parametrize(
    ("text", "decimal", "thousands", "number"),
    [
        ("1.5", ".", "", "1.5"),
        ("-0012.50", ".", "", "-12.50"),
        ("1,5", ",", "", "1.5"),
        ("1,234.5", ".", ",", "1234.5"),
        ("1.234.567,5", ",", ".", "1234567.5"),
        (" 7 ", ".", "", "7"),
        ("1,5", ".", "", None),
        ("1.5", ",", "", None),
        ("12,34.5", ".", ",", None),
        ("1.5e3", ".", "", None),
        ("1_000", ".", "", None),
        ("١٢", ".", "", None),
        ("NaN", ".", "", None),
        ("", ".", "", None),
        ("−5", ".", "", None),
        ("5%", ".", "", None),
        ("1'234.5", ".", "'", "1234.5"),
        ("1\u202f234,5", ",", "\u202f", "1234.5"),
    ],
)
def test_a_number_is_exact_or_none(kit, text, decimal, thousands, number):
    read = kit.exact_number(text, decimal=decimal, thousands=thousands)

    assert read == (None if number is None else Decimal(number))


@pytest.mark.parametrize(
    ("text", "symbols", "negative", "number"),
    [
        ("$5", ["$"], "minus", "5"),
        ("-$5", ["$"], "minus", None),
        ("5 %", ["%"], "minus", "5"),
        ("kr 5", ["kr"], "minus", "5"),
        ("€5", ["$"], "minus", None),
        ("(5)", [], "parentheses", "-5"),
        ("(5", [], "parentheses", None),
        ("-5", [], "parentheses", None),
        ("($5)", ["$"], "parentheses", "-5"),
        ("5-", [], "trailing minus", "-5"),
        ("5-", [], "minus", None),
        ("\u22125", [], "long minus", "-5"),
        ("5", [], "long minus", "5"),
    ],
)
def test_a_number_with_marks_beside_it_is_exact_or_none(kit, text, symbols, negative, number):
    read = kit.exact_number(text, symbols=symbols, negative=negative)

    assert read == (None if number is None else Decimal(number))


def test_messages_that_differ_in_numbers_are_one_kind(kit):
    assert kit.message_kind("retry 3 of 5 at 0xFF") == kit.message_kind("retry  4 of 5 at 0x0a")


def test_a_log_whose_odd_lines_no_check_looked_at_halts_all_the_same(bench):
    outcome = bench.run(
        "from kit import inputs, read_log, report\nfor f in inputs():\n    list(read_log(f))\nreport()",
        inputs={"a.log": b"2026-09-07 03:12:44 INFO x\n2026-09-07 03:12:45 ODD y\n"},
        parameters={"readers": {"default": LOG}},
    )

    assert outcome.name == "UnexplainedLines"


def test_the_kit_imports_nothing_but_itself_and_the_standard_library():
    for path in (INSIDE / "kit").glob("*.py"):
        for line in path.read_text().splitlines():
            if line.startswith(("import ", "from ")):
                module = line.split()[1]
                assert module.startswith(".") or module.split(".")[0] in sys.stdlib_module_names, (path.name, line)
