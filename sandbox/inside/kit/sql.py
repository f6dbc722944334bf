"""Questions in SQL to a table's rows, at duckdb's speed and by the kit's rules.

A file whose bytes show that it is plain is read by duckdb itself, with the agreed dialect and nothing left to find
out; before it answers, one pass proves what row by row would be checked. Where anything is not plain or looks odd, the
kit reads the rows: it names what is wrong, or else hands the rows on in one form that needs no reading skill.
"""

from __future__ import annotations

import codecs
import csv
import importlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .csv_reader import TOTAL_WORDS, CsvReader
from .row_cap import CAPS

if TYPE_CHECKING:
    from .tables import CsvFile

NARROW, WIDE = 18, 38  # digits of a decimal that fits a machine word, and of the widest
CHUNK = 1 << 20
# Every word for a total has one of these in it, in small letters; the quote is that of another dialect.
SIGNS = (b"tot", b"sum", b"gesamt", b"'")
_NUMBER = r"[-+]?[0-9]+(\.[0-9]+)?"


@dataclass(frozen=True)
class Rows:
    """Rows that duckdb can read without a choice."""

    source: str  # in SQL
    count: int
    sizes: Sequence[tuple[int, int]]  # of each number column: most characters, most of them behind the mark
    decimal: str = "."


def query(file: CsvFile, sql: str, numbers: Sequence[str]) -> list[tuple[Any, ...]]:
    """Answers of `sql`, which speaks of the table `rows`: columns by name, `numbers` as exact decimals, others text."""
    with database() as connection:
        rows = _plain(connection, file, numbers) or _rewritten(file, numbers)
        file.rows = rows.count
        connection.execute(f"CREATE VIEW rows AS SELECT {_columns(file, numbers, rows)} FROM {rows.source}")
        answers: list[tuple[Any, ...]] = connection.execute(sql).fetchall()
        return answers


@contextmanager
def database() -> Iterator[Any]:
    """In half of the box's memory; what does not fit spills to its disk."""
    memory_mb, threads = int(os.environ.get("BOX_MEMORY_MB", "1024")), int(os.environ.get("BOX_THREADS", "2"))
    connection = importlib.import_module("duckdb").connect(":memory:")
    try:
        connection.execute(f"SET memory_limit = '{max(128, memory_mb // 2)}MB'")
        connection.execute("SET enable_progress_bar = false")  # it would be taken for the script's words
        connection.execute(f"SET threads = {threads}")
        connection.execute(f"SET temp_directory = {text_in_sql(str(_scratch() / 'spill'))}")
        yield connection
    finally:
        connection.close()


def _plain(connection: Any, file: CsvFile, numbers: Sequence[str]) -> Rows | None:
    """The file as it came, if its bytes and one pass of duckdb prove it; None where the kit has to look."""
    reader, width = file.reader, len(file.reader.header)
    suspects = _suspects(file.source.path, reader) if _has_plain_form(reader) else None
    if suspects is None:
        return None
    source = _source(file.source.path, reader.header, reader.delimiter, "")
    asked = ["count(*)", *_oddities(reader, numbers, suspects), *_sizes(reader, numbers)]
    try:
        answer = connection.execute(f"SELECT {', '.join(asked)} FROM {source}").fetchone()
    except importlib.import_module("duckdb").Error:
        return None
    count, odd, sizes = answer[0], answer[1 : width + 1], answer[width + 1 :]
    pairs = [(int(sizes[at] or 1), int(sizes[at + 1] or 0)) for at in range(0, len(sizes), 2)]
    if any(odd) or count in CAPS or any(digits > WIDE for digits, _ in pairs):
        return None
    file.note_checks()
    return Rows(source, int(count), pairs, reader.decimal)


def _has_plain_form(reader: CsvReader) -> bool:
    """Whether duckdb knows this form without our help."""
    named = (reader.symbols, reader.thousands, reader.skip_lines, reader.blank_lines, reader.escape)
    one_letter = len(reader.delimiter) == 1 and len(reader.header) > 1
    usual = (reader.negative, reader.line_end, reader.compression, reader.encoding, reader.totals)
    return one_letter and not any(named) and usual == ("minus", "lf", "none", "utf-8", "refuse")


def _suspects(path: Path, reader: CsvReader) -> set[bytes] | None:
    """None unless: UTF-8, no quote, no NUL, no carriage return, no empty line, the agreed header and once, and as many
    delimiters as cells need. Then what occurs somewhere of the signs that make a closer look necessary.
    """
    header = f"{reader.delimiter.join(reader.header)}\n".encode()
    delimiter = reader.delimiter.encode()
    never = (reader.quote.encode(), b"\0", b"\r", b"\n\n", b"\n" + header)
    delimiters = lines = 0
    seen: set[bytes] = set()
    with path.open("rb") as stream:
        if stream.read(len(header)) != header:
            return None
        before, decoder = b"\n", codecs.getincrementaldecoder("utf-8")()
        while piece := stream.read(CHUNK):
            overlapping = before + piece
            if any(sign in overlapping for sign in never) or not _is_text(decoder, piece):
                return None
            lowered = overlapping.lower()
            seen |= {sign for sign in SIGNS if sign in lowered}
            delimiters += piece.count(delimiter)
            lines += piece.count(b"\n")
            before = overlapping[-len(header) - 8 :]
    is_whole = before.endswith(b"\n") and _is_text(decoder, b"", final=True)
    is_plain = is_whole and delimiters == lines * (len(reader.header) - 1)
    return seen if is_plain else None


def _is_text(decoder: codecs.IncrementalDecoder, piece: bytes, final: bool = False) -> bool:
    try:
        decoder.decode(piece, final)
    except UnicodeDecodeError:
        return False
    return True


def _oddities(reader: CsvReader, numbers: Sequence[str], suspects: set[bytes]) -> Iterator[str]:
    """How many cells of each column are not as they must be."""
    places = {reader.places[name] for name in numbers}
    digits = dict(reader.code_widths)
    for place, name in enumerate(reader.header):
        cell = name_in_sql(name)
        wrong = [f"{cell} <> '' AND length({cell}) <> {digits[place]}"] if place in digits else []
        if place in places:
            wrong.append(_is_no_number(cell, reader))
        elif suspects:
            wrong += _is_suspect(cell, suspects)
        yield f"count(*) FILTER (WHERE {' OR '.join(wrong)})" if wrong else "0"


def _is_no_number(cell: str, reader: CsvReader) -> str:
    wrong = f"NOT regexp_full_match({_with_point(cell, reader.decimal)}, {text_in_sql(_NUMBER)})"
    if reader.decimal == ",":
        wrong = f"({wrong} OR contains({cell}, '.'))"
    return f"({wrong} AND {cell} <> '')" if "" in reader.nulls else wrong


def _is_suspect(cell: str, suspects: set[bytes]) -> Iterator[str]:
    words = ", ".join(text_in_sql(word) for word in sorted(TOTAL_WORDS))
    if b"'" in suspects:
        yield f"({cell} LIKE '''%''' AND length({cell}) > 1)"
    if suspects - {b"'"}:
        yield f"lower(trim({cell}, ' :')) IN ({words})"


def _sizes(reader: CsvReader, numbers: Sequence[str]) -> Iterator[str]:
    for name in numbers:
        cell = _with_point(name_in_sql(reader.header[reader.places[name]]), reader.decimal)
        yield f"max(length({cell}))"
        yield f"max(CASE WHEN contains({cell}, '.') THEN length({cell}) - instr({cell}, '.') ELSE 0 END)"


def _rewritten(file: CsvFile, numbers: Sequence[str]) -> Rows:
    """Every cell in quotes, numbers as plain decimals. Raises what reading the rows one by one raises."""
    path = _scratch() / f"{file.name}.rows"
    places = [file.place(name) for name in numbers]
    sizes = [(1, 0)] * len(numbers)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(file.reader.header)
        for row in file:
            cells = list(row.cells)
            for at, (place, name) in enumerate(zip(places, numbers, strict=True)):
                number = row.number_or_none(name)
                cells[place] = "" if number is None else f"{number:f}"
                behind = len(cells[place].partition(".")[2])
                sizes[at] = max(sizes[at][0], len(cells[place])), max(sizes[at][1], behind)
            writer.writerow(cells)
    return Rows(_source(path, file.reader.header, ",", '"'), file.rows, sizes)


def _source(path: Path, header: Sequence[str], delimiter: str, quote: str) -> str:
    columns = ", ".join(f"{text_in_sql(name)}: 'VARCHAR'" for name in header)
    return (
        f"read_csv({text_in_sql(str(path))}, auto_detect = false, header = true, columns = {{{columns}}}, "
        f"delim = {text_in_sql(delimiter)}, quote = {text_in_sql(quote)}, escape = {text_in_sql(quote)}, comment = '', "
        "strict_mode = true, null_padding = false, ignore_errors = false, force_not_null = "
        f"[{', '.join(text_in_sql(name) for name in header)}], max_line_size = 8000000)"
    )


def _columns(file: CsvFile, numbers: Sequence[str], rows: Rows) -> str:
    """Each under its name, and under its role where it has one."""
    sizes = {file.place(name): size for name, size in zip(numbers, rows.sizes, strict=True)}
    columns = []
    for name, place in file.reader.places.items():
        cell = name_in_sql(file.reader.header[place])
        if place in sizes:
            digits, behind = sizes[place]
            kind = f"DECIMAL({NARROW if digits <= NARROW else WIDE}, {behind})"
            cell = f"CAST(nullif({_with_point(cell, rows.decimal)}, '') AS {kind})"
        columns.append(f"{cell} AS {name_in_sql(name)}")
    return ", ".join(columns)


def _with_point(cell: str, decimal: str) -> str:
    return cell if decimal == "." else f"replace({cell}, {text_in_sql(decimal)}, '.')"


def _scratch() -> Path:
    folder = Path("scratch").absolute()
    folder.mkdir(exist_ok=True)
    return folder


def text_in_sql(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def name_in_sql(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
