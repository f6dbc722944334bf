"""Every variant of a form: a surprise by name whose text says what admits it, and read right once it is admitted."""

import bz2
import contextlib
import gzip
import lzma
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import BytesIO

import openpyxl
import polars
import pytest

from tests import inside

HEADER = ["day", "code", "amount"]
CSV = {"header": HEADER}
JSON = {"keys": HEADER}
EXCEL = {"header": HEADER, "sheet": "Data"}
LOG = {"format": "text", "stamp": "iso", "levels": {"INFO": "INFO", "ERROR": "ERROR"}}
DUE = datetime(2026, 9, 7, 5, tzinfo=UTC)
kit = inside.kit()


@pytest.fixture
def opened(tmp_path):
    (tmp_path / "in").mkdir()

    def give(data: bytes, reader: dict):
        (tmp_path / "in" / "a.xlsx").write_bytes(data)
        slot = inside.slot(DUE, DUE - timedelta(days=7))
        return inside.begin(tmp_path / "in", {"readers": {"default": reader}}, slot=slot).inputs()[0]

    with contextlib.chdir(tmp_path):
        yield give


def table(*amounts: str, head: str = "day,code,amount\n", foot: str = "") -> bytes:
    """Rows of one code each, under the header."""
    rows = "".join(f"2026-09-0{number},00{number},{amount}\n" for number, amount in enumerate(amounts, 1))
    return f"{head}{rows}{foot}".encode()


def workbook(*rows: list, more=lambda _book: None) -> bytes:
    book, out = openpyxl.Workbook(), BytesIO()
    book.active.title = "Data"
    for row in ([*HEADER], *rows):
        book.active.append(row)
    more(book)
    book.save(out)
    return out.getvalue()


def sums(file) -> Decimal:
    """By rows and in SQL, which must agree."""
    read = [row.number_or_none("amount") for row in file]
    found = sum((one for one in read if one is not None), Decimal(0))
    (asked,) = file.sql("SELECT coalesce(sum(amount), 0) FROM rows", numbers=["amount"])[0]
    assert Decimal(asked) == found
    return found


def raised(ask) -> tuple[str, str]:
    with pytest.raises(kit.Surprise) as surprise:
        ask()
    return surprise.value.name, surprise.value.expected


def in_two_currencies(book) -> None:
    book["Data"]["C2"].number_format = '#,##0.00 "kr"'
    book["Data"]["C3"].number_format = "[$€-2] #,##0.00"


DAY = datetime(2026, 9, 1)
PAGE = b'{"next": "/sales?page=2", "sales": [{"day": "d", "code": "1", "amount": 1.5}]}'
TABLES = {
    "encoding": (CSV, table("1.5").replace(b"001", "bø".encode("cp1252")), "OddEncoding", {"encoding": "cp1252"}),
    "byte order mark": (CSV, b"\xef\xbb\xbf" + table("1.5"), "OddEncoding", {"encoding": "utf-8-sig"}),
    "twice encoded": (CSV, table("1.5").replace(b"001", "bÃ¸".encode()), "OddEncoding", {"garbled": True}),
    "lost letters": (CSV, table("1.5").replace(b"001", "b\ufffd".encode()), "OddEncoding", {"garbled": True}),
    "control characters": (CSV, table("1.5").replace(b"001", "1 \x96 2".encode()), "OddEncoding", {"garbled": True}),
    "delimiter": (CSV, table("1.5").replace(b",", b";"), "OddHeader", {"delimiter": ";"}),
    "preamble": (CSV, b"Report\n" + table("1.5"), "OddHeader", {"skip_lines": 1}),
    "footer": (CSV, table("1.5", foot="Exported by ACME\n"), "RaggedRow", {"footer": ["Exported by"]}),
    "short row": (CSV, table("1.5", foot="2026-09-02,002\n"), "RaggedRow", {"ragged": True}),
    "delimiters behind": (CSV, table("1.5,,"), "RaggedRow", {"ragged": True}),
    "empty line": (CSV, table("1.5", foot="\n2026-09-02,002,0\n"), "BlankLine", {"blank_lines": True}),
    "other quotes": (CSV, table("1.5").replace(b"001", b"'001'"), "BrokenQuotes", {"single_quotes": True}),
    "line break": (CSV, table("1.5").replace(b"001", b'"0\n1"'), "BrokenQuotes", {"multiline": True}),
    "total row": (CSV, table("1.5", foot="Total,,1.5\n"), "TotalRow", {"totals": "drop"}),
    "decimal comma": (CSV, table('"1,5"'), "OddNumber", {"decimal": ","}),
    "thousands": (CSV, table('"1,000.5"'), "OddNumber", {"thousands": ","}),
    "narrow spaces": (CSV, table("1\u202f000.5"), "OddNumber", {"thousands": "\u202f"}),
    "currency": (CSV, table("kr 1.5"), "OddNumber", {"symbols": ["kr"]}),
    "percent": (CSV, table("1.5 %"), "OddNumber", {"symbols": ["%"]}),
    "parentheses": (CSV, table("(1.5)"), "OddNumber", {"negative": "parentheses"}),
    "minus behind": (CSV, table("1.5-"), "OddNumber", {"negative": "trailing minus"}),
    "power of ten": (CSV, table("15e-1"), "OddNumber", {"exponents": True}),
    "null spelling": (CSV, table("1.5", "n/a"), "OddNumber", {"nulls": ["n/a"]}),
    "header alone": (CSV, table(), "EmptyFile", {"empty": True}),
    "empty": (CSV, b"", "EmptyFile", {"empty": True}),
    "no last line end": (CSV, table("1.5")[:-1], "TornEnd", {"final_newline": False}),
    "gzip": (CSV, gzip.compress(table("1.5"), mtime=0), "PackedFile", {"compression": "gzip"}),
    "codes": ({**CSV, "codes": {"code": 4}}, table("1.5"), "OddCode", {"codes": {"code": 3}}),
    "json twice encoded": (
        JSON, '{"day": "d", "code": "bÃ¸", "amount": 1.5}\n'.encode(), "OddEncoding", {"garbled": True}
    ),
    "json byte order mark": (
        {**JSON, "format": "list"}, b'\xef\xbb\xbf[{"day": "d", "code": "1", "amount": 1.5}]', "OddEncoding",
        {"encoding": "utf-8-sig"},
    ),
    "json page": ({**JSON, "format": "object", "records": "sales"}, PAGE, "TornEnd", {"pages": True}),
    "json text": (JSON, b'{"day": "d", "code": "1", "amount": "1.5"}\n', "OddNumber", {"text_numbers": True}),
    "json currency": (
        JSON, b'{"day": "d", "code": "1", "amount": "\xe2\x82\xac1.5"}\n', "OddNumber",
        {"text_numbers": True, "symbols": ["€"]},
    ),
    "json null spelling": (JSON, b'{"day": "d", "code": "1", "amount": "-"}\n', "OddNumber", {"nulls": ["-"]}),
    "json new key": (JSON, b'{"day": "d", "code": "1", "amount": 1.5, "x": 1}\n', "OddKeys", {"other_keys": True}),
    "json total": (JSON, b'{"day": "d", "code": "Total", "amount": 1.5}\n', "TotalRow", {"totals": "keep"}),
    "json empty": (JSON, b"", "EmptyFile", {"empty": True}),
    "json empty list": ({**JSON, "format": "list"}, b"[]", "EmptyFile", {"empty": True}),
    "excel text": (EXCEL, workbook([DAY, "1", "1,5"]), "OddNumber", {"text_numbers": True, "decimal": ","}),
    "excel currency": (
        EXCEL, workbook([DAY, "1", "1.5 kr"]), "OddNumber", {"text_numbers": True, "symbols": ["kr"]}
    ),
    "excel codes": ({**EXCEL, "codes": {"code": 3}}, workbook([DAY, "01", 1.5]), "OddCode", {"codes": {"code": 2}}),
    "excel other sheets": (
        EXCEL, workbook([DAY, "1", 1.5], more=lambda book: book.create_sheet("October").append(HEADER)), "OddSheet",
        {"other_sheets": True},
    ),
    "excel currencies": (
        EXCEL, workbook([DAY, "1", 1], [DAY, "2", 0.5], more=in_two_currencies), "MixedUnits", {"mixed_formats": True}
    ),
    "excel header alone": (EXCEL, workbook(), "EmptyFile", {"empty": True}),
    "excel empty row": (EXCEL, workbook([DAY, "1", 1.5], [], [DAY, "2", 0]), "BlankLine", {"blank_lines": True}),
}  # fmt: skip


def reading(source, reader: dict):
    how = kit.read_json if "keys" in reader else kit.read_excel if "sheet" in reader else kit.read_csv
    return how(source)


@pytest.mark.parametrize("what", TABLES)
def test_a_variant_of_a_table_is_a_surprise_that_names_what_admits_it(opened, what):
    reader, data, name, admits = TABLES[what]
    table = reading(opened(data, reader), reader)

    found, expected = raised(lambda: sums(table))

    assert found == name
    assert all(parameter in expected for parameter in admits)


@pytest.mark.parametrize("what", TABLES)
def test_an_admitted_variant_is_read_right(opened, what):
    reader, data, _, admits = TABLES[what]
    table = reading(opened(data, {**reader, **admits}), reader)

    by_what = {"empty": 0, "header alone": 0, "json empty": 0, "json empty list": 0, "excel header alone": 0}
    by_what |= {"json null spelling": 0, "thousands": Decimal("1000.5"), "narrow spaces": Decimal("1000.5")}
    by_what |= {"parentheses": Decimal("-1.5"), "minus behind": Decimal("-1.5")}
    assert sums(table) == by_what.get(what, Decimal("1.5"))


def test_cells_merged_above_a_table_are_a_title(opened):
    data = workbook([DAY, "1", 1.5], more=lambda book: (book["Data"].insert_rows(1), book["Data"].merge_cells("A1:C1")))

    assert sums(kit.read_excel(opened(data, {**EXCEL, "skip_lines": 1}))) == Decimal("1.5")


@pytest.mark.parametrize("name", ["JOSÉ’S", "CAFÉ” (12”)", "Blåbær — «ØL»", "Łódź", "100 €", "Ωμέγα"])
def test_letters_of_every_language_are_no_damage(opened, name):
    assert sums(kit.read_csv(opened(table("1.5").replace(b"001", name.encode()), CSV))) == Decimal("1.5")


def test_a_column_without_a_name_is_one_of_row_numbers(opened):
    """As R and pandas write it, and as a delimiter at every line's end makes it."""
    for header in (["", *HEADER], [*HEADER, ""]):
        row = "1,2026-09-01,001,1.5\n" if not header[0] else "2026-09-01,001,1.5,\n"
        file = kit.read_csv(opened(f"{','.join(header)}\n{row}".encode(), {"header": header}))
        assert sums(file) == Decimal("1.5")


def test_other_quotes_than_the_agreed_ones_are_told_either_way(opened):
    file = kit.read_csv(opened(table("1.5").replace(b"001", b'"001"'), {**CSV, "quote": "'"}))

    assert raised(lambda: sums(file))[0] == "BrokenQuotes"


def test_rows_below_a_footer_are_no_footer(opened):
    data = table("1.5", foot="Exported by ACME\n2026-09-02,002,2\n")

    file = kit.read_csv(opened(data, {**CSV, "footer": ["Exported by"]}))

    assert raised(lambda: sums(file))[0] == "RaggedRow"


def test_filled_cells_beyond_the_header_are_never_left_out(opened):
    file = kit.read_csv(opened(table("1.5,2"), {**CSV, "ragged": True}))

    assert raised(lambda: sums(file))[0] == "RaggedRow"


RECORD = "2026-09-07 03:12:44 INFO writing"
LOGS = {
    "no lines": (b"", "EmptyFile", {"empty": True}),
    "a record cut into": (f"{RECORD} fi2026-09-07 03:12:45 ERROR lamp out\n".encode(), "", {"quotes": True}),
    "an indented record": (f"{RECORD}\n  2026-09-07 03:12:45 ERROR lamp out\n".encode(), "", {"quotes": True}),
    "a record behind a feed": (f"{RECORD}\n\x0c2026-09-07 03:12:45 ERROR x\n".encode(), "", {"quotes": True}),
}


@pytest.mark.parametrize("what", LOGS)
def test_a_log_that_may_hide_a_record_says_so_and_what_admits_it(opened, what):
    data, name, admits = LOGS[what]
    log = kit.read_log(opened(data, LOG))

    if name:
        assert raised(lambda: list(log.only(["ERROR"])))[0] == name
    else:
        assert list(log.only(["ERROR"])) == []
        assert log.explained_share < 1 and "quotes = true" in log.evidence_text
    admitted = kit.read_log(opened(data, {**LOG, **admits}))
    assert list(admitted.only(["ERROR"])) == [] and admitted.explained_share == 1


def test_a_carriage_return_in_front_of_a_record_was_a_line_end(opened):
    log = kit.read_log(opened(f"{RECORD}\r2026-09-07 03:12:45 ERROR lamp out\n".encode(), LOG))
    assert list(log.only(["ERROR"])) == [] and log.unexplained_lines == 1

    log = kit.read_log(opened(f"{RECORD}\r2026-09-07 03:12:45 ERROR lamp out\r".encode(), {**LOG, "line_end": "cr"}))
    assert [one.message for one in log.only(["ERROR"])] == ["lamp out"]


def test_a_bar_that_is_drawn_over_itself_is_one_record(opened):
    log = kit.read_log(opened(f"{RECORD}\r 10 %\r 20 %\n".encode(), LOG))

    assert len(list(log)) == 1 and log.explained_share == 1


@pytest.mark.parametrize(("compression", "packed"), [("bzip2", bz2.compress), ("xz", lzma.compress)])
def test_bytes_behind_a_packed_stream_are_damage_and_never_left_out(opened, compression, packed):
    first, second = packed(f"{RECORD}\n".encode()), packed(b"2026-09-07 03:12:45 ERROR lamp out\n")
    reader = {**LOG, "compression": compression}

    assert len(list(kit.read_log(opened(first + second + b"\0" * 16, reader)))) == 2
    log = kit.read_log(opened(first + b"\1" + second[1:], reader))
    assert raised(lambda: list(log.only(["ERROR"])))[0] == "TornArchive"


@pytest.mark.parametrize("amount", ["1" * 40, f"0.{'1' * 39}"])
def test_numbers_too_long_to_be_computed_exactly_are_a_surprise(opened, amount):
    file = kit.read_csv(opened(table(amount, "1.5"), CSV))

    assert raised(lambda: file.sql("SELECT sum(amount) FROM rows", numbers=["amount"]))[0] == "OddNumber"


def test_times_with_and_without_a_zone_are_a_surprise(opened):
    rows = b'{"day": "2026-09-01T00:00:00Z", "code": "a", "amount": 1}\n'
    rows += b'{"day": "2026-09-01T00:00:00", "code": "a", "amount": 1}\n'

    file = kit.read_json(opened(rows, {**JSON, "dated": "day"}))

    assert raised(lambda: file.sql("SELECT 1"))[0] == "OddDate"


def test_a_year_of_two_digits_is_no_year_of_four(opened):
    data = table("1.5").replace(b"2026-", b"26-")

    file = kit.read_csv(opened(data, {**CSV, "dated": "day"}))

    assert raised(lambda: file.sql("SELECT 1"))[0] == "OddDate"


def test_a_total_in_words_is_no_entry_of_a_parquet_file(opened, tmp_path):
    columns = {"day": ["a", "b"], "code": ["1", "Total"], "amount": [1, 2]}
    polars.DataFrame(columns).write_parquet(tmp_path / "made")
    reader = {"types": {"day": "VARCHAR", "code": "VARCHAR", "amount": "BIGINT"}}

    file = kit.read_parquet(opened((tmp_path / "made").read_bytes(), reader))

    name, expected = raised(lambda: file.sql("SELECT 1"))
    assert name == "TotalRow" and "totals" in expected


def test_half_a_character_in_json_is_no_text(opened):
    file = kit.read_json(opened(b'{"day": "d", "code": "\\ud800", "amount": 1}\n', JSON))

    assert raised(lambda: sums(file))[0] == "BrokenJson"


def test_a_document_in_latin_that_is_utf_8_was_utf_8(opened):
    data = '[{"day": "d", "code": "Ås", "amount": 1}]'.encode()

    file = kit.read_json(opened(data, {**JSON, "format": "list", "encoding": "latin-1"}))

    assert raised(lambda: sums(file))[0] == "OddEncoding"


def test_files_put_one_behind_the_other_show_by_the_mark_between_them(opened):
    file = kit.read_csv(opened(table("1.5") + b"\xef\xbb\xbf2026-09-02,002,2\n", CSV))

    assert raised(lambda: sums(file))[0] == "OddEncoding"
