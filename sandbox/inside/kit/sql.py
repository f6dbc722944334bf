"""Questions in SQL to a table's rows, at duckdb's speed and by the kit's rules.

A file whose bytes show that it is plain is read by duckdb itself, with the agreed dialect and nothing left to find
out; before it answers, one pass proves what row by row would be checked. Where anything is not plain or looks odd, the
kit reads the rows: it names what is wrong, or else hands the rows on in one form that needs no reading skill.
"""

from __future__ import annotations

import codecs
import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .csv_reader import CsvReader
from .numbers import exact_number
from .rewritten import WIDE, AnyTable, Rows, name_in_sql, plain_source, rewritten, text_in_sql
from .row_counts import CAPS
from .totals import LIKE_A_TOTAL, adds_up
from .window import Span

if TYPE_CHECKING:
    from .tables import CsvFile

NARROW = 18  # digits of a decimal that fits a machine word
CHUNK = 1 << 20
# Every word for a total has one of these in it, in small letters, or a letter that is not ASCII; the quote is that of
# another dialect.
SIGNS = (b"tot", b"sum", b"som", b"gesamt", b"i alt", b"ialt", b"samlet", b"razem", b"celkem", b"'")
# A single byte is found ten times as fast as several, and a table of numbers has few letters.
LETTERS = {sign: [bytes([byte]) for byte in sorted(set(sign))] for sign in SIGNS}
NOT_ASCII = b"\x80"
Plain = Callable[[Any, Any, Sequence[str]], Rows | None]
_NUMBER = r"[-+]?[0-9]+(\.[0-9]+)?"


def query(file: AnyTable, sql: str, numbers: Sequence[str], plain: Plain | None = None) -> list[tuple[Any, ...]]:
    """Answers of `sql`, which speaks of the table `rows`: columns by name, `numbers` as exact decimals, others text.

    `plain` may read the file as it is; where it gives None, the file's rows are read one by one.
    """
    with database() as connection:
        rows = plain and plain(connection, file, numbers)
        if rows is None:
            rows = rewritten(file, numbers, _scratch() / f"{file.name}.rows")
        file.rows, file.span = rows.count, rows.span
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


def plain_csv(connection: Any, file: CsvFile, numbers: Sequence[str]) -> Rows | None:
    """The file as it came, if its bytes and one pass of duckdb prove it; None where the kit has to look."""
    reader, width = file.reader, len(file.reader.header)
    suspects = _suspects(file.source.path, reader) if _has_plain_form(reader) else None
    if suspects is None:
        return None
    source = plain_source(file.source.path, reader.header, reader.delimiter, "")
    asked = ["count(*)", *_ends(reader), *_oddities(reader, numbers, suspects), *_facts(reader, numbers)]
    try:
        answer = connection.execute(f"SELECT {', '.join(asked)} FROM {source}").fetchone()
    except importlib.import_module("duckdb").Error:
        return None
    (count, first, last), odd, facts = answer[:3], answer[3 : width + 3], answer[width + 3 :]
    sizes = [(int(facts[at] or 1), int(facts[at + 1] or 0)) for at in range(0, len(facts), 3)]
    if not count or any(odd) or count in CAPS or any(digits > WIDE for digits, _ in sizes):
        return None
    if adds_up(_last_numbers(file, numbers), facts[2::3], count):
        return None
    file.note_checks()
    span = None if first is None else Span(*(datetime.fromtimestamp(one, UTC) for one in (first, last)))
    return Rows(source, int(count), sizes, reader.decimal, span)


def _last_numbers(file: CsvFile, numbers: Sequence[str]) -> list[Decimal | None]:
    """Of the last row of a plain file."""
    with file.source.path.open("rb") as stream:
        stream.seek(max(0, file.source.size_bytes - CHUNK))
        last = stream.read().rstrip(b"\n").rpartition(b"\n")[2].decode("utf-8", "replace")
    cells = last.split(file.reader.delimiter)
    marks = file.reader.marks
    return [exact_number(cells[file.place(name)], **marks) for name in numbers]


def _has_plain_form(reader: CsvReader) -> bool:
    """Whether duckdb knows this form without our help."""
    named = (reader.symbols, reader.thousands, reader.skip_lines, reader.blank_lines, reader.escape, reader.footer)
    one_letter = len(reader.delimiter) == 1 and len(reader.header) > 1
    usual = (reader.negative, reader.line_end, reader.compression, reader.encoding, reader.totals)
    return one_letter and not any(named) and usual == ("minus", "lf", "none", "utf-8", "refuse")


def _suspects(path: Path, reader: CsvReader) -> set[bytes] | None:
    """None unless: UTF-8, no quote, no NUL, no carriage return, the agreed header and once, and as many delimiters as
    cells need, so that none of the lines is empty: duckdb refuses rows that are too wide. Then what occurs somewhere
    of the signs that make a closer look necessary.
    """
    header = f"{reader.delimiter.join(reader.header)}\n".encode()
    delimiter = reader.delimiter.encode()
    never = (reader.quote.encode(), b"\0", b"\r", b"\n" + header, b"\n" + codecs.BOM_UTF8)
    longest = len(header) + 8  # of what is looked for
    delimiters = lines = 0
    seen: set[bytes] = set()
    with path.open("rb") as stream:
        if stream.read(len(header)) != header:
            return None
        before, decoder = b"\n", codecs.getincrementaldecoder("utf-8")()
        while piece := stream.read(CHUNK):
            both = before + piece[:longest], piece  # something may lie across two pieces
            if any(sign in one for sign in never for one in both) or not _is_text(decoder, piece):
                return None
            lowered = [one.lower() for one in both]
            seen |= {sign for sign in set(SIGNS) - seen if any(_holds(one, sign) for one in lowered)}
            if not piece.isascii():
                seen.add(NOT_ASCII)
            delimiters += piece.count(delimiter)
            lines += piece.count(b"\n")
            before = (piece if len(piece) > longest else before + piece)[-longest:]
    is_whole = before.endswith(b"\n") and _is_text(decoder, b"", final=True)
    is_plain = is_whole and delimiters == lines * (len(reader.header) - 1)
    return seen if is_plain else None


def _holds(piece: bytes, sign: bytes) -> bool:
    return all(letter in piece for letter in LETTERS[sign]) and sign in piece


def _is_text(decoder: codecs.IncrementalDecoder, piece: bytes, final: bool = False) -> bool:
    if piece.isascii() and not final and not decoder.getstate()[0]:
        return True
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
        if place in reader.exact_decimals and place in places:
            point = f"CASE WHEN contains({cell}, {{0}}) THEN length({cell}) - instr({cell}, {{0}}) ELSE 0 END"
            wrong.append(f"{point.format(text_in_sql(reader.decimal))} <> {reader.exact_decimals[place]}")
        if place in places:
            wrong.append(_is_no_number(cell, reader))
        elif suspects:
            wrong += _is_suspect(cell, suspects)
        if name == dated_name(reader):
            moment = _moment(cell, reader)  # a year of two digits is no year of four to the kit
            wrong.append(f"({moment} IS NULL OR year({moment}) < 1000){_or_null(cell, reader)}")
        yield f"count(*) FILTER (WHERE {' OR '.join(wrong)})" if wrong else "0"


def _is_no_number(cell: str, reader: CsvReader) -> str:
    wrong = f"NOT regexp_full_match({_with_point(cell, reader.decimal)}, {text_in_sql(_NUMBER)})"
    if reader.decimal == ",":
        wrong = f"({wrong} OR contains({cell}, '.'))"
    return f"({wrong} AND {cell} <> '')" if "" in reader.nulls else wrong


def _is_suspect(cell: str, suspects: set[bytes]) -> Iterator[str]:
    if b"'" in suspects:
        yield f"({cell} LIKE '''%''' AND length({cell}) > 1)"
    if suspects - {b"'"}:
        yield f"regexp_matches({cell}, {text_in_sql(LIKE_A_TOTAL)})"


def _ends(reader: CsvReader) -> Iterator[str]:
    """Of its dates, in seconds since 1970."""
    moment = _moment(name_in_sql(dated_name(reader)), reader) if reader.dated else "NULL"
    for which in ("min", "max"):
        yield f"epoch({which}({moment}))" if reader.dated else "NULL"


def dated_name(reader: CsvReader) -> str:
    return reader.header[reader.places[reader.dated]] if reader.dated else ""


def _moment(cell: str, reader: CsvReader) -> str:
    """NULL where the kit would find no date. A year of two digits is left to the kit, which knows its century."""
    layout = reader.layout(reader.dated)
    return "NULL" if "%y" in layout else f"try_strptime({cell}, {text_in_sql(layout)})"


def _or_null(cell: str, reader: CsvReader) -> str:
    return f" AND {cell} NOT IN ({', '.join(map(text_in_sql, reader.nulls))})" if reader.nulls else ""


def _facts(reader: CsvReader, numbers: Sequence[str]) -> Iterator[str]:
    for name in numbers:
        cell = _with_point(name_in_sql(reader.header[reader.places[name]]), reader.decimal)
        yield f"max(strlen({cell}))"  # of numbers, bytes are characters
        yield f"max(strlen({cell}) - instr({cell}, '.')) FILTER (WHERE contains({cell}, '.'))"
        yield f"coalesce(sum(TRY_CAST({cell} AS DOUBLE)), 0)"


def _columns(file: AnyTable, numbers: Sequence[str], rows: Rows) -> str:
    """Each under its name, and under its role where it has one."""
    sizes = {file.places[name]: size for name, size in zip(numbers, rows.sizes, strict=True)}
    columns = []
    for name, place in file.places.items():
        cell = name_in_sql(file.names[place])
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
