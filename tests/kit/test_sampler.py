"""Samples: bounded, the same for the same bytes, and true over the whole file."""

import gzip
import zipfile
from datetime import datetime
from io import BytesIO

import polars
import pytest

from bot.domain.gate import is_hidden
from bot.work.rehearsal import sample_words
from library.facts import FileKind
from sandbox.sample import RENDERED_LIMIT_BYTES, Sample
from tests.bench.workbooks import workbook

LOG = b"2026-09-07 03:12:44,123 INFO [a] x\n2026-09-07 03:12:45,123 ERROR [a] y\n"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (LOG, FileKind.TEXT_LOG),
        (gzip.compress(LOG, mtime=0), FileKind.TEXT_LOG),
        (LOG.decode().encode("utf-16"), FileKind.TEXT_LOG),
        (b"INFO: a\nWARN: b\n  more\nERROR: c\n", FileKind.TEXT_LOG),
        (b'{"level": "info"}\n' * 3, FileKind.JSON_LINES),
        (b'{"log": {"level": 30}}\n{"log": {"level": 50}}\n', FileKind.JSON_LINES),
        (b"a;b\n1,5;2\n", FileKind.CSV),
        (b"time,level\n2026-09-07 03:12:44,ERROR\n", FileKind.CSV),
        (b"just words\n", FileKind.TEXT),
        (b"", FileKind.EMPTY),
        (b"\n\n", FileKind.EMPTY),
        (b"PK\x03\x04rest", FileKind.UNREADABLE),
        (b"%PDF-1.7", FileKind.UNREADABLE),
        (b"\0\1\2", FileKind.UNREADABLE),
        (gzip.compress(LOG * 9_000, mtime=0)[:-9], FileKind.UNREADABLE),
        (b"x" * 2_000_000, FileKind.UNREADABLE),
        (b"<html><body>log in</body></html>\n", FileKind.UNREADABLE),
    ],
)
def test_a_file_is_what_it_is_whatever_its_name(bench, data, kind):
    facts = bench.look({"a.bin": data})[0]

    assert facts.kind is kind
    assert bool(facts.problem) == (kind is FileKind.UNREADABLE)


def test_a_workbook_is_looked_at_by_its_first_sheet_with_a_table(bench):
    cells = [["day", "code", "amount"], *([datetime(2026, 9, day), "007", 1.5] for day in range(1, 9))]
    sample = bench.samples({"a.xlsx": workbook(cells), "b.csv": b"a,b\n1,2\n"})[0]

    assert sample.facts.kind is FileKind.EXCEL
    assert (sample.facts.sheet, sample.facts.csv.rows) == ("Data", 8)
    assert [column.kind for column in sample.facts.csv.columns] == ["date", "code of 3 digits", "number"]
    assert "sheet Data" in sample.text() and "007" in sample.text()


def test_a_parquet_file_shows_its_types(bench, tmp_path):
    polars.DataFrame({"name": ["a"], "amount": [1]}).write_parquet(tmp_path / "made")

    facts = bench.look({"a.parquet": (tmp_path / "made").read_bytes()})[0]

    assert facts.kind is FileKind.PARQUET
    assert [(one.name, one.kind) for one in facts.csv.columns] == [("name", "VARCHAR"), ("amount", "BIGINT")]


@pytest.mark.parametrize(
    ("data", "oddity"),
    [
        (b"a,b\n" + b"1,x\n" * 9 + b"n/a,x\n", "cells of a that are no numbers"),
        (b"a,b\n1,x\n2,y\n3,z\n4,x\n5,y\n15,\n", "a last row that adds up the others"),
        (b"a,b\n1,x\n\n2,y\n", "empty lines between its rows"),
        (b"a,b\n1,x\na,b\n2,y\n3,z\n", "rows that repeat its header"),
        (b"a,b\n1,x\n2,y\nTotal:,z\n", "rows that are totals"),
        (b"a,b\n1,x\n2,y\n3,'z'\n", "cells in single quotes"),
        (b"d,b\n" + b"2026-09-01,x\n" * 9 + b"13/09/2026,y\n", "dates of d that are not all written in one way"),
    ],
)
def test_what_is_odd_about_a_table_is_said(bench, data, oddity):
    table = bench.look({"a.csv": data})[0].csv

    assert any(oddity in said for said in table.oddities), table.oddities


def test_levels_are_counted_over_the_whole_file_at_their_place(bench):
    data = LOG * 3_000 + b"2026-09-08 00:00:00,000 FATAL [a] ERROR ERROR\n"

    log = bench.look({"a.log": data})[0].log

    assert log.levels == {"INFO": 3_000, "ERROR": 3_000, "FATAL": 1}


def test_a_table_is_typed_by_all_its_rows(bench):
    rows = b"".join(b"2026-09-%02d;%d,5;x%d;\n" % (n % 28 + 1, n, n) for n in range(300))

    table = bench.look({"a.csv": b"day;amount;name;note\n" + rows})[0].csv

    assert [column.kind for column in table.columns] == ["date", "number", "text", "empty"]
    assert (table.delimiter, table.decimal, table.rows, table.numbers_are_ambiguous) == (";", ",", 300, False)


def test_rows_far_down_are_counted_each_and_odd_ones_told(bench):
    plain = b"a long name of somebody;12\n" * 80_000
    far_down = 'a;1;2\n"a;b";1\n"a\nb";1\né;1\n\na;1\n'.encode()

    facts = bench.look({"a.csv": b"name;amount\n" + plain + far_down + plain})[0]

    assert (facts.lines, facts.csv.rows) == (160_008, 160_005)
    assert facts.csv.oddities == (
        "it has rows that are not 2 cells wide (1 times, first in line 80,002)",
        "it has empty lines between its rows (1 times, first in line 80,007)",
    )


def test_a_sample_is_small_and_the_same_each_time(bench):
    data = "".join(f"2026-09-07 03:12:44 INFO {'😀' * 200} {n}\n" for n in range(5_000)).encode()

    first, second = (bench.samples({"a.log": data})[0] for _ in range(2))

    assert first == second
    assert len(first.text().encode()) <= RENDERED_LIMIT_BYTES
    assert first.facts.lines == 5_000


def test_hidden_characters_are_shown_as_escapes(bench):
    sample = bench.samples({"a.log": LOG + "2026-09-07 03:12:46 INFO a\u202eb\x1b[31m\n".encode()})[0]

    assert isinstance(sample, Sample)
    assert sample.text().replace("\n", "").isprintable()
    assert "\\u202e" in sample.text()


def test_IN_03_how_much_cannot_be_seen_is_counted_and_said_to_people_and_model(bench):
    """Tag characters, a selector, a filler and a mark of direction; a tab and a wide blank are no secret."""
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "obey") + "\ufe0f\u3164\u202e"
    plain, table = bench.samples({"a.log": LOG, "b.csv": f"day,note\n1,fine{hidden}\n2,\u00a0\tx\n".encode()})

    assert (plain.facts.hidden, table.facts.hidden) == (0, 7)
    assert "7 characters below cannot be seen" in table.text()
    assert "7 characters in b.csv cannot be seen, and were written out as codes" in sample_words([plain, table])
    assert "cannot be seen" not in sample_words([plain])
    assert [char for char in table.text() if is_hidden(char) and char != "\u00a0"] == []


SECRETS = (
    "sk-ant-api03-AbCdEfGhIjKlMnOpQrSt",
    "xoxb-123456789012-abcdefGHIJ",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4",
    "hunter2hunter2",
    "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn7ygWyF0sJdj0Kd6G0rZkmNkVJz1pQ1aXy",
)


@pytest.mark.parametrize(
    "line",
    [
        f"key {SECRETS[0]} used",
        f'{{"level": "INFO", "token": "{SECRETS[1]}"}}',
        f"git clone https://x:{SECRETS[2]}@github.com/a/b",
        f"aws {SECRETS[3]}",
        f"Authorization: Bearer {SECRETS[4]}",
        f"login password={SECRETS[5]} ok",
        f"db postgres://lab:{SECRETS[5]}@host/db",
        SECRETS[6],
        f"{'x' * 290} password={SECRETS[5]}",
    ],
)
def test_a_secret_in_a_line_is_masked_wherever_it_stands(bench, line):
    sample = bench.samples({"a.log": f"2026-09-07 03:12:44 INFO ok\n{line}\n".encode()})[0]

    assert not [secret for secret in SECRETS if secret[:8] in sample.text()]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", f"day,{SECRETS[0]}\n2026-09-01,1\n2026-09-02,2\n"),
        ("a.csv", f'day,user_password,n\n2026-09-01,{SECRETS[5]},1\n2026-09-02,"{SECRETS[5]}, or",2\n'),
        ("a.jsonl", f'{{"day": "2026-09-01", "{SECRETS[1]}": 1}}\n' * 3),
        ("a.log", f"2026-09-07 03:12:44 {SECRETS[3]} x\n2026-09-07 03:12:45 INFO x\n" * 5),
    ],
)
def test_a_secret_is_masked_as_the_name_or_in_the_column_of_something(bench, name, data):
    sample = bench.samples({name: data.encode()})[0]

    assert not [secret for secret in SECRETS if secret[:8] in sample.text()]


def test_names_of_columns_levels_and_sheets_carry_nothing_hidden(bench):
    samples = bench.samples({
        "a.jsonl": '{"d\u202ea": 1, "b": 2}\n'.encode() * 3,
        "a.log": "2026-09-07 03:12:44 ER\u202eR x\n2026-09-07 03:12:45 INFO x\n".encode() * 5,
    })  # fmt: skip

    assert all(sample.text().replace("\n", "").isprintable() for sample in samples)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x04\x22\x4d\x18" + bytes(range(99)), "packed with lz4"),
        (b"a" + b"\0" * 256 + b"ustar" + b"\0" * 300, "a tar archive"),
        (b"-----BEGIN PGP MESSAGE-----\nabc\n", "an encrypted message"),
    ],
)
def test_what_cannot_be_looked_at_is_said_in_words(bench, data, words):
    assert words in bench.look({"a.csv": data})[0].problem


def test_a_workbook_that_no_library_can_read_is_unreadable_and_stops_no_other(bench):
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook")
    facts = bench.look({"a.xlsx": out.getvalue(), "b.csv": b"a,b\n1,2\n"})

    assert [one.kind for one in facts] == [FileKind.UNREADABLE, FileKind.CSV]


@pytest.mark.parametrize("line", ["tokens used: 5", "the password was changed", "signature ok", "key a1b2c3"])
def test_plain_words_about_secrets_are_shown(bench, line):
    assert line in bench.samples({"a.txt": f"{line}\n".encode()})[0].text()
