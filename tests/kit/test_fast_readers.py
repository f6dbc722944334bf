"""The fast ways of the readers: whatever is in a file, they answer or raise exactly as reading it line by line does."""

import contextlib
import gzip
import re
import sys
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import inside

LOG = {
    "format": "text",
    "stamp": "iso",
    "level_word": 2,
    "levels": {"INFO": "INFO", "WARN": "WARNING", "ERROR": "ERROR", "L3": "ERROR"},
    "empty": True,
}
TABLE = {"header": ["name", "amount"], "columns": {"revenue": "amount"}, "empty": True}
here = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=120, deadline=None)


@pytest.fixture
def opened(tmp_path):
    """A file of these bytes, read by this reader, in a folder where the fast way keeps its scratch."""

    def give(data: bytes, reader: dict):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / "a").write_bytes(data)
        return inside.begin(tmp_path / "in", {"readers": {"default": reader}}).inputs()[0]

    with contextlib.chdir(tmp_path):
        yield give


kit = inside.kit()
HEADS = (
    *("2026-09-07 03:12:44,123", "2026-09-07 03:12:44", "2026-09-07T03:12:44Z", "2026-09-07 03:12:44 +0200"),
    *("[2026-09-07 03:12:44]", "2026-09-07 03:12:45,123", "2026-09-07 03:12:44 Z", "2026-09-07 03:12:44:", "03:12:44"),
)
OTHER_LINES = (
    *("", "\tat a.b(C.java:1)", "  ERROR", "ERROR", "1 ERROR", '{"level": "ERROR"}', "2026-09-07 03:12:44\tx|ERROR y"),
    *("2026-09-07 03:12:44 [scan] INFO [[2026-09-07 03:12:45] [scan] ERROR b", "x[2026-09-07 03:12:45] [scan] ERROR b"),
    *("  2026-09-07 03:12:44 [scan] ERROR b", "\tat 2026-09-07 03:12:44 x", "\ufeff2026-09-07 03:12:44 [scan] ERROR b"),
    *(
        "2026-09-07 03:12:44 [scan] INFO a2026-09-07 03:12:45 [scan] ERROR b",
        "2026-09-07 03:12:44 [scan] INFO at 03:12:44",
    ),
    *("2026-09-07 03:12:44 [scan] INFO a\r2026-09-07 03:12:45 [scan] ERROR b", "\t10 %\r\t20 %", "\tx\r[ERROR] y"),
)
heads = st.sampled_from(HEADS)
levels = st.sampled_from(["INFO", "INFO", "WARN", "ERROR", "[ERROR]", "error", "ERRORS", "INFO:", "", "|ERROR|", "L3"])
loggers = st.sampled_from(["[scan] ", "[scan] ", "[scan-7] ", ""])
messages = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=8) | st.sampled_from(
    ["until 03:12:44", "x2026-09-07 03:12:45 [scan] ERROR b", "12:00:00 WARN c", "[2026-09-07 03:12:45] ERROR"]
)
DATES = ("2026-09-07", "2026/09/07", "26/09/07", "")  # as the stamps have them: iso, slashed date, clock
records = st.builds("{} {}{} {}".format, heads, loggers, levels, messages)
lines = records | st.sampled_from(OTHER_LINES)


def all_of(log, wanted):
    """What a log comes to: its wanted records and every count, or the surprise."""
    try:
        found = [(one.level, one.message, one.line, one.stamp) for one in wanted(log)]
    except kit.Surprise as surprise:
        return surprise.name, surprise.message
    counts = (log.lines, log.records, log.levels, log.unknown_levels, log.continuation_lines, log.unexplained_lines)
    return found, *map(repr, counts), log.evidence, log.first_lines, log.first_stamp, log.last_stamp


@here
@given(
    st.lists(lines, max_size=12),
    st.booleans(),
    st.booleans(),
    st.binary(max_size=2),
    st.integers(0, 300),
    st.integers(60, 200),
    st.integers(1, 3),
    st.sampled_from(DATES),
    st.booleans(),
)
def test_a_log_counted_by_the_block_is_the_log_counted_by_the_line(
    opened, written, ends, crlf, dirt, place, block_bytes, level_word, date, is_large
):
    text = ("\r\n" if crlf else "\n").join(written) + ("\n" if ends and written else "")
    text = text.replace("2026-09-07", date).replace(",123", "") if date != DATES[0] else text
    text = text if date else text.replace("[ ", "[").replace("\n ", "\n").removeprefix(" ")
    stamp = "iso" if date == DATES[0] else "slashed date" if date else "clock"
    data = text.encode()
    data = data[:place] + dirt + data[place:]
    source = opened(data, {**LOG, "level_word": level_word, "stamp": stamp})
    wanted = ("ERROR", "WARNING")
    by_block = kit.read_log(source)
    by_block.block_bytes = block_bytes
    by_block.large_bytes = 0 if is_large else by_block.large_bytes

    fast = all_of(by_block, lambda log: log.only(wanted))

    assert fast == all_of(kit.read_log(source), lambda log: (one for one in log if one.level in wanted))


def test_a_packed_log_of_many_blocks_is_counted_like_a_plain_one(opened):
    data = b"".join(
        b"2026-09-07 03:12:44 [scan] %s message %d\n" % (b"ERROR" if n % 7 == 0 else b"INFO", n) for n in range(150_000)
    )
    data += b"\tat a.b(C.java:1)\n"
    log = kit.read_log(opened(gzip.compress(data, 1, mtime=0), {**LOG, "compression": "gzip"}))

    errors = list(log.only(["ERROR"]))

    assert (log.lines, log.continuation_lines, log.levels["INFO"]) == (150_001, 1, 128_571)
    assert [one.line for one in errors] == list(range(1, 150_001, 7))
    assert errors[1].message == "message 7"


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n\ufeff"), max_size=4)
numbers = st.decimals(-10_000, 10_000, places=2).map(str) | st.sampled_from(
    ["", "1,5", "x", " 7", "1.2345678", "9" * 20, "+5", "007"]
)
rows = st.lists(st.tuples(cells | st.sampled_from(["Total", " SUM:", "name", "'x'"]), numbers), max_size=6)


def test_every_word_for_a_total_has_a_sign_that_is_looked_for():
    signs = [sign.decode() for sign in sys.modules["kit.plain_bytes"].SIGNS]
    words = sys.modules["kit.totals"].TOTAL_WORDS

    assert all(not word.isascii() or any(sign in word for sign in signs) for word in words)


@pytest.mark.parametrize("large_bytes", [0, 1_000_000])
@pytest.mark.parametrize("date", DATES)
@pytest.mark.parametrize(
    "odd",
    [
        "{}03:12:44 [scan] INFO a{}03:12:45 [scan] ERROR b",
        "{}03:12:44 [scan] INFO a [{}03:12:45] [scan] ERROR b",
        "  {}03:12:44 [scan] ERROR b",
        "{}03:12:44 [scan] INFO from 03:00:00 to 04:00:00 {}03:12:45 [scan] ERROR b",
    ],
)
def test_a_second_record_is_heard_among_many_lines_that_begin_alike(opened, date, odd, large_bytes):
    at = f"{date} " if date else ""
    alike = f"{at}03:12:44 [scan] INFO until 04:00:00\n\tat a.b(C.java:1)\n" * 40
    stamp = "iso" if date == DATES[0] else "slashed date" if date else "clock"
    text = alike + odd.format(*[at] * 2) + "\n" + alike
    log, slow = (kit.read_log(opened(text.encode(), {**LOG, "stamp": stamp})) for _ in range(2))
    log.block_bytes = 800
    log.large_bytes = large_bytes

    fast = all_of(log, lambda log: log.only(["ERROR"]))

    assert fast == all_of(slow, lambda log: (one for one in log if one.level == "ERROR"))
    assert log.doubled_lines == 1


def answer(table, ask):
    try:
        return ask(table)
    except kit.Surprise as surprise:
        return surprise.name, surprise.message


def by_rows(table):
    found = [(row.text("name"), row.number_or_none("revenue")) for row in table]
    return sorted(found, key=repr), table.rows


def by_sql(table):
    found = table.sql("SELECT name, revenue FROM rows", numbers=["revenue"])
    return sorted(found, key=repr), table.rows


def same(one, other):
    """Equal up to how many zeros stand behind a number."""
    if isinstance(one[0], str) or isinstance(other[0], str):
        return one == other
    exact = [[(name, None if n is None else Decimal(n).normalize()) for name, n in found] for found, _ in (one, other)]
    return sorted(exact[0], key=repr) == sorted(exact[1], key=repr) and one[1] == other[1]


@here
@given(rows, st.binary(max_size=2), st.integers(0, 80), st.sampled_from([",", ";"]))
def test_a_table_asked_in_sql_is_the_table_read_by_rows(opened, written, dirt, place, delimiter):
    text = "".join(f"{delimiter.join(cells)}\n" for cells in [("name", "amount"), *written])
    data = text.encode()
    source = opened(data[:place] + dirt + data[place:], {**TABLE, "delimiter": delimiter})

    fast, slow = (answer(kit.read_csv(source), ask) for ask in (by_sql, by_rows))

    assert same(fast, slow), (fast, slow)


@pytest.mark.parametrize(
    ("rows", "reader", "numbers"),
    [
        ("a,1.5\n" * 20_000 + "b,1.25\n", {}, [Decimal("1.5"), Decimal("1.25")]),
        ("a;1,5\n" * 20_000 + "b;-1,25\n", {"decimal": ",", "delimiter": ";"}, [Decimal("1.5"), Decimal("-1.25")]),
        ("a,1\n" * 20_000 + "b,%s\n" % ("9" * 25), {}, [Decimal(1), Decimal("9" * 25)]),
        ("a,1\n" * 20_000 + "b,\n", {}, [Decimal(1), None]),
    ],
    ids=["more digits behind the mark", "the same with commas", "too many for a machine word", "none"],
)
def test_numbers_far_down_that_are_larger_than_the_first_stay_exact(opened, rows, reader, numbers):
    header = f"name{reader.get('delimiter', ',')}amount\n"
    table = kit.read_csv(opened((header + rows).encode(), {**TABLE, **reader}))

    found = table.sql("SELECT DISTINCT revenue FROM rows ORDER BY 1 NULLS LAST", numbers=["revenue"])

    assert sorted([one for (one,) in found], key=repr) == sorted(numbers, key=repr)
    assert table.rows == 20_001


PLAIN_NUMBER = r"[-+]?[0-9]+(\.[0-9]{1,2})?"
parts = st.sampled_from(["", "-", "+", ".", ",", "e", " ", "_", "0", "7", "12", "345", ".5", ".25", ".125"])
number_cells = st.lists(parts, max_size=4).map("".join) | st.decimals(-10_000, 10_000, places=2).map(str)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(number_cells, st.text("a7-.", max_size=3), number_cells), min_size=1, max_size=6),
    st.booleans(),
    st.sampled_from([None, 0, 1, 2]),
)
def test_numbers_that_are_proven_by_the_block_are_all_as_agreed(written, may_be_empty, exact):
    reader = kit.CsvReader(
        header=["revenue", "name", "costs"],
        nulls=[""] if may_be_empty else [],
        delimiter=";",
        decimals={} if exact is None else {"costs": exact},
    )
    block = "".join(f"{';'.join(cells)}\n" for cells in written).encode()

    lines = sys.modules["kit.plain_numbers"].PlainNumbers(reader, {0: 2, 2: 2}).lines_in(block)

    cells = [cell for row in written for cell in row[::2]]
    are_numbers = all(re.fullmatch(PLAIN_NUMBER, cell) or (may_be_empty and not cell) for cell in cells)
    are_exact = exact is None or all(len(costs.partition(".")[2]) == exact for _, _, costs in written)
    fits = max(map(len, cells)) <= 16
    assert lines in (0, len(written))
    if are_numbers and are_exact and fits:
        assert lines == len(written)
    if not (are_numbers and are_exact):
        assert lines == 0


@pytest.mark.parametrize("block", [b"a;1\n;2;3\n", b"a;1;2;b\n;3\n", b"\n", b"a;1;2\n\n\n", b"a;1\nb;2;3;4\n"])
def test_lines_of_other_widths_are_not_proven_by_the_block(block):
    reader = kit.CsvReader(header=["name", "revenue", "costs"], delimiter=";")

    assert sys.modules["kit.plain_numbers"].PlainNumbers(reader, {1: 2, 2: 2}).lines_in(block) == 0


def test_a_large_table_whose_last_row_adds_up_the_others_is_refused_however_it_is_read(opened):
    rows = (b"a" * 500 + b",1.50\n") * 10_000
    table = kit.read_csv(opened(b"name,amount\n" + rows + b"b,15000\n", TABLE))

    assert answer(table, lambda one: one.sql("SELECT 1 FROM rows", numbers=["revenue"]))[0] == "TotalRow"


def test_a_further_question_is_answered_from_the_same_rows_and_nothing_is_left_of_the_one_before(opened):
    table = kit.read_csv(opened(b"name,amount\n" + b"a,1.50\nb,2\n" * 300_000, TABLE))
    asked = "CREATE TEMP TABLE mine AS SELECT count(*) AS n FROM rows"

    table.sql(asked, numbers=["revenue"])
    table.sql(asked, numbers=["revenue"])
    kept = table.sql("SELECT sum(revenue) FROM rows, (SELECT count(*) FROM rows)", numbers=["revenue"])
    as_text = table.sql("SELECT DISTINCT revenue FROM rows ORDER BY 1")

    assert kept == [(Decimal("1050000.00"),)]
    assert as_text == [("1.50",), ("2",)]


@pytest.mark.parametrize(
    "body", [b"a,1,\nb,2,\n\n\n", b"a,1,\n\nb,2\n", b"a\nb,2,\n", b"a,1\n\nb,2\n", b"a,1,\nb,2,\n"]
)
def test_lines_that_are_too_long_or_empty_are_refused_as_by_rows(opened, body):
    source = opened(b"name,amount\n" + body, TABLE)

    fast, slow = (answer(kit.read_csv(source), ask) for ask in (by_sql, by_rows))

    assert fast == slow
    assert isinstance(fast[0], str)


@pytest.mark.parametrize(
    ("reader", "data"),
    [
        ({"decimal": ",", "delimiter": ";"}, b"name;amount\na;1,50\nb;-2\n"),
        ({"thousands": ","}, b'name,amount\na,"1.50"\nb,-2\n'),
        ({"skip_lines": 1}, b"Report\nname,amount\na,1.50\nb,-2\n"),
        ({"negative": "parentheses"}, b"name,amount\na,1.50\nb,(2)\n"),
        ({"symbols": ["$"]}, b"name,amount\na,$1.50\nb,-2\n"),
        ({"compression": "gzip"}, gzip.compress(b"name,amount\na,1.50\nb,-2\n", mtime=0)),
        ({"totals": "drop"}, b"name,amount\na,1.50\nb,-2\nTotal,9\n"),
    ],
)
def test_every_admitted_form_can_be_asked_in_sql(opened, reader, data):
    table = kit.read_csv(opened(data, {**TABLE, **reader}))

    found = table.sql("SELECT sum(revenue), count(*) FROM rows WHERE name <> 'c'", numbers=["revenue"])

    assert found == [(Decimal("-0.50"), 2)]
