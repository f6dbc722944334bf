"""Questions in SQL to a table's rows, at duckdb's speed and by the kit's rules.

A file whose bytes show that it is plain is read by duckdb itself, with the agreed dialect and nothing left to find
out; before it answers, one pass proves what row by row would be checked. Where anything is not plain or looks odd, the
kit reads the rows: it names what is wrong, or else hands the rows on in one form that needs no reading skill.
"""

from __future__ import annotations

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
from .plain_bytes import CHUNK, QUOTE, Seen, looked_through
from .rewritten import (
    NARROW,
    WIDE,
    AnyTable,
    Rows,
    decimal,
    name_in_sql,
    plain_source,
    rewritten,
    text_in_sql,
    typed_source,
)
from .row_counts import CAPS
from .totals import LIKE_A_TOTAL, adds_up
from .window import Span

if TYPE_CHECKING:
    from .tables import CsvFile

FIRST_ROWS = 10_000
Sizes = Sequence[tuple[int, int]]  # of number columns: digits, most of them behind the mark
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
        connection.execute(f"CREATE VIEW rows AS SELECT {_columns(file)} FROM {rows.source}")
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
        connection.execute("SET TimeZone = 'UTC'")  # the same days wherever a script runs
        connection.execute(f"SET temp_directory = {text_in_sql(str(_scratch() / 'spill'))}")
        yield connection
    finally:
        connection.close()


def plain_csv(connection: Any, file: CsvFile, numbers: Sequence[str]) -> Rows | None:
    """The file as it came, if its bytes and one pass of duckdb prove it; None where the kit has to look."""
    seen = looked_through(file.source.path, file.reader) if _has_plain_form(file.reader) else None
    if seen is None:
        return None
    usual = _usual_sizes(file, numbers)
    rows = _proven(connection, file, numbers, seen, usual) if usual else None
    return rows or _proven(connection, file, numbers, seen, None)


def _proven(connection: Any, file: CsvFile, numbers: Sequence[str], seen: Seen, sizes: Sizes | None) -> Rows | None:
    """With numbers of these sizes, which are measured where none are given."""
    reader, width = file.reader, len(file.names)
    source = plain_source(file.source.path, reader.header, reader.delimiter, "")
    asked = [*_ends(reader), *_oddities(reader, numbers, seen.suspects, sizes), *_facts(reader, numbers, sizes)]
    try:
        answer = connection.execute(f"SELECT count(*), {', '.join(asked)} FROM {source}").fetchone()
    except importlib.import_module("duckdb").Error:
        return None
    (count, first, last), odd, facts = answer[:3], answer[3 : width + 3], answer[width + 3 :]
    sums, found = facts[: len(numbers)], facts[len(numbers) :]
    sizes = sizes or [(int(found[at] or 1), int(found[at + 1] or 0)) for at in range(0, len(found), 2)]
    if count != seen.rows or not count or any(odd) or count in CAPS or any(digits > WIDE for digits, _ in sizes):
        return None
    if adds_up(_last_numbers(file, numbers), sums, count):
        return None
    file.note_checks()
    kinds = {file.place(name): decimal(*size) for name, size in zip(numbers, sizes, strict=True)}
    span = None if first is None else Span(*(datetime.fromtimestamp(one, UTC) for one in (first, last)))
    typed = typed_source(file.source.path, reader.header, reader.delimiter, "", kinds, reader.decimal)
    return Rows(typed, int(count), span)


def _usual_sizes(file: CsvFile, numbers: Sequence[str]) -> Sizes | None:
    """Those of the first rows: to prove that all others are not larger is less work than to measure each."""
    places, mark = [file.place(name) for name in numbers], file.reader.decimal
    with file.source.path.open("rb") as stream:
        lines = stream.read(CHUNK).decode("utf-8", "replace").split("\n")[1:FIRST_ROWS]
    rows = [cells for line in lines if len(cells := line.split(file.reader.delimiter)) == len(file.names)]
    behind = [max((len(row[place].partition(mark)[2]) for row in rows), default=0) for place in places]
    return [(NARROW, most) for most in behind] if max(behind, default=0) < NARROW else None


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


def _oddities(reader: CsvReader, numbers: Sequence[str], suspects: set[bytes], sizes: Sizes | None) -> Iterator[str]:
    """How many cells of each column are not as they must be; numbers of these sizes, or of any where none are given."""
    patterns = [_number(*size) for size in sizes] if sizes else [_NUMBER] * len(numbers)
    places = dict(zip((reader.places[name] for name in numbers), patterns, strict=True))
    digits = dict(reader.code_widths)
    for place, name in enumerate(reader.header):
        cell = name_in_sql(name)
        wrong = [f"{cell} <> '' AND length({cell}) <> {digits[place]}"] if place in digits else []
        if place in reader.exact_decimals and place in places:
            point = f"CASE WHEN contains({cell}, {{0}}) THEN length({cell}) - instr({cell}, {{0}}) ELSE 0 END"
            wrong.append(f"{point.format(text_in_sql(reader.decimal))} <> {reader.exact_decimals[place]}")
        if place in places:
            wrong.append(_is_no_number(cell, reader, places[place]))
        elif suspects:
            wrong += _is_suspect(cell, suspects)
        if name == dated_name(reader):
            moment = _moment(cell, reader)  # a year of two digits is no year of four to the kit
            wrong.append(f"({moment} IS NULL OR year({moment}) < 1000){_or_null(cell, reader)}")
        yield f"count(*) FILTER (WHERE {' OR '.join(wrong)})" if wrong else "0"


def _number(digits: int, behind: int) -> str:
    """A number of at most these digits."""
    point = rf"(\.[0-9]{{1,{behind}}})?" if behind else ""
    return rf"[-+]?[0-9]{{1,{digits - behind}}}{point}"


def _is_no_number(cell: str, reader: CsvReader, pattern: str) -> str:
    wrong = f"NOT regexp_full_match({_with_point(cell, reader.decimal)}, {text_in_sql(pattern)})"
    if reader.decimal == ",":
        wrong = f"({wrong} OR contains({cell}, '.'))"
    return f"({wrong} AND {cell} <> '')" if "" in reader.nulls else wrong


def _is_suspect(cell: str, suspects: set[bytes]) -> Iterator[str]:
    if QUOTE in suspects:
        yield f"({cell} LIKE '''%''' AND length({cell}) > 1)"
    if suspects - {QUOTE}:
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


def _facts(reader: CsvReader, numbers: Sequence[str], sizes: Sizes | None) -> Iterator[str]:
    """The sum of each column; where sizes are not known, then those."""
    cells = [_with_point(name_in_sql(reader.header[reader.places[name]]), reader.decimal) for name in numbers]
    yield from (f"coalesce(sum(TRY_CAST({cell} AS DOUBLE)), 0)" for cell in cells)
    for cell in cells if sizes is None else ():
        yield f"max(strlen({cell}))"  # of numbers, bytes are characters
        yield f"max(strlen({cell}) - instr({cell}, '.')) FILTER (WHERE contains({cell}, '.'))"


def _columns(file: AnyTable) -> str:
    """Each under its name, and under its role where it has one."""
    columns = [(name_in_sql(file.names[place]), name_in_sql(name)) for name, place in file.places.items()]
    return ", ".join(f"{column} AS {name}" for column, name in columns)


def _with_point(cell: str, decimal: str) -> str:
    return cell if decimal == "." else f"replace({cell}, {text_in_sql(decimal)}, '.')"


def _scratch() -> Path:
    folder = Path("scratch").absolute()
    folder.mkdir(exist_ok=True)
    return folder
